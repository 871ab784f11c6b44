#include "platform/sweep/effects.h"

#include <algorithm>
#include <set>

#include "platform/sweep/digest.h"
#include "platform/sweep/figure_kind.h"

namespace vp {

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace

void SweepEffects::add(const SweepPoint& point, const Figures& figures) {
  Digest digest;
  for (const Figure& figure : figures)
    if (kind_of_figure(figure.path, figure.repeats) == FigureKind::simulated) {
      digest.add(figure.path);
      digest.add(figure.value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    }
  outcomes_.push_back({point.settings, digest.text()});
}

bool SweepEffects::has_effect(const std::string& name, bool& is_known) const {
  std::map<std::string, std::pair<std::set<std::string>, std::set<std::string>>> alike;  // values and figures
  for (const Outcome& outcome : outcomes_) {
    std::string others, value;
    for (const auto& [one, text] : outcome.settings) (one == name ? value : others) += one + "=" + text + "\n";
    alike[others].first.insert(value);
    alike[others].second.insert(outcome.figures);
  }
  for (const auto& entry : alike) {
    is_known |= entry.second.first.size() > 1;
    if (entry.second.second.size() > 1) return true;
  }
  return false;
}

std::string SweepEffects::sentence() const {
  std::vector<std::string> swept, without;
  std::set<std::string> figures;
  for (const Outcome& outcome : outcomes_) {
    figures.insert(outcome.figures);
    for (const auto& setting : outcome.settings)
      if (std::find(swept.begin(), swept.end(), setting.first) == swept.end()) swept.push_back(setting.first);
  }
  if (outcomes_.size() < 2 || swept.empty()) return "";
  if (figures.size() == 1)
    return "no simulated figure differs between these " + std::to_string(outcomes_.size()) +
           " points: " + listed(swept) + " changed nothing in this run";
  for (const std::string& name : swept) {
    bool is_known = false;
    if (!has_effect(name, is_known) && is_known) without.push_back(name);
  }
  return without.empty() ? "" : listed(without) + " changed no simulated figure of this run";
}

}  // namespace vp
