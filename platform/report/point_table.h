#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/sweep/figure_kind.h"

namespace vp {

/// All quantities of a sweep's points as one table: a column a path.
class PointTable {
 public:
  using Json = nlohmann::ordered_json;

  /// Adds the statistics of a point. Throws UserError for more than a browser can hold.
  void add(const Json& tree, std::size_t row);
  /// Notes a swept parameter of a finished point.
  void add_setting(const std::string& name, const std::string& value) { settings_[name].push_back(value); }

  /// Columns as {"path", "unit", "description", "kind"} with either "values" (an array over the points) or, where every
  /// point has the same value, "value".
  Json json() const;

  /// Whether the user's choice `name` of an option can be an axis: a number that differs between points. Throws
  /// UserError: unknown (with the nearest), the same everywhere, no number.
  void check_axis(const std::string& option, const std::string& name) const;

 private:
  struct Column {
    std::string unit;
    std::string description;
    FigureKind kind = FigureKind::simulated;
    std::map<std::size_t, Json> values;
  };

  void add_group(const Json& group, const std::string& prefix, std::size_t row);
  bool is_constant(const Column& column) const;
  Json dense(const Column& column) const;

  std::vector<std::string> order_;
  std::map<std::string, Column> columns_;
  std::map<std::string, std::vector<std::string>> settings_;
  std::size_t rows_ = 0;
  std::size_t cells_ = 0;
};

}  // namespace vp
