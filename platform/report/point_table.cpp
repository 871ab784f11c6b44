#include "platform/report/point_table.h"

#include <algorithm>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/report/run_tree.h"

namespace vp {

using Json = PointTable::Json;

namespace {

/// A browser should still open the page.
constexpr std::size_t kMostCells = 20'000'000;

/// Whether a parameter's text stands for a number, with or without a unit.
bool is_quantity(const std::string& text) {
  for (const auto parse :
       {+[](const std::string& t) { parse_real(t); }, +[](const std::string& t) { parse_integer(t); },
        +[](const std::string& t) { parse_clock_period(t); }}) {
    try {
      parse(text);
      return true;
    } catch (const UserError&) {
    }
  }
  return false;
}

}  // namespace

void PointTable::add(const Json& tree, std::size_t row) {
  rows_ = std::max(rows_, row + 1);
  add_group(tree, "", row);
}

Json PointTable::json() const {
  Json list = Json::array();
  for (const std::string& path : order_) {
    const Column& column = columns_.at(path);
    Json entry = {
        {"path", path}, {"unit", column.unit}, {"description", column.description}, {"kind", name_of(column.kind)}};
    if (is_constant(column))
      entry["value"] = column.values.begin()->second;
    else
      entry["values"] = dense(column);
    list.push_back(std::move(entry));
  }
  return list;
}

void PointTable::check_axis(const std::string& option, const std::string& name) const {
  const std::string what = option + ": '" + name + "' ";
  if (const auto setting = settings_.find(name); setting != settings_.end()) {
    if (!std::all_of(setting->second.begin(), setting->second.end(), is_quantity))
      throw UserError(what + "has values that are no numbers");
    return;
  }
  const auto column = columns_.find(name);
  if (column == columns_.end()) {
    std::vector<std::string> known = order_;
    for (const auto& setting : settings_) known.push_back(setting.first);
    const std::string nearest = nearest_word(name, known);
    throw UserError(what + "is neither a figure of the points nor a swept parameter" +
                    (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }
  const auto is_number = [](const auto& cell) { return cell.second.is_number(); };
  if (std::none_of(column->second.values.begin(), column->second.values.end(), is_number) ||
      name.rfind(std::string(kConfigurationGroup) + ".", 0) == 0)
    throw UserError(what + "is no number");
  if (is_constant(column->second)) throw UserError(what + "is the same at every point");
}

void PointTable::add_group(const Json& group, const std::string& prefix, std::size_t row) {
  if (group.contains("values"))
    for (const auto& [name, quantity] : group.at("values").items()) {
      const auto [at, is_new] = columns_.emplace(prefix + name, Column());
      if (is_new) {
        order_.push_back(prefix + name);
        at->second.unit = quantity.value("unit", "");
        at->second.description = quantity.value("description", "");
        at->second.kind = kind_of_figure(prefix + name, quantity);
      }
      at->second.values[row] = quantity.at("value");
      if (++cells_ > kMostCells) throw UserError("the sweep is too large for one report");
    }
  if (group.contains("groups"))
    for (const auto& [name, below] : group.at("groups").items()) add_group(below, prefix + name + ".", row);
}

bool PointTable::is_constant(const Column& column) const {
  if (column.values.size() != rows_) return false;
  for (const auto& [row, value] : column.values)
    if (value != column.values.begin()->second) return false;
  return true;
}

Json PointTable::dense(const Column& column) const {
  Json values = Json::array();
  for (std::size_t row = 0; row < rows_; ++row) {
    const auto at = column.values.find(row);
    values.push_back(at == column.values.end() ? Json(nullptr) : at->second);
  }
  return values;
}

}  // namespace vp
