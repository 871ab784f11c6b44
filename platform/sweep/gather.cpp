#include "platform/sweep/gather.h"

#include <nlohmann/json.hpp>

#include "models/common/error.h"
#include "platform/files/whole_file.h"
#include "platform/report/run_tree.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string plain_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Columns in order of first appearance.
class Columns {
 public:
  std::size_t index(const std::string& name) {
    const auto [at, is_new] = index_.emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return at->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> index_;
};

using Cells = std::vector<std::pair<std::string, std::string>>;

/// Adds the values of a statistics group and of the groups below it. The group "configuration" at the root holds
/// parameters: their names are full names already and carry no unit.
void add_group(const Json& group, const std::string& prefix, Cells& cells) {
  if (group.contains("values")) {
    for (const auto& [name, quantity] : group.at("values").items()) {
      const bool parameter = prefix == std::string(kConfigurationGroup) + ".";
      std::string column = parameter ? name : prefix + name;
      if (!parameter && quantity.contains("unit")) column += " [" + quantity.at("unit").get<std::string>() + "]";
      cells.emplace_back(std::move(column), plain_text(quantity.at("value")));
    }
  }
  if (!group.contains("groups")) return;
  for (const auto& [name, below] : group.at("groups").items()) add_group(below, prefix + name + ".", cells);
}

Cells read_result(const std::string& path) {
  Cells cells;
  try {
    Json json = Json::parse(read_file(path));
    cells.emplace_back("wall_seconds", plain_text(json.at("wall_seconds")));
    Json& statistics = json.at("statistics");
    // Parameters stand before figures, whatever the order of the tree.
    if (statistics.contains("groups") && statistics.at("groups").contains(kConfigurationGroup)) {
      add_group(statistics.at("groups").at(kConfigurationGroup), std::string(kConfigurationGroup) + ".", cells);
      statistics.at("groups").erase(kConfigurationGroup);
    }
    add_group(statistics, "", cells);
  } catch (const Json::exception&) {
    throw UserError("'" + path + "' is damaged: remove it and start the sweep again");
  }
  return cells;
}

}  // namespace

void ResultTable::read(const SweepPoint& point) {
  if (folder_.is_finished(point.hash)) results_[point.hash] = read_result(folder_.result_path(point.hash));
}

std::string ResultTable::csv() {
  Columns columns;
  for (const char* name : {"point", "status", "wall_seconds"}) columns.index(name);
  for (const SweepPoint& point : plan_.points)
    for (const auto& setting : point.settings) columns.index(setting.first);
  std::vector<std::map<std::size_t, std::string>> rows;
  for (const SweepPoint& point : plan_.points) {
    auto& row = rows.emplace_back();
    row[columns.index("point")] = point.hash;
    for (const auto& [name, value] : point.settings) row[columns.index(name)] = value;
    if (results_.count(point.hash) == 0) read(point);
    const auto result = results_.find(point.hash);
    const bool finished = result != results_.end();
    row[columns.index("status")] = finished ? "finished" : folder_.failure(point.hash) ? "failed" : "missing";
    if (!finished) continue;
    for (const auto& [column, text] : result->second) row[columns.index(column)] = text;
  }

  std::string table;
  for (std::size_t c = 0; c < columns.names().size(); ++c) table += (c ? "," : "") + csv_cell(columns.names()[c]);
  table += "\r\n";
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < columns.names().size(); ++c) {
      const auto cell = row.find(c);
      table += (c ? "," : "") + (cell == row.end() ? "" : csv_cell(cell->second));
    }
    table += "\r\n";
  }
  return table;
}

}  // namespace vp
