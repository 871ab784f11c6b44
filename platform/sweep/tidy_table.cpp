#include "platform/sweep/tidy_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/report/run_tree.h"
#include "platform/sweep/constraint.h"

namespace vp {

using Json = TidyTable::Json;

namespace {

bool is_formula(const std::string& text) {
  if (text.empty() || std::string("=+-@\t\r").find(text.front()) == std::string::npos) return false;
  return text.size() > 1 || text == "=" || text == "@";  // "-" alone is the standard stream
}

std::string csv_text(std::string text) {
  if (is_formula(text) && !number_of(text)) text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_cell(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv_text(value.get<std::string>()) : value.dump();
}

std::string title(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

/// The unit of the number that number_of() makes of a text.
std::string unit_of(const std::string& text) {
  if (text.size() > 2 && text.compare(text.size() - 2, 2, "iB") == 0) return "bytes";
  const char last = text.empty() ? ' ' : text.back();
  return (last == 's' || last == 'z') && text.compare(0, 2, "0x") != 0 ? "ps" : "";
}

bool is_boolean(const std::string& text) { return text == "true" || text == "false"; }

/// Whole numbers stay exact.
Json number_in(const std::string& text) {
  try {
    return parse_integer(text);
  } catch (const UserError&) {
  }
  const double number = *number_of(text);
  const bool whole = number >= 0 && number < 9e15 && std::floor(number) == number;
  return whole ? Json(static_cast<std::uint64_t>(number)) : Json(number);
}

}  // namespace

std::size_t TidyTable::column(const std::string& key, Column made) {
  // Nearly all lines have the same columns in the same order.
  const std::size_t place = rows_.back().size();
  if (place < latest_.size() && columns_[latest_[place]].key == key) return latest_[place];
  const auto [at, is_new] = index_.emplace(key, columns_.size());
  if (is_new) {
    columns_.push_back(std::move(made));
    columns_.back().key = key;
  }
  if (place >= latest_.size()) latest_.resize(place + 1);
  return latest_[place] = at->second;
}

void TidyTable::add(const std::string& name, const std::string& unit, Json value) {
  rows_.back().emplace_back(column(title(name, unit), {name, unit}), std::move(value));
}

void TidyTable::add_parameter(const std::string& name, const std::string& text) {
  rows_.back().emplace_back(column("\n" + name, {name, "", true}), text);
}

void TidyTable::add_figures(const Figures& figures) {
  const std::string parameters = std::string(kConfigurationGroup) + ".";
  const auto is_parameter = [&](const Figure& figure) {
    return figure.path.compare(0, parameters.size(), parameters) == 0;
  };
  for (const Figure& figure : figures)
    if (is_parameter(figure) && figure.value.is_string())
      add_parameter(figure.path.substr(parameters.size()), figure.value.get<std::string>());
  for (const Figure& figure : figures)
    if (!is_parameter(figure)) add(figure.path, figure.unit, figure.value);
}

void TidyTable::order(const std::vector<std::size_t>& rows) {
  std::vector<Row> ordered;
  ordered.reserve(rows.size());
  for (const std::size_t row : rows) ordered.push_back(std::move(rows_[row]));
  rows_ = std::move(ordered);
}

void TidyTable::choose(const std::vector<std::string>& names) {
  const std::vector<Settled> columns = settle();
  std::vector<std::string> known;
  for (const Settled& one : columns) known.push_back(columns_[one.index].name);
  for (const std::string& name : names) {
    const std::size_t before = chosen_.size();
    const bool many = !name.empty() && name.back() == '*';
    for (const Settled& one : columns) {
      const bool fits = many ? columns_[one.index].name.compare(0, name.size() - 1, name, 0, name.size() - 1) == 0
                             : columns_[one.index].name == name || one.title == name;
      if (fits) chosen_.push_back(one.index);
    }
    if (chosen_.size() > before) continue;
    const std::string nearest = nearest_word(name, known);
    throw UserError("there is no column '" + name.substr(0, 80) + "'" +
                    (nearest.empty() ? "" : ": did you mean '" + nearest + "'?"));
  }
  all_ = false;
}

std::vector<TidyTable::Settled> TidyTable::settle() const {
  std::vector<Settled> settled;
  std::vector<std::size_t> place(columns_.size(), columns_.size());  // in `settled`
  std::vector<std::string> units(columns_.size());
  std::vector<const Json*> before(columns_.size(), nullptr);  // nearly all lines have the same parameters
  for (const Row& row : rows_)
    for (const auto& [index, value] : row) {
      const bool is_new = place[index] == columns_.size();
      if (is_new) {
        place[index] = settled.size();
        settled.push_back({index, "", columns_[index].parameter});
      }
      Settled& column = settled[place[index]];
      if (!column.number || (before[index] && *before[index] == value)) continue;
      before[index] = &value;
      const std::string text = value.get<std::string>();
      column.number = !is_boolean(text) && number_of(text).has_value() && (is_new || units[index] == unit_of(text));
      units[index] = unit_of(text);
    }
  for (Settled& one : settled) {
    const Column& column = columns_[one.index];
    one.title = title(column.name, one.number ? units[one.index] : column.unit);
  }
  if (all_) return settled;
  std::vector<Settled> chosen;
  for (const std::size_t index : chosen_)
    for (const Settled& one : settled)
      if (one.index == index) chosen.push_back(one);
  return chosen;
}

template <typename Use>
void TidyTable::each_row(Use use) const {
  std::vector<const Json*> dense;
  for (const Row& row : rows_) {
    dense.assign(columns_.size(), nullptr);
    for (const auto& [index, value] : row) dense[index] = &value;
    use(dense);
  }
}

Json TidyTable::cell(const std::vector<const Json*>& dense, const Settled& column) const {
  const Json* const value = dense[column.index];
  if (!value) return nullptr;
  if (!columns_[column.index].parameter) return *value;
  const std::string text = value->get<std::string>();
  if (column.number) return number_in(text);
  return is_boolean(text) ? Json(text == "true") : Json(text);
}

std::string TidyTable::csv() const {
  const std::vector<Settled> columns = settle();
  std::string table;
  for (const Settled& one : columns) table += (table.empty() ? "" : ",") + csv_text(one.title);
  table += "\r\n";
  // Of the line before: most texts are the same again.
  std::vector<std::pair<const Json*, std::string>> cells(columns.size(), {nullptr, ""});
  each_row([&](const std::vector<const Json*>& dense) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Json* const value = dense[columns[i].index];
      const bool same = value && value->is_string() && cells[i].first && *value == *cells[i].first;
      if (!same) cells[i] = {value, csv_cell(cell(dense, columns[i]))};
      if (i > 0) table += ',';
      table += cells[i].second;
    }
    table += "\r\n";
  });
  return table;
}

std::string TidyTable::json_lines() const {
  const std::vector<Settled> columns = settle();
  std::string lines;
  each_row([&](const std::vector<const Json*>& dense) {
    Json line = Json::object();
    for (const Settled& one : columns) line[one.title] = cell(dense, one);
    lines += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  });
  return lines;
}

}  // namespace vp
