#include "models/drra/findings.h"

#include <numeric>

namespace vp::drra {
namespace {

struct Wording {
  const char* name;
  const char* meaning;
};
constexpr Wording kWordings[kFindingKinds] = {
    {"stream_busy", "a stream was started on a port that was still busy; it was dropped"},
    {"tile_busy", "a memory stream was started where one was under way; it was dropped"},
    {"wrong_hops", "the hops of SRAM differ from those of the route; zeros were transferred"},
    {"no_route", "SRAM without a route to a memory of the fabric; zeros were transferred"},
    {"tile_conflict", "a memory was read and written in the same cycle, in different rows"},
    {"jump_at_loop_end", "a jump was taken at the end of a loop; both addresses were combined"},
    {"unrouted_input", "a stream read an input that has no route; it was 0"},
    {"bad_shift", "a shift amount was negative; its low five bits counted"},
    {"io_row", "a row beyond the IO buffer was accessed; it read as zeros"},
};

}  // namespace

const char* name_of(FindingKind kind) { return kWordings[static_cast<unsigned>(kind)].name; }
const char* meaning_of(FindingKind kind) { return kWordings[static_cast<unsigned>(kind)].meaning; }

std::string describe(const Finding& finding) {
  return "cycle " + std::to_string(finding.cycle - finding.started) + ", cell " + std::to_string(finding.row) + "," +
         std::to_string(finding.column) + ", pc " + std::to_string(finding.pc) + " (" + finding.instruction +
         "): " + meaning_of(finding.kind);
}

std::uint64_t FindingLog::total() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

}  // namespace vp::drra
