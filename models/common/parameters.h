#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/common/clock.h"

namespace vp {

/// One named setting of the machine, as `tinytpu-vp params` lists it.
struct Parameter {
  std::string name;           ///< full name, for example "tpu.matrix_width"
  std::string type;           ///< "integer", "real", "boolean", "text", "choice", "clock", "time"
  std::string unit;           ///< of a plain number; empty where it has none
  std::string default_value;  ///< as text that set() accepts
  std::string range;          ///< what is allowed, for a person: "2 to 256", "fixed, ddr3-1600"
  std::string help;
  std::string source = "default";    ///< who set it last: "default", a file, the environment, the command line
  std::function<std::string()> get;  ///< present value as text that set() accepts
  std::function<void(const std::string&)> assign;  ///< throws UserError with what is allowed (without the name)
  /// Why it has no effect as the other settings are: "dram0.preset is fixed". Empty text: it has one; so if not set.
  std::function<std::string()> without_effect;
};

/// All settings by name. A model's configuration is a plain struct whose members carry their defaults; the struct
/// declares its parameters once by binding each member:
///
///     struct TpuConfig {
///       unsigned matrix_width = 14;
///       void declare(ParameterGroup g) { g.integer("matrix_width", matrix_width, 2, 256, "elements", "rows and columns
///       ..."); }
///     };
///
/// Setting a parameter writes the bound member, so models are built from const structs and never look up names. The
/// table must not outlive the structs bound to it.
class ParameterTable {
 public:
  /// Sets a parameter from text. Throws UserError: unknown name (with the nearest one), value out of range.
  void set(const std::string& name, const std::string& value, const std::string& source);
  /// The parameter of that name, or nullptr.
  const Parameter* find(const std::string& name) const;
  /// The existing name most like `name` (edit distance), empty if none is near.
  std::string nearest(const std::string& name) const;
  /// In order of declaration.
  const std::vector<Parameter>& all() const { return parameters_; }
  /// The present values become the defaults, as if nobody had set them.
  void adopt_defaults();
  /// Called by ParameterGroup. A second parameter of one name is an error of ours (std::logic_error).
  void add(Parameter parameter);

 private:
  std::vector<Parameter> parameters_;
  std::unordered_map<std::string, std::size_t> index_;  // by name
};

/// Declares parameters below one prefix of a table. Cheap to copy.
class ParameterGroup {
 public:
  explicit ParameterGroup(ParameterTable& table, std::string prefix = "")
      : table_(&table), prefix_(std::move(prefix)) {}
  /// The group `name` inside this one: names become "prefix.name.".
  ParameterGroup group(std::string_view name) const {
    ParameterGroup inside(*table_, full(name));
    inside.without_effect_ = without_effect_;
    return inside;
  }

  /// The same group for parameters that have an effect only while `holds`, which looks at other settings; `otherwise`
  /// says of a person's settings why not: "dram0.preset is fixed". Conditions of groups inside each other add up.
  ParameterGroup effective(std::function<bool()> holds, const std::string& otherwise) const;
  /// Full name of a parameter of this group.
  std::string full(std::string_view name) const { return (prefix_.empty() ? "" : prefix_ + ".").append(name); }

  /// Whole number from `low` to `high`; decimal, 0x hexadecimal, or with a suffix KiB, MiB, GiB.
  template <typename Integer>
  void integer(std::string_view name, Integer& value, std::uint64_t low, std::uint64_t high, std::string_view unit,
               std::string_view help) const {
    add_integer(
        name, low, high, unit, help, [&value] { return static_cast<std::uint64_t>(value); },
        [&value](std::uint64_t v) { value = static_cast<Integer>(v); });
  }
  /// A guest address; accepted as any whole number, shown in hexadecimal.
  void address(std::string_view name, std::uint64_t& value, std::string_view help) const;
  void real(std::string_view name, double& value, double low, double high, std::string_view unit,
            std::string_view help) const;
  /// true/false, yes/no, on/off, 1/0.
  void boolean(std::string_view name, bool& value, std::string_view help) const;
  void text(std::string_view name, std::string& value, std::string_view help) const;
  /// One of a list of words, kept as text.
  void choice(std::string_view name, std::string& value, const std::vector<std::string>& words,
              std::string_view help) const;
  /// One of a list of words, kept as an enumerator.
  template <typename Enum>
  void choice(std::string_view name, Enum& value, std::vector<std::pair<std::string, Enum>> words,
              std::string_view help) const {
    std::vector<std::string> names;
    names.reserve(words.size());
    for (const auto& word : words) names.push_back(word.first);
    add_choice(
        name, names, help,
        [&value, words] {
          for (const auto& word : words)
            if (word.second == value) return word.first;
          return std::string();
        },
        [&value, words](const std::string& text) {
          for (const auto& word : words)
            if (word.first == text) value = word.second;
        });
  }
  /// A clock's period in picoseconds; text is a period ("5625ps", "10ns") or a frequency ("100MHz").
  void clock(std::string_view name, Picoseconds& period, std::string_view help) const;
  /// A length of time in picoseconds, `low` to `high`; text needs a unit: ps, ns, us, ms, s.
  void time(std::string_view name, Picoseconds& value, Picoseconds low, Picoseconds high, std::string_view help) const;
  /// A value of another type, by its text: `assign` throws UserError saying what is allowed (without the name).
  void custom(std::string_view name, std::string_view type, std::string_view range, std::string_view help,
              std::function<std::string()> get, std::function<void(const std::string&)> assign) const;

 private:
  void add_integer(std::string_view name, std::uint64_t low, std::uint64_t high, std::string_view unit,
                   std::string_view help, std::function<std::uint64_t()> get,
                   std::function<void(std::uint64_t)> assign) const;
  void add_choice(std::string_view name, const std::vector<std::string>& words, std::string_view help,
                  std::function<std::string()> get, std::function<void(const std::string&)> assign) const;
  void add(std::string_view name, std::string_view type, std::string_view unit, std::string_view range,
           std::string_view help, std::function<std::string()> get,
           std::function<void(const std::string&)> assign) const;

  ParameterTable* table_;
  std::string prefix_;
  std::function<std::string()> without_effect_;  // of all that is declared here
};

/// Text to numbers, for parameters and for command-line options alike. Each throws UserError saying what is allowed.
std::uint64_t parse_integer(const std::string& text);
double parse_real(const std::string& text);
Picoseconds parse_time(const std::string& text);
Picoseconds parse_clock_period(const std::string& text);
/// Exact text of a time with the largest unit that needs no fraction: 5625 → "5625ps", 10000 → "10ns".
std::string format_time(Picoseconds time);

/// The candidate most like `word` by edit distance, empty if none is near enough to be what was meant.
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace vp
