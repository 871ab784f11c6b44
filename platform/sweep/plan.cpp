#include "platform/sweep/plan.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/sweep/digest.h"
#include "platform/sweep/words.h"

namespace vp {

namespace {

/// Options of `run` that a sweep may give other values at each point.
constexpr const char* kOptionAxes[] = {kMachineAxis, "network", "workload", "batch", "layout", "mover", "feed-gap"};

std::pair<std::string, std::string> parse_assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) throw UserError("'" + word.substr(0, 80) + "': expected name=value");
  return {word.substr(0, equals), word.substr(equals + 1)};
}

void refuse_repeated_names(const SweepRequest& request) {
  std::set<std::string> swept;
  for (const SweepAxis& axis : request.axes)
    if (!swept.insert(axis.name).second) throw UserError("--set: " + axis.name + " is swept twice");
  for (const Settings& point : request.listed)
    for (const auto& setting : point)
      if (swept.count(setting.first)) throw UserError(setting.first + " is set both by --set and in the points file");
}

/// Numbers of values: of the listed points, then of each axis.
std::vector<std::size_t> grid_sizes(const SweepRequest& request) {
  std::vector<std::size_t> sizes = {std::max<std::size_t>(1, request.listed.size())};
  for (const SweepAxis& axis : request.axes) sizes.push_back(axis.values.size());
  return sizes;
}

Settings combination(const SweepRequest& request, const GridIndex& index) {
  Settings settings = request.listed.empty() ? Settings() : request.listed[index[0]];
  for (std::size_t i = 0; i < request.axes.size(); ++i)
    settings.emplace_back(request.axes[i].name, request.axes[i].values[index[i + 1]]);
  return settings;
}

/// Notes which swept parameters matter, point by point.
class SweptEffects {
 public:
  void add(const Settings& settings, const ResolvedPoint& point) {
    for (const auto& setting : settings) {
      const auto idle = std::find_if(point.without_effect.begin(), point.without_effect.end(),
                                     [&](const auto& one) { return one.first == setting.first; });
      if (idle == point.without_effect.end())
        effective_.insert(setting.first);
      else
        reasons_[setting.first] = idle->second;
    }
  }
  void refuse_idle() const {
    for (const auto& [name, why] : reasons_)
      if (!effective_.count(name)) throw UserError("sweep: " + name + " changes nothing at any point: " + why);
  }

 private:
  std::set<std::string> effective_;
  std::map<std::string, std::string> reasons_;
};

/// Collects the points that are valid and new.
class Planner {
 public:
  Planner(const SweepRequest& request, const SimulatorIdentity& simulator, const ResolvePoint& resolve)
      : request_(request), simulator_(simulator), resolve_(resolve) {
    plan_.command = request.command;
  }

  /// Whether the point counts.
  bool add(const GridIndex& index) {
    SweepPoint point;
    point.settings = combination(request_, index);
    try {
      const ResolvedPoint machine = resolve_(point.settings);
      if (machine.excluded) {
        ++plan_.excluded;
        return false;
      }
      effects_.add(point.settings, machine);
      point.inputs = digest_of(machine.inputs);
      point.hash = point_hash(simulator_, words_of_point(request_.command, options_of(point.settings)), machine.changed,
                              point.inputs);
    } catch (const UserError& error) {
      throw UserError("point " + describe(point.settings) + ": " + error.what());
    }
    if (!seen_.insert(point.hash).second) {
      ++plan_.duplicates;
      return false;
    }
    plan_.points.push_back(std::move(point));
    return true;
  }

  /// Throws UserError for a swept parameter that mattered at none of them.
  SweepPlan take() {
    effects_.refuse_idle();
    return std::move(plan_);
  }

 private:
  std::string digest_of(const std::vector<std::string>& files) {
    if (files.empty()) return "";
    Digest digest;
    for (const std::string& file : files) digest.add(files_.of(file));
    return digest.text();
  }
  /// Machines are told apart by what they are, not by the name of their file.
  static Settings options_of(const Settings& settings) {
    Settings options;
    for (const auto& setting : settings)
      if (is_option_axis(setting.first) && setting.first != kMachineAxis) options.push_back(setting);
    return options;
  }

  const SweepRequest& request_;
  const SimulatorIdentity& simulator_;
  const ResolvePoint& resolve_;
  FileDigests files_;
  std::set<std::string> seen_;
  SweptEffects effects_;
  SweepPlan plan_;
};

void add_grid(const std::vector<std::size_t>& sizes, Planner& planner) {
  std::size_t count = 1;
  for (const std::size_t size : sizes) {
    if (count > kMostPoints / size)
      throw UserError("the sweep has more than " + std::to_string(kMostPoints) + " points (--sample N takes some)");
    count *= size;
  }
  GridIndex index(sizes.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (std::size_t axis = sizes.size(); axis-- > 0; rest /= sizes[axis]) index[axis] = rest % sizes[axis];
    planner.add(index);
  }
}

/// A combination that is drawn again is no duplicate that the user need hear of.
void add_sample(const std::vector<std::size_t>& sizes, const Sampling& sampling, Planner& planner) {
  std::set<GridIndex> drawn;
  sample_grid(sizes, sampling,
              [&](const GridIndex& index) { return drawn.insert(index).second && planner.add(index); });
}

}  // namespace

bool is_option_axis(const std::string& name) {
  return name == kProgramAxis ||
         std::find(std::begin(kOptionAxes), std::end(kOptionAxes), name) != std::end(kOptionAxes);
}

std::vector<std::string> words_of_point(const std::vector<std::string>& command, const Settings& settings) {
  std::vector<std::string> words = {command.front()};
  for (const auto& [name, value] : settings)
    if (is_option_axis(name) && name != kProgramAxis) words.insert(words.end(), {"--" + name, value});
  words.insert(words.end(), command.begin() + 1, command.end());
  for (const auto& [name, value] : settings)
    if (name == kProgramAxis) words.push_back(value);
  return words;
}

std::string describe(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text.empty() ? "no settings" : text;
}

std::vector<Settings> parse_points(const std::string& text, const std::string& source) {
  std::vector<Settings> points;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      Settings point;
      std::set<std::string> names;
      for (const std::string& word : split_words(line)) {
        point.push_back(parse_assignment(word));
        if (!names.insert(point.back().first).second) throw UserError(point.back().first + " is set twice");
      }
      if (!point.empty()) points.push_back(std::move(point));
    } catch (const UserError& error) {
      throw UserError(source + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  if (points.empty()) throw UserError("'" + source + "' holds no point");
  return points;
}

std::string point_hash(const SimulatorIdentity& simulator, const std::vector<std::string>& command,
                       const Settings& changed, const std::string& inputs) {
  Digest digest;
  digest.add(simulator.version);
  digest.add(simulator.build);
  for (const std::string& word : command) digest.add(word);
  for (const auto& [name, value] : changed) digest.add(name + "=" + value);
  digest.add(inputs);
  return digest.text();
}

SweepPlan make_plan(const SweepRequest& request, const SimulatorIdentity& simulator, const ResolvePoint& resolve) {
  refuse_repeated_names(request);
  Planner planner(request, simulator, resolve);
  if (request.sampling)
    add_sample(grid_sizes(request), *request.sampling, planner);
  else
    add_grid(grid_sizes(request), planner);
  SweepPlan plan = planner.take();
  if (plan.points.empty())
    throw UserError("the conditions of --where leave none of " + counted(plan.excluded, "point"));
  return plan;
}

}  // namespace vp
