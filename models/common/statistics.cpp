#include "models/common/statistics.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "models/common/number_text.h"
#include "models/common/statistics_json.h"

namespace vp {

/// Writes the JSON form; apart so that the header needs no JSON library. As text at once: a tree of JSON values in
/// between, and its destruction, were a quarter of a short run.
struct StatisticsJson {
  static std::string text(const Statistics& tree) {
    StatisticsJson writer;
    writer.text_.reserve(kExpected);
    writer.add_group(tree);
    writer.text_ += '\n';
    return std::move(writer.text_);
  }

 private:
  /// Bytes that the tree of a machine takes about; what is not written to is not there.
  static constexpr std::size_t kExpected = std::size_t{1} << 18;

  void add_group(const Statistics& group) {
    open();
    if (!group.description_.empty()) add_member("description", group.description_);
    if (!group.quantities_.empty()) {
      add_name("values");
      open();
      for (const Statistics::Quantity& quantity : group.quantities_) add_quantity(quantity);
      close();
    }
    if (!group.groups_.empty()) {
      add_name("groups");
      open();
      for (const Statistics& below : group.groups_) {
        add_name(below.name_);
        add_group(below);
      }
      close();
    }
    close();
  }

  void add_quantity(const Statistics::Quantity& quantity) {
    add_name(quantity.name);
    open();
    std::visit([this](const auto& value) { add_member("value", value); }, quantity.value);
    if (!quantity.unit.empty()) add_member("unit", quantity.unit);
    add_member("description", quantity.description);
    if (quantity.repeats == Repeats::never) add_member("volatile", true);
    close();
  }

  template <typename Value>
  void add_member(std::string_view name, const Value& value) {
    add_name(name);
    add(value);
  }

  void add_name(std::string_view name) {
    text_ += is_first_ ? "\n" : ",\n";
    is_first_ = false;
    text_.append(depth_, ' ');
    add(name);
    text_ += ": ";
  }

  void open() {
    text_ += '{';
    depth_ += 2;
    is_first_ = true;
  }

  void close() {
    depth_ -= 2;
    if (!is_first_) text_.append("\n").append(depth_, ' ');
    text_ += '}';
    is_first_ = false;
  }

  /// Nearly all texts are plain ones; the library knows of the others.
  void add(std::string_view text) {
    const auto is_plain = [](char c) { return static_cast<unsigned char>(c - 0x20) < 0x60 && c != '"' && c != '\\'; };
    if (std::all_of(text.begin(), text.end(), is_plain))
      text_.append("\"").append(text).append("\"");
    else
      text_ += nlohmann::json(text).dump();
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(std::uint64_t value) { text_ += std::to_string(value); }
  void add(double value) { text_ += nlohmann::json(value).dump(); }
  void add(bool value) { text_ += value ? "true" : "false"; }

  std::string text_;
  std::size_t depth_ = 0;  ///< in blanks
  bool is_first_ = true;   ///< nothing stands yet in the innermost braces
};

Statistics& Statistics::group(std::string_view name, std::string_view description) {
  for (Statistics& group : groups_) {
    if (group.name_ != name) continue;
    if (group.description_.empty()) group.description_ = description;
    return group;
  }
  Statistics& added = groups_.emplace_back();
  added.name_ = name;
  added.description_ = description;
  return added;
}

void Statistics::add(std::string_view name, std::uint64_t value, std::string_view unit, std::string_view description,
                     Repeats repeats) {
  quantities_.push_back({std::string(name), value, std::string(unit), std::string(description), repeats});
}

void Statistics::add(std::string_view name, double value, std::string_view unit, std::string_view description,
                     Repeats repeats) {
  quantities_.push_back({std::string(name), value, std::string(unit), std::string(description), repeats});
}

void Statistics::add(std::string_view name, std::string_view value, std::string_view description, Repeats repeats) {
  quantities_.push_back({std::string(name), std::string(value), "", std::string(description), repeats});
}

std::string json_text(const Statistics& tree) { return StatisticsJson::text(tree); }

void Statistics::write_json(std::ostream& out) const { out << json_text(*this); }

namespace {

/// As a person reads it; a real number with six digits.
std::string text_of(const Statistics::Value& value) {
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return number_text(*count);
  if (const auto* real = std::get_if<double>(&value)) return number_text(*real, 6);
  return std::get<std::string>(value);
}

bool is_zero(const Statistics::Value& value) {
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return *count == 0;
  if (const auto* real = std::get_if<double>(&value)) return *real == 0;
  return false;
}

}  // namespace

void Statistics::write_text(std::ostream& out, Zeros zeros) const { write_text(out, "", zeros); }

void Statistics::write_text(std::ostream& out, const std::string& prefix, Zeros zeros) const {
  for (const Quantity& quantity : quantities_) {
    if (zeros == Zeros::hidden && is_zero(quantity.value)) continue;
    out << std::left << std::setw(44) << (prefix + quantity.name) << ' ' << std::right << std::setw(16)
        << text_of(quantity.value) << ' ' << std::left << std::setw(10) << (quantity.unit == "1" ? "" : quantity.unit)
        << ' ' << quantity.description << '\n';
  }
  for (const Statistics& group : groups_) group.write_text(out, prefix + group.name_ + ".", zeros);
}

}  // namespace vp
