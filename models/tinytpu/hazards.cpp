#include "models/tinytpu/hazards.h"

#include <algorithm>

#include "models/tinytpu/asm.h"
#include "models/tinytpu/config.h"

namespace vp::tinytpu {
namespace {

constexpr const char* kNames[kHazardKinds] = {
    "buffer_read_before_write",
    "accumulator_read_before_write",
    "accumulator_overwritten",
    "weights_overrun",
    "weights_replaced",
    "host_collision",
    "extra_writes",
    "never_ran",
};
constexpr const char* kDescriptions[kHazardKinds] = {
    "unified-buffer rows a multiply read before an earlier activate wrote them",
    "accumulator rows read as addend before an earlier sum was written",
    "accumulator rows overwritten before an earlier activate read them",
    "preloaded weight rows overwritten before a multiply took them",
    "weight rows a multiply took from a later read_weights",
    "cycles in which a host access took the unified buffer from a running instruction",
    "rows written beyond the end of an activate that was followed too closely",
    "instructions that never ran for want of a successor",
};

std::string plural(std::uint64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}
std::string cycles(const Hazard& h) {
  if (h.first_edge == h.last_edge) return "in cycle " + std::to_string(h.first_edge);
  return "in cycles " + std::to_string(h.first_edge) + " to " + std::to_string(h.last_edge);
}

/// "instruction 3 (activate.s.relu 100, 0, 8, pushed by cpu at pc 0x80000012)"; of one that has been forgotten only its
/// kind, where that is known.
std::string name_of(std::uint64_t number, const PushedInstruction& pushed, const char* kind, const OriginText& origin) {
  const std::string text = "instruction " + std::to_string(number);
  if (!pushed.known) return *kind == 0 ? text : text + " (" + kind + ")";
  return text + " (" + disassemble(pushed.instruction) + words(", pushed by ", pushed.origin, origin) + ")";
}

/// Rows of the unified buffer by which a short list of wrapped ranges can overlap; more are not looked at.
constexpr int kAlignments = 8;

}  // namespace

const char* name_of(HazardKind kind) { return kNames[static_cast<unsigned>(kind)]; }
const char* meaning_of(HazardKind kind) { return kDescriptions[static_cast<unsigned>(kind)]; }

std::string describe(const Hazard& h, const OriginText& origin) {
  const auto self = [&](const char* kind) { return name_of(h.instruction, h.pushed, kind, origin); };
  const auto other = [&](const char* kind) { return name_of(h.other, h.other_pushed, kind, origin); };
  const std::string rows = plural(h.rows, "row") + " from row " + std::to_string(h.first_row) + " on, " + cycles(h);
  switch (h.kind) {
    case HazardKind::buffer_read_before_write:
      return self("matrix_multiply") + " read the unified buffer before " + other("activate") + " wrote it: " + rows;
    case HazardKind::accumulator_read_before_write:
      return self("matrix_multiply") + " read accumulators as addend before " +
             (h.instruction == h.other ? "its own earlier tile" : other("matrix_multiply")) + " wrote them: " + rows;
    case HazardKind::accumulator_overwritten:
      return self("activate") + " read accumulators that " + other("matrix_multiply") +
             " had overwritten already: " + rows;
    case HazardKind::weights_overrun:
      return "weights of " + self("read_weights") + " were overwritten by " +
             (h.instruction == h.other ? "its own later rows" : other("read_weights")) +
             " before a multiply took them: " + rows;
    case HazardKind::weights_replaced:
      return self("matrix_multiply") + " took weights of the later " + other("read_weights") + ": " + rows;
    case HazardKind::host_collision:
      return "a host access " + words("by ", h.other_pushed.origin, origin, " ") + "of unified-buffer row " +
             std::to_string(h.first_row) + " took the ports from " + self("") + " in " + plural(h.rows, "cycle") +
             ", " + cycles(h);
    case HazardKind::extra_writes:
      return self("activate") + " wrote beyond its end because " + other("activate") + " followed closely: " + rows;
    case HazardKind::never_ran:
      return self("read_weights") + " never ran: nothing follows it, and the look-ahead stage waits for a successor";
  }
  return "";
}

void HazardReport::issued(const Issue& issue) {
  if (!enabled_) return;
  switch (issue.instruction.kind()) {
    case InstructionKind::matrix_multiply:
      activates_.erase(
          std::remove_if(activates_.begin(), activates_.end(),
                         [&](const Issue& a) { return a.edge + width_ + 19 + a.instruction.length < issue.edge; }),
          activates_.end());
      check_multiply(issue);
      if (issue.instruction.accumulates()) check_addends(issue);
      last_multiply_ = issue;
      has_multiply_ = true;
      break;
    case InstructionKind::activate:
      // Only a multiply looks at the list: without one, only the latest can matter for long.
      if (activates_.size() >= 64) activates_.erase(activates_.begin());
      activates_.push_back(issue);
      break;
    default:
      break;
  }
}

void HazardReport::check_multiply(const Issue& multiply) {
  const Instruction& m = multiply.instruction;
  const Range buffer_reads{m.buffer, m.length, multiply.edge + 4};
  const Range sums{m.accumulator, std::min<std::uint64_t>(m.length, width_), multiply.edge + width_ + 15};
  for (const Issue& activate : activates_) {
    const Instruction& a = activate.instruction;
    const Range buffer_writes{a.buffer, a.length, activate.edge + width_ + 19};
    overlap(HazardKind::buffer_read_before_write, buffer_reads, multiply.number, buffer_writes, activate.number, depth_,
            true);
    const Range activation_reads{a.accumulator, a.length, activate.edge + width_ + 15};
    overlap(HazardKind::accumulator_overwritten, activation_reads, activate.number, sums, multiply.number,
            kAccumulatorRows, false);
  }
}

/// Finds the rows common to `reads` and `writes`, read number kr meeting write number kw = kr - shift, whose order is
/// wrong. `read_first`: wrong is a read at or before the write's edge; otherwise a write before the read's edge.
void HazardReport::overlap(HazardKind kind, const Range& reads, std::uint64_t reader, const Range& writes,
                           std::uint64_t writer, std::uint64_t modulus, bool read_first) {
  if (reads.length == 0 || writes.length == 0) return;
  using Signed = std::int64_t;
  const Signed delay = static_cast<Signed>(writes.edge) - static_cast<Signed>(reads.edge);
  Signed low = 1 - static_cast<Signed>(writes.length), high = static_cast<Signed>(reads.length) - 1;
  if (read_first) {
    high = std::min(high, delay);
  } else {
    low = std::max(low, delay + 1);
  }
  const Signed period = static_cast<Signed>(modulus);
  const Signed apart = static_cast<Signed>(writes.first % modulus) - static_cast<Signed>(reads.first % modulus);
  // First shift at or after `low` that is congruent to the distance of the ranges.
  Signed shift = low + ((apart - low) % period + period) % period;
  for (int i = 0; i < kAlignments && shift <= high; ++i, shift += period) {
    const Signed first = std::max<Signed>(0, shift);
    const Signed last = std::min<Signed>(reads.length - 1, shift + writes.length - 1);
    if (last < first) continue;
    Hazard hazard{kind, reader, writer, static_cast<unsigned>((reads.first + first) % modulus),
                  static_cast<std::uint64_t>(last - first + 1)};
    hazard.first_edge = reads.edge + static_cast<Edge>(first);
    hazard.last_edge = reads.edge + static_cast<Edge>(last);
    add(hazard);
  }
}

/// Spec section 5.4: an addend is read 6 cycles before the sum is written.
void HazardReport::check_addends(const Issue& multiply) {
  const Instruction& m = multiply.instruction;
  const Edge reads = multiply.edge + width_ + 9;
  if (width_ <= 6 && m.length > width_) {
    add({HazardKind::accumulator_read_before_write, multiply.number, multiply.number, m.accumulator % kAccumulatorRows,
         m.length - width_, reads + width_, reads + m.length - 1});
  }
  if (!has_multiply_) return;
  const Instruction& l = last_multiply_.instruction;
  const Edge writes = last_multiply_.edge + width_ + 15;
  for (std::uint64_t kr = 0; kr < m.length && reads + kr < writes + l.length; ++kr) {
    for (std::uint64_t kw = reads + kr < writes ? 0 : reads + kr - writes; kw < l.length; ++kw) {
      const unsigned row = (m.accumulator + kr % width_) % kAccumulatorRows;
      if (row != (l.accumulator + kw % width_) % kAccumulatorRows) continue;
      add({HazardKind::accumulator_read_before_write, multiply.number, last_multiply_.number, row, 1, reads + kr,
           reads + kr});
      break;
    }
  }
}

void HazardReport::extra_writes(const Issue& victim, const Issue& cause, unsigned first_vector, unsigned vectors) {
  if (!enabled_) return;
  const Edge edge = victim.edge + width_ + 19 + first_vector;
  add({HazardKind::extra_writes, victim.number, cause.number,
       static_cast<unsigned>((victim.instruction.buffer + std::uint64_t{first_vector}) % depth_), vectors, edge,
       edge + vectors - 1});
}

void HazardReport::add(const Hazard& hazard) {
  counts_[static_cast<unsigned>(hazard.kind)] += hazard.rows;
  std::vector<Hazard>& list = findings_[static_cast<unsigned>(hazard.kind)];
  if (!list.empty() && list.back().instruction == hazard.instruction && list.back().other == hazard.other &&
      (hazard.kind != HazardKind::host_collision || list.back().first_row == hazard.first_row)) {
    list.back().rows += hazard.rows;
    list.back().last_edge = hazard.last_edge;
    return;
  }
  if (list.size() == kLimit) return;
  list.push_back(hazard);
  list.back().pushed = log_.find(hazard.instruction);
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

void HazardReport::reset() {
  activates_.clear();
  has_multiply_ = false;
}

std::uint64_t HazardReport::total() const {
  std::uint64_t sum = 0;
  for (std::uint64_t count : counts_) sum += count;
  return sum;
}

std::vector<Finding> HazardReport::told(Picoseconds period, const OriginText& origin) const {
  std::vector<Finding> findings;
  for (unsigned kind = 0; kind < kHazardKinds; ++kind) {
    std::uint64_t told = 0;
    for (const Hazard& hazard : findings_[kind]) {
      findings.push_back({describe(hazard, origin), hazard.first_edge * period});
      told += hazard.rows;
    }
    if (told < counts_[kind])
      findings.push_back({"and " + std::to_string(counts_[kind] - told) + " more " + kDescriptions[kind]});
  }
  return findings;
}

}  // namespace vp::tinytpu
