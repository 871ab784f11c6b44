#include "platform/sweep/plan.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

#include "models/common/error.h"
#include "platform/files/whole_file.h"
#include "platform/sweep/words.h"

namespace vp {

namespace {

constexpr std::size_t kMostPoints = 1'000'000;

/// FNV-1a over 64 bits with a final mix. It only has to tell the points of one folder apart; a result file also holds
/// its settings.
class Hasher {
 public:
  void add(const std::string& text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(0);  // so that {"ab", "c"} and {"a", "bc"} differ
  }
  std::string text() const {
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccdULL;
    mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    mixed ^= mixed >> 33;
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(mixed >> shift) & 15];
    return digits;
  }

 private:
  void add(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// Contents of input files as short digests, each file read once for all points.
class InputDigests {
 public:
  std::vector<std::string> of(const std::vector<std::string>& paths) {
    std::vector<std::string> digests;
    for (const std::string& path : paths) {
      std::string& digest = digests_[path];
      if (digest.empty()) {
        Hasher hasher;
        hasher.add(read_file(path));
        digest = hasher.text();
      }
      digests.push_back(digest);
    }
    return digests;
  }

 private:
  std::map<std::string, std::string> digests_;
};

std::pair<std::string, std::string> parse_assignment(const std::string& word, const char* expected) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) throw UserError("'" + word + "': expected " + expected);
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

std::size_t count_points(const SweepRequest& request) {
  std::size_t count = request.listed.empty() ? 1 : request.listed.size();
  for (const SweepAxis& axis : request.axes) {
    if (count > kMostPoints / axis.values.size())
      throw UserError("the sweep has more than " + std::to_string(kMostPoints) + " points");
    count *= axis.values.size();
  }
  return count;
}

/// Combination `index` of one listed point with the grid, the last axis changing fastest.
Settings combination(const SweepRequest& request, std::size_t index) {
  Settings grid(request.axes.size());
  for (std::size_t i = request.axes.size(); i-- > 0;) {
    const SweepAxis& axis = request.axes[i];
    grid[i] = {axis.name, axis.values[index % axis.values.size()]};
    index /= axis.values.size();
  }
  Settings settings = request.listed.empty() ? Settings() : request.listed[index];
  settings.insert(settings.end(), grid.begin(), grid.end());
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

}  // namespace

std::string describe(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text.empty() ? "no settings" : text;
}

SweepAxis parse_axis(const std::string& text) {
  auto [name, list] = parse_assignment(text, "name=value,value,...");
  SweepAxis axis{name, split_list(list)};
  for (const std::string& value : axis.values)
    if (value.empty()) throw UserError(name + ": a value of the list is empty");
  return axis;
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
        point.push_back(parse_assignment(word, "name=value"));
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

std::string point_hash(const std::vector<std::string>& command, const Settings& changed,
                       const std::vector<std::string>& input_contents) {
  Hasher hasher;
  for (const std::string& word : command) hasher.add(word);
  for (const auto& [name, value] : changed) hasher.add(name + "=" + value);
  for (const std::string& content : input_contents) hasher.add(content);
  return hasher.text();
}

SweepPlan make_plan(const SweepRequest& request, const ResolvePoint& resolve) {
  refuse_repeated_names(request);
  SweepPlan plan;
  plan.command = request.command;
  std::set<std::string> seen;
  InputDigests digests;
  SweptEffects effects;
  const std::size_t count = count_points(request);
  for (std::size_t i = 0; i < count; ++i) {
    SweepPoint point;
    point.settings = combination(request, i);
    try {
      const ResolvedPoint machine = resolve(point.settings);
      effects.add(point.settings, machine);
      point.hash = point_hash(request.command, machine.changed, digests.of(machine.inputs));
    } catch (const UserError& error) {
      throw UserError("point " + describe(point.settings) + ": " + error.what());
    }
    if (seen.insert(point.hash).second)
      plan.points.push_back(std::move(point));
    else
      ++plan.duplicates;
  }
  effects.refuse_idle();
  return plan;
}

}  // namespace vp
