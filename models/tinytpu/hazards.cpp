#include "models/tinytpu/hazards.h"

#include <algorithm>

namespace vp::tinytpu {
namespace {

bool by_host(HazardKind kind) {
  return kind == HazardKind::host_read_too_early || kind == HazardKind::host_write_too_early ||
         kind == HazardKind::host_weights_too_early;
}

/// Whether `b` goes on where `a` is.
bool joins(const Hazard& a, const Hazard& b) {
  if (a.kind != b.kind || a.instruction != b.instruction || a.other != b.other || a.memory != b.memory ||
      a.unseen != b.unseen)
    return false;
  if (a.kind == HazardKind::host_collision) return a.first_row == b.first_row;
  const Origin &first = a.other_pushed.origin, &second = b.other_pushed.origin;
  return a.instruction == kNoInstruction || by_host(a.kind)
             ? first.initiator == second.initiator && first.pc == second.pc
             : true;
}

void say_rest(std::uint64_t count, std::uint64_t told, const char* meaning, const char* kind,
              std::vector<Finding>& findings) {
  if (told < count) findings.push_back({"and " + std::to_string(count - told) + " more " + meaning, kNever, kind});
}

}  // namespace

void HazardReport::add(const Hazard& hazard) {
  if (hazard.by_timing) {
    by_timing_count_ += hazard.rows;
    return add_to(by_timing_, hazard);
  }
  counts_[static_cast<unsigned>(hazard.kind)] += hazard.rows;
  add_to(findings_[static_cast<unsigned>(hazard.kind)], hazard);
}

void HazardReport::add_rows(HazardKind kind, std::uint64_t instruction, std::uint64_t other, unsigned row,
                            unsigned rows, Edge edge) {
  std::vector<Hazard>& list = findings_[static_cast<unsigned>(kind)];
  counts_[static_cast<unsigned>(kind)] += rows;
  const Edge last = edge + rows - 1;
  if (!list.empty() && list.back().instruction == instruction && list.back().other == other) {
    list.back().rows += rows;
    list.back().last_edge = last;
  } else if (list.size() < kLimit) {
    add_to(list, {kind, instruction, other, row, rows, edge, last});
  }
}

void HazardReport::add_to(std::vector<Hazard>& list, const Hazard& hazard) {
  if (!list.empty() && joins(list.back(), hazard)) {
    Hazard& latest = list.back();
    latest.rows += hazard.rows;
    latest.last_edge = hazard.last_edge;
    latest.last_row = hazard.last_row;
    latest.margin = std::min(latest.margin, hazard.margin);
    latest.any_feed = latest.any_feed && hazard.any_feed;
    return;
  }
  if (list.size() == kLimit) return;
  list.push_back(hazard);
  if (hazard.instruction != kNoInstruction) list.back().pushed = log_.find(hazard.instruction);
  if (hazard.other != kNoInstruction) list.back().other_pushed = log_.find(hazard.other);
}

void HazardReport::repeat(const Counts& before, std::uint64_t times, Edge edges) {
  for (unsigned kind = 0; kind < kHazardKinds; ++kind) {
    const std::uint64_t more = (counts_[kind] - before[kind]) * times;
    if (more == 0) continue;
    counts_[kind] += more;
    Hazard& latest = findings_[kind].back();
    latest.rows += more;
    latest.last_edge += edges;
  }
}

std::uint64_t HazardReport::total() const {
  std::uint64_t sum = 0;
  for (std::uint64_t count : counts_) sum += count;
  return sum;
}

std::vector<Finding> HazardReport::told(Picoseconds period, const OriginText& origin) const {
  std::vector<Finding> findings;
  const auto tell = [&](const std::vector<Hazard>& hazards, const char* kind) {
    std::uint64_t told = 0;
    for (const Hazard& hazard : hazards) {
      findings.push_back({describe(hazard, origin), hazard.first_edge * period, kind});
      told += hazard.rows;
    }
    return told;
  };
  for (unsigned i = 0; i < kHazardKinds; ++i) {
    const auto kind = static_cast<HazardKind>(i);
    say_rest(counts_[i], tell(findings_[i], name_of(kind)), meaning_of(kind), name_of(kind), findings);
  }
  say_rest(by_timing_count_, tell(by_timing_, kWorksOnlyByTiming), "rows that are right by timing only",
           kWorksOnlyByTiming, findings);
  return findings;
}

}  // namespace vp::tinytpu
