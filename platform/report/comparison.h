#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/sweep/plan.h"
#include "platform/sweep/tidy_table.h"

namespace vp {

/// Two runs, or two sweeps point by point, side by side. Figures that differ from run to run anyway (time of the host,
/// date) are left out.
class Comparison {
 public:
  using Json = nlohmann::ordered_json;

  /// Whether these inputs are two of a kind: two folders of sweeps, or two statistics files.
  static bool fits(const std::vector<std::string>& inputs);
  /// Throws UserError: an input that is none, two sweeps that have no point in common.
  Comparison(const std::string& a, const std::string& b);

  /// What differs, in a few lines.
  std::string summary() const;
  /// A line a figure that differs: settings of the point, figure, unit, a, b, change in percent.
  TidyTable table() const;
  /// For the page.
  Json document() const;

 private:
  struct Figure {
    std::string path;
    std::string unit;
    Json a;  ///< null: the run does not have it
    Json b;
    /// (b - a) / a, where both are numbers and a is not 0.
    std::optional<double> change() const;
  };
  /// A run, or a point of both sweeps.
  struct Pair {
    Settings settings;
    Json a;  ///< statistics
    Json b;
    std::vector<Figure> differing;   ///< in the order of a
    std::vector<Figure> parameters;  ///< that differ, values as text
    std::size_t equal = 0;           ///< figures
  };
  void add(Settings settings, Json a, Json b);
  void add_sweeps(const std::string& a, const std::string& b);

  std::string names_[2];
  bool sweeps_ = false;
  std::vector<Pair> pairs_;
  std::vector<std::string> only_[2];  ///< points without a partner
};

}  // namespace vp
