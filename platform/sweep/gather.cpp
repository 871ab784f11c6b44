#include "platform/sweep/gather.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "models/common/error.h"
#include "platform/files/whole_file.h"

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

using Row = std::map<std::size_t, std::string>;

/// Adds the values of a statistics group and of the groups below it. The group "configuration" at the root holds
/// parameters: their names are full names already and carry no unit.
void add_group(const Json& group, const std::string& prefix, Columns& columns, Row& row) {
  if (group.contains("values")) {
    for (const auto& [name, quantity] : group.at("values").items()) {
      const bool parameter = prefix == "configuration.";
      std::string column = parameter ? name : prefix + name;
      if (!parameter && quantity.contains("unit")) column += " [" + quantity.at("unit").get<std::string>() + "]";
      row[columns.index(column)] = plain_text(quantity.at("value"));
    }
  }
  if (!group.contains("groups")) return;
  for (const auto& [name, below] : group.at("groups").items()) add_group(below, prefix + name + ".", columns, row);
}

Row result_row(const SweepPoint& point, const SweepFolder& folder, Columns& columns) {
  Row row;
  row[columns.index("point")] = point.hash;
  for (const auto& [name, value] : point.settings) row[columns.index(name)] = value;
  std::string& status = row[columns.index("status")];
  if (!folder.is_finished(point.hash)) {
    status = folder.failure(point.hash) ? "failed" : "missing";
    return row;
  }
  status = "finished";
  const std::string path = folder.result_path(point.hash);
  try {
    const Json json = Json::parse(read_file(path));
    row[columns.index("wall_seconds")] = plain_text(json.at("wall_seconds"));
    const Json& statistics = json.at("statistics");
    // Parameters stand before figures, whatever the order of the tree.
    if (statistics.contains("groups") && statistics.at("groups").contains("configuration"))
      add_group(statistics.at("groups").at("configuration"), "configuration.", columns, row);
    add_group(statistics, "", columns, row);
  } catch (const Json::exception&) {
    throw UserError("'" + path + "' is damaged: remove it and start the sweep again");
  }
  return row;
}

}  // namespace

std::string gather_csv(const SweepPlan& plan, const SweepFolder& folder) {
  Columns columns;
  for (const char* name : {"point", "status", "wall_seconds"}) columns.index(name);
  for (const SweepPoint& point : plan.points)
    for (const auto& setting : point.settings) columns.index(setting.first);
  std::vector<Row> rows;
  for (const SweepPoint& point : plan.points) rows.push_back(result_row(point, folder, columns));

  std::string table;
  for (std::size_t c = 0; c < columns.names().size(); ++c) table += (c ? "," : "") + csv_cell(columns.names()[c]);
  table += "\r\n";
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < columns.names().size(); ++c) {
      const auto cell = row.find(c);
      table += (c ? "," : "") + (cell == row.end() ? "" : csv_cell(cell->second));
    }
    table += "\r\n";
  }
  return table;
}

}  // namespace vp
