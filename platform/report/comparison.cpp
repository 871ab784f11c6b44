#include "platform/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/report/point_table.h"
#include "platform/report/report_input.h"
#include "platform/report/run_tree.h"
#include "platform/sweep/figure_kind.h"
#include "platform/sweep/words.h"

namespace vp {

using Json = Comparison::Json;

namespace {

/// Changes listed in the summary of two runs.
constexpr std::size_t kListed = 12;

struct Quantity {
  std::string unit;
  Json value;
};

/// Figures of a tree by path, in its order; those of one run only are left out.
class FlatTree {
 public:
  explicit FlatTree(const Json& tree) { add(tree, ""); }
  const std::vector<std::string>& order() const { return order_; }
  const Quantity* find(const std::string& path) const {
    const auto at = quantities_.find(path);
    return at == quantities_.end() ? nullptr : &at->second;
  }

 private:
  void add(const Json& group, const std::string& prefix) {
    if (group.contains("values"))
      for (const auto& [name, quantity] : group.at("values").items())
        if (kind_of_figure(prefix + name, quantity) != FigureKind::of_run &&
            quantities_.emplace(prefix + name, Quantity{quantity.value("unit", ""), quantity.at("value")}).second)
          order_.push_back(prefix + name);
    if (group.contains("groups"))
      for (const auto& [name, below] : group.at("groups").items()) add(below, prefix + name + ".");
  }
  std::vector<std::string> order_;
  std::map<std::string, Quantity> quantities_;
};

std::string shown(const Json& value) {
  if (value.is_null()) return "none";
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return without_controls(text.size() > 60 ? text.substr(0, 60) + "..." : text);
}

std::string percent(double change) {
  std::ostringstream text;
  text.precision(4);
  text << std::showpos << 100 * change << " %";
  return text.str();
}

/// Finished points by what identifies them in both folders; of several with the same settings the last one counts.
std::vector<std::pair<std::string, std::pair<Settings, std::string>>> points_of(const SweepFolder& folder,
                                                                                bool with_command) {
  std::vector<std::pair<std::string, std::pair<Settings, std::string>>> points;
  for (const SweepJob& job : folder.read_jobs())
    for (const SweepPoint& point : job.plan.points) {
      if (!folder.is_finished(point.hash)) continue;
      Settings settings = point.settings;
      if (with_command) settings.emplace_back("command", shell_quoted(job.plan.command));
      Settings sorted = settings;
      std::sort(sorted.begin(), sorted.end());
      std::string key;
      for (const auto& [name, value] : sorted) key += name + "=" + value + "\n";
      points.erase(std::remove_if(points.begin(), points.end(), [&](const auto& one) { return one.first == key; }),
                   points.end());
      points.push_back({key, {settings, folder.result_path(point.hash)}});
    }
  return points;
}

std::size_t commands_of(const SweepFolder& folder) {
  std::set<std::vector<std::string>> commands;
  for (const SweepJob& job : folder.read_jobs()) commands.insert(job.plan.command);
  return commands.size();
}

}  // namespace

std::optional<double> Comparison::Figure::change() const {
  if (!a.is_number() || !b.is_number() || a.get<double>() == 0) return std::nullopt;
  return (b.get<double>() - a.get<double>()) / a.get<double>();
}

bool Comparison::fits(const std::vector<std::string>& inputs) {
  if (inputs.size() != 2) return false;
  const bool folder = std::filesystem::is_directory(inputs[0]);
  if (folder != std::filesystem::is_directory(inputs[1])) return false;
  if (folder) return true;
  for (const std::string& path : inputs) {
    const Json json = parse_json(path);
    const bool is_point = json.is_object() && json.contains("schema") && json.at("schema") == kPointSchema;
    const bool is_statistics =
        json.is_object() && !json.contains("schema") && (json.contains("groups") || json.contains("values"));
    if (!is_point && !is_statistics) return false;
  }
  return true;
}

Comparison::Comparison(const std::string& a, const std::string& b) : names_{short_name(a), short_name(b)} {
  if (names_[0] == names_[1]) names_[0] = a, names_[1] = b;
  sweeps_ = std::filesystem::is_directory(a);
  if (sweeps_)
    add_sweeps(a, b);
  else
    add({}, read_statistics(a), read_statistics(b));
}

void Comparison::add_sweeps(const std::string& a, const std::string& b) {
  const SweepFolder folders[2] = {SweepFolder(a), SweepFolder(b)};
  const bool with_command = commands_of(folders[0]) > 1 || commands_of(folders[1]) > 1;
  const auto left = points_of(folders[0], with_command), right = points_of(folders[1], with_command);
  std::map<std::string, std::string> files;
  for (const auto& [key, point] : right) files[key] = point.second;
  for (const auto& [key, point] : left) {
    const auto partner = files.find(key);
    if (partner == files.end()) {
      only_[0].push_back(describe(point.first));
      continue;
    }
    add(point.first, read_statistics(point.second), read_statistics(partner->second));
    files.erase(partner);
  }
  for (const auto& [key, point] : right)
    if (files.count(key)) only_[1].push_back(describe(point.first));
  if (pairs_.empty()) throw UserError("the sweeps '" + a + "' and '" + b + "' have no finished point in common");
}

void Comparison::add(Settings settings, Json a, Json b) {
  Pair pair{std::move(settings), std::move(a), std::move(b), {}, {}, 0};
  const FlatTree left(pair.a), right(pair.b);
  std::vector<std::string> order = left.order();
  for (const std::string& path : right.order())
    if (!left.find(path)) order.push_back(path);
  const std::string configuration = std::string(kConfigurationGroup) + ".";
  for (const std::string& path : order) {
    const Quantity *const one = left.find(path), *const other = right.find(path);
    Figure figure{path, one ? one->unit : other->unit, one ? one->value : Json(), other ? other->value : Json()};
    const bool is_parameter = path.compare(0, configuration.size(), configuration) == 0;
    if (is_parameter) figure.path = path.substr(configuration.size());
    if (figure.a == figure.b)
      pair.equal += !is_parameter;
    else
      (is_parameter ? pair.parameters : pair.differing).push_back(std::move(figure));
  }
  pairs_.push_back(std::move(pair));
}

std::string Comparison::summary() const {
  std::ostringstream out;
  for (const Pair& pair : pairs_) {
    if (sweeps_) out << without_controls(describe(pair.settings)) << ": ";
    out << pair.equal << " figures equal, " << pair.differing.size() << " differ\n";
    if (pairs_.size() > kListed && &pair - pairs_.data() + 1 == static_cast<std::ptrdiff_t>(kListed)) {
      out << "... and " << counted(pairs_.size() - kListed, "more point") << '\n';
      break;
    }
  }
  for (const int side : {0, 1})
    if (!only_[side].empty())
      out << counted(only_[side].size(), "point") << " only in " << without_controls(names_[side]) << '\n';
  if (sweeps_) return out.str();
  for (const Figure& figure : pairs_.front().parameters)
    out << "  " << without_controls(figure.path) << ": " << shown(figure.a) << " -> " << shown(figure.b) << '\n';
  std::vector<Figure> largest = pairs_.front().differing;
  std::stable_sort(largest.begin(), largest.end(), [](const Figure& x, const Figure& y) {
    return std::abs(x.change().value_or(INFINITY)) > std::abs(y.change().value_or(INFINITY));
  });
  for (std::size_t i = 0; i < std::min(largest.size(), kListed); ++i) {
    const Figure& one = largest[i];
    out << "  " << without_controls(one.path) << ": " << shown(one.a) << " -> " << shown(one.b)
        << (one.unit.empty() || one.unit == "1" ? "" : " " + without_controls(one.unit));
    if (one.change()) out << " (" << percent(*one.change()) << ")";
    out << '\n';
  }
  if (largest.size() > kListed) out << "  ... and " << largest.size() - kListed << " more\n";
  return out.str();
}

TidyTable Comparison::table() const {
  TidyTable table;
  for (const Pair& pair : pairs_)
    for (const Figure& figure : pair.differing) {
      table.begin_row();
      for (const auto& [name, value] : pair.settings) table.add_parameter(name, value);
      table.add("figure", "", figure.path);
      table.add("unit", "", figure.unit == "1" ? "" : figure.unit);
      table.add("a", "", figure.a);
      table.add("b", "", figure.b);
      table.add("change", "%", figure.change() ? Json(100 * *figure.change()) : Json());
    }
  return table;
}

Json Comparison::document() const {
  PointTable tables[2];
  Json pairs = Json::array();
  for (const Pair& pair : pairs_) {
    tables[0].add(pair.a, pairs.size());
    tables[1].add(pair.b, pairs.size());
    pairs.push_back({{"settings", to_json(pair.settings)}});
  }
  Json sides = Json::array();
  for (const int side : {0, 1})
    sides.push_back({{"name", names_[side]}, {"columns", tables[side].json()}, {"only", only_[side]}});
  return {{"schema", kReportSchema}, {"kind", "compare"}, {"source", names_[0] + " and " + names_[1]},
          {"sweeps", sweeps_},       {"pairs", pairs},    {"sides", sides},
          {"missing", Json::array()}};
}

}  // namespace vp
