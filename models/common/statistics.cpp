#include "models/common/statistics.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <vector>

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
    }
    for (const Statistics& group : node.groups_) json["groups"][group.name_] = build(group);
    return json;
  }
};

Statistics& Statistics::group(const std::string& name, const std::string& description) {
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

void Statistics::add(const std::string& name, std::uint64_t value, const std::string& unit,
                     const std::string& description, Repeats repeats) {
  quantities_.push_back({name, value, unit, description, repeats});
}

void Statistics::add(const std::string& name, double value, const std::string& unit, const std::string& description,
                     Repeats repeats) {
  quantities_.push_back({name, value, unit, description, repeats});
}

void Statistics::add(const std::string& name, const std::string& value, const std::string& description,
                     Repeats repeats) {
  quantities_.push_back({name, value, "", description, repeats});
}

std::vector<std::string> Statistics::volatile_paths() const {
  std::vector<std::string> paths;
  add_volatile_paths("", paths);
  return paths;
}

void Statistics::add_volatile_paths(const std::string& prefix, std::vector<std::string>& paths) const {
  for (const Quantity& quantity : quantities_)
    if (quantity.repeats == Repeats::never) paths.push_back(prefix + quantity.name);
  for (const Statistics& group : groups_) group.add_volatile_paths(prefix + group.name_ + ".", paths);
}

void Statistics::write_json(std::ostream& out) const { out << StatisticsJson::build(*this).dump(2) << '\n'; }

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
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
    out << std::left << std::setw(44) << (prefix + quantity.name) << ' ' << std::right << std::setw(16);
    std::visit([&out](const auto& value) { out << value; }, quantity.value);
    out << ' ' << std::left << std::setw(10) << (quantity.unit == "1" ? "" : quantity.unit) << ' '
        << quantity.description << '\n';
  }
  for (const Statistics& group : groups_) group.write_text(out, prefix + group.name_ + ".", zeros);
}

void Statistics::write_summary(std::ostream& out) const {
  constexpr std::size_t kLineWidth = 120;
  std::vector<SummaryRow> rows;
  summarize(rows, name_);
  std::size_t width = 0;
  for (const SummaryRow& row : rows) width = std::max(width, row.path.size() + 2);
  for (const SummaryRow& row : rows) {
    std::string line = row.path + std::string(width - row.path.size(), ' ');
    bool first = true;
    for (const std::string& item : row.items) {
      if (!first) line += ',';
      if (!first && line.size() + 1 + item.size() >= kLineWidth) {
        out << line << '\n';
        line = std::string(width, ' ');
      } else if (!first) {
        line += ' ';
      }
      line += item;
      first = false;
    }
    out << line << '\n';
  }
}

void Statistics::summarize(std::vector<SummaryRow>& rows, const std::string& path) const {
  SummaryRow row{path, {}};
  for (const Quantity& quantity : quantities_) {
    if (is_zero(quantity.value)) continue;
    std::ostringstream item;
    item << quantity.name << ' ';
    std::visit([&item](const auto& value) { item << value; }, quantity.value);
    // "cycles 7", not "cycles 7 cycles"
    if (!quantity.unit.empty() && quantity.unit != "1" && !ends_with(quantity.name, quantity.unit))
      item << ' ' << quantity.unit;
    row.items.push_back(item.str());
  }
  if (!row.items.empty()) rows.push_back(std::move(row));
  for (const Statistics& group : groups_) group.summarize(rows, path.empty() ? group.name_ : path + '.' + group.name_);
}

}  // namespace vp
