#include "platform/report/report_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "models/common/error.h"
#include "platform/report/comparison.h"
#include "platform/report/page_names.h"
#include "platform/report/report_input.h"
#include "platform/report/sweep_document.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kTimelineSchema = "tinytpu-vp-timeline-1";
/// A browser should still open the page.
constexpr std::size_t kMostSpans = 2'000'000;

bool is_span(const Json& span, std::uint64_t earliest) {
  return span.is_array() && span.size() == 3 && span[0].is_number_unsigned() && span[1].is_number_unsigned() &&
         span[2].is_string() && span[0].get<std::uint64_t>() >= earliest &&
         span[1].get<std::uint64_t>() >= span[0].get<std::uint64_t>();
}

bool is_mark(const Json& mark, std::uint64_t earliest) {
  return mark.is_array() && mark.size() == 2 && mark[0].is_number_unsigned() && mark[1].is_string() &&
         mark[0].get<std::uint64_t>() >= earliest;
}

/// Returns how many there are.
std::size_t check_marks(const Json& track, const std::string& path) {
  if (!track.contains("marks")) return 0;
  const std::string place = "is not a timeline: track '" + track.at("name").get<std::string>() + "' ";
  if (!track.at("marks").is_array()) refuse(path, place + "has marks that are no list");
  if (track.contains("more_marks") && !track.at("more_marks").is_number_unsigned())
    refuse(path, place + "has a more_marks that is no number");
  std::uint64_t earliest = 0;
  for (const Json& mark : track.at("marks")) {
    if (!is_mark(mark, earliest))
      refuse(path, place + "holds " + mark.dump() + " instead of [time_ps, \"text\"] in the order of time");
    earliest = mark[0].get<std::uint64_t>();
  }
  return track.at("marks").size();
}

void check_timeline(const Json& timeline, const std::string& path) {
  if (!timeline.contains("end_ps") || !timeline.at("end_ps").is_number_unsigned() || !timeline.contains("tracks") ||
      !timeline.at("tracks").is_array())
    refuse(path, "is not a timeline: it lacks end_ps or tracks");
  std::size_t spans = 0;
  for (const Json& track : timeline.at("tracks")) {
    if (!track.is_object() || !track.contains("name") || !track.at("name").is_string() || !track.contains("spans") ||
        !track.at("spans").is_array())
      refuse(path, "is not a timeline: a track lacks name or spans");
    std::uint64_t earliest = 0;
    for (const Json& span : track.at("spans")) {
      if (!is_span(span, earliest))
        refuse(path, "is not a timeline: track '" + track.at("name").get<std::string>() + "' holds " + span.dump() +
                         " instead of [start_ps, end_ps, \"state\"] in the order of time");
      earliest = span[1].get<std::uint64_t>();
    }
    spans += track.at("spans").size() + check_marks(track, path);
  }
  if (spans > kMostSpans) refuse(path, "holds more than " + std::to_string(kMostSpans) + " spans");
}

/// Spans as flat numbers [start, end, state, …] with the states by name once: a third of the size.
Json compact_timeline(const Json& timeline) {
  std::map<std::string, std::size_t> index;
  Json states = Json::array();
  Json tracks = Json::array();
  for (const Json& track : timeline.at("tracks")) {
    Json spans = Json::array();
    for (const Json& span : track.at("spans")) {
      const auto [at, is_new] = index.emplace(span[2].get<std::string>(), states.size());
      if (is_new) states.push_back(span[2]);
      spans.push_back(span[0]);
      spans.push_back(span[1]);
      spans.push_back(at->second);
    }
    const bool coarse = track.contains("resolution_ps") && track.at("resolution_ps").is_number_unsigned();
    tracks.push_back(Json{{"name", track.at("name")},
                          {"resolution_ps", coarse ? track.at("resolution_ps") : Json(0)},
                          {"spans", std::move(spans)},
                          {"marks", track.contains("marks") ? track.at("marks") : Json::array()},
                          {"more_marks", track.contains("more_marks") ? track.at("more_marks") : Json(0)}});
  }
  return {{"end_ps", timeline.at("end_ps")}, {"states", states}, {"tracks", tracks}};
}

Json run_document(const std::vector<std::string>& inputs) {
  Json document = {{"schema", kReportSchema}, {"kind", "run"}, {"source", ""}, {"timeline", nullptr}};
  for (const std::string& path : inputs) {
    if (std::filesystem::is_directory(path)) refuse(path, "is a folder: a sweep is compared with another sweep only");
    Json json = parse_json(path);
    if (!json.is_object()) refuse(path, "is neither a statistics file nor a timeline");
    if (!json.contains("schema") && (json.contains("groups") || json.contains("values"))) {
      check_tree(json, path);
      if (document.contains("statistics")) refuse(path, "is a second statistics file: a report shows one run");
      document["source"] = short_name(path);
      document["statistics"] = std::move(json);
    } else if (json.contains("schema") && json.at("schema") == kTimelineSchema) {
      check_timeline(json, path);
      if (!document.at("timeline").is_null()) refuse(path, "is a second timeline: a report shows one run");
      document["timeline"] = compact_timeline(json);
    } else if (json.contains("schema") && json.at("schema") == kPointSchema && json.contains("statistics")) {
      check_tree(json.at("statistics"), path);
      document["source"] = short_name(path);
      document["statistics"] = json.at("statistics");
    } else {
      refuse(path, "is neither a statistics file nor a timeline (schema " + std::string(kTimelineSchema) + ")");
    }
  }
  if (!document.contains("statistics")) refuse(inputs.front(), "is a timeline: give the run's statistics file, too");
  document["missing"] = missing_figures(document.at("statistics"));
  return document;
}

}  // namespace

std::string read_report_data(const std::vector<std::string>& inputs, const SweepAxes& axes) {
  if (inputs.empty()) throw UserError("no statistics file and no folder of a sweep given");
  Json document;
  if (Comparison::fits(inputs)) {
    if (!axes.across.empty() || !axes.up.empty()) refuse(inputs.front(), "is compared, which has no axes");
    document = Comparison(inputs[0], inputs[1]).document();
  } else if (std::filesystem::is_directory(inputs.front())) {
    if (inputs.size() > 1) refuse(inputs[1], "cannot be added to the report of a sweep");
    document = sweep_document(inputs.front(), axes);
  } else {
    if (!axes.across.empty() || !axes.up.empty()) refuse(inputs.front(), "is no sweep: only its points have axes");
    document = run_document(inputs);
  }
  document["names"] = page_names();
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vp
