#include "platform/sweep/figure_kind.h"

#include "platform/report/run_tree.h"

namespace vp {

FigureKind kind_of_figure(const std::string& path, const nlohmann::ordered_json& quantity) {
  const auto mark = quantity.find("volatile");
  return kind_of_figure(path, mark == quantity.end() || *mark != true);
}

FigureKind kind_of_figure(const std::string& path, bool repeats) {
  if (!repeats) return FigureKind::of_run;
  const std::string group = path.substr(0, path.find('.'));
  if (group == kConfigurationGroup || group == "cost") return FigureKind::setting;
  return ("." + path).find(".ideal.") != std::string::npos ? FigureKind::bound : FigureKind::simulated;
}

const char* name_of(FigureKind kind) {
  switch (kind) {
    case FigureKind::simulated:
      return "simulated";
    case FigureKind::bound:
      return "bound";
    case FigureKind::setting:
      return "setting";
    case FigureKind::of_run:
      return "of_run";
  }
  return "";
}

}  // namespace vp
