#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "models/common/statistics.h"

namespace vp {

/// Figures that the guest itself reports, in lines of its console:
///
///     metric NAME VALUE [UNIT]
///
/// NAME: 1 to 64 of A-Z a-z 0-9 _ . (no dot at either end, nor two in a row); VALUE: a finite decimal number; UNIT: up
/// to 32 printable characters without blanks. Of several lines of one name the last one counts. A line that begins so
/// and goes on otherwise is no metric, but worth a warning.
class GuestMetrics {
 public:
  /// `complain` is told of lines that look like a metric and are none; may be empty.
  explicit GuestMetrics(std::function<void(const std::string&)> complain = nullptr) : complain_(std::move(complain)) {}

  /// A byte that the guest has sent to a console; `console` tells them apart.
  void put(std::size_t console, std::uint8_t byte);
  /// A metric by other ways than a line. Refuses (false) what no line can say, and more names than are kept.
  bool add(const std::string& name, const std::string& value, const std::string& unit);

  /// Adds the group "metric", if there is any.
  void report(Statistics& root) const;

 private:
  struct Metric {
    std::string name;
    std::variant<std::uint64_t, double> value;
    std::string unit;
  };
  struct Line {
    std::string text;
    bool other = false;  ///< no metric, whatever follows
  };
  void end_line(const std::string& text);

  std::function<void(const std::string&)> complain_;
  std::map<std::size_t, Line> lines_;
  std::vector<Metric> metrics_;  // in the order in which they first came
  std::map<std::string, std::size_t> index_;
};

}  // namespace vp
