#include "models/common/statistics.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>

#include "models/common/number_text.h"

namespace vp {

/// Builds the JSON form; apart so that the header needs no JSON library.
struct StatisticsJson {
  static nlohmann::ordered_json build(const Statistics& node) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!node.description_.empty()) json["description"] = node.description_;
    for (const auto& quantity : node.quantities_) {
      nlohmann::ordered_json& entry = json["values"][quantity.name];
      std::visit([&entry](const auto& value) { entry["value"] = value; }, quantity.value);
      if (!quantity.unit.empty()) entry["unit"] = quantity.unit;
      entry["description"] = quantity.description;
      if (quantity.repeats == Repeats::never) entry["volatile"] = true;
    }
    for (const Statistics& group : node.groups_) json["groups"][group.name_] = build(group);
    return json;
  }
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

void Statistics::write_json(std::ostream& out) const { out << StatisticsJson::build(*this).dump(2) << '\n'; }

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
