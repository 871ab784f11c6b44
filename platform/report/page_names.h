#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vp {

/// The names by which the report page finds figures in a run's statistics, as an object for its scripts, which know no
/// other: each comes from the list of the struct that the figure is a member of.
nlohmann::ordered_json page_names();

/// Paths of figures that a run of this version always has and the statistics `tree` lacks, since another version wrote
/// it: the page must not pass over them in silence.
std::vector<std::string> missing_figures(const nlohmann::ordered_json& tree);

}  // namespace vp
