#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>
#include <string_view>
#include <variant>

namespace vp {

/// Whether a figure is the same in every run of one machine and program. Not so what depends on the host: its time, or
/// how often it had to be waited for. This mark, at the figure's place in its struct's list, is the one list of
/// volatile figures; whoever compares runs leaves them out (platform/report/volatile_figures.h).
enum class Repeats : bool { never, always };

/// A tree of named quantities, each with a unit and a description. A model adds its present figures when it is asked
/// (`void report(Statistics&) const`), so keeping statistics costs a model its own counters and nothing else. The same
/// tree is printed as text and as JSON.
class Statistics {
 public:
  using Value = std::variant<std::uint64_t, double, std::string>;

  Statistics() = default;

  /// The group `name` below this one, made on first use; description is kept from the first call that gives one.
  Statistics& group(std::string_view name, std::string_view description = {});
  /// Adds a quantity. unit: "cycles", "bytes", "ns", "1" for plain counts, "" for text.
  void add(std::string_view name, std::uint64_t value, std::string_view unit, std::string_view description,
           Repeats repeats = Repeats::always);
  void add(std::string_view name, double value, std::string_view unit, std::string_view description,
           Repeats repeats = Repeats::always);
  void add(std::string_view name, std::string_view value, std::string_view description,
           Repeats repeats = Repeats::always);

  const std::string& name() const { return name_; }
  /// The groups below this one, in the order of their making.
  const std::deque<Statistics>& groups() const { return groups_; }

  /// {"description":…, "groups":{…}, "values":{name:{"value":…,"unit":…,"description":…}}}, indented. A figure that may
  /// differ between two runs has "volatile":true beside these.
  void write_json(std::ostream& out) const;
  /// One quantity a line, "path  value unit  description", in the order of addition; figures that are zero may be left
  /// out.
  enum class Zeros { shown, hidden };
  void write_text(std::ostream& out, Zeros zeros = Zeros::shown) const;

 private:
  struct Quantity {
    std::string name;
    Value value;
    std::string unit;
    std::string description;
    Repeats repeats;
  };
  void write_text(std::ostream& out, const std::string& prefix, Zeros zeros) const;

  std::string name_;
  std::string description_;
  std::deque<Statistics> groups_;  // deque: references handed out by group() stay valid
  std::deque<Quantity> quantities_;

  friend struct StatisticsJson;
};

}  // namespace vp
