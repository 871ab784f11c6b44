#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/sweep/sweep_folder.h"

namespace vp {

// Reading of what reports are made of, which may come from anywhere. Everything throws UserError in one sentence.

/// Of the documents that are made for the page.
inline constexpr const char* kReportSchema = "tinytpu-vp-report-1";
/// Of the result of a sweep's point.
inline constexpr const char* kPointSchema = "tinytpu-vp-sweep-point-1";

/// "'path' why"; `why` may quote the file: kept to one line of bounded length.
[[noreturn]] void refuse(const std::string& path, std::string why);

/// A JSON file. Deep nesting would exhaust the parser's stack long before a statistics tree gets so deep.
nlohmann::ordered_json parse_json(const std::string& path);

/// Refuses what is not a statistics tree of groups and quantities, naming the first thing that does not belong there.
void check_tree(const nlohmann::ordered_json& tree, const std::string& path);

/// The result of a finished point, with its statistics checked.
nlohmann::ordered_json read_point(const SweepFolder& folder, const SweepPoint& point);

/// The statistics of one run: a --stats file, or the result of a point.
nlohmann::ordered_json read_statistics(const std::string& path);

/// A folder's or a file's name without the way to it.
std::string short_name(const std::string& path);

/// Settings as an object.
nlohmann::ordered_json to_json(const Settings& settings);

}  // namespace vp
