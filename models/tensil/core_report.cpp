#include "models/tensil/core_report.h"

namespace vp::tensil {
namespace {

void report_activities(const ActivityCounts& counts, Statistics& statistics) {
  for (unsigned i = 0; i < kActivities; ++i) {
    const ActivityCount& count = counts[i];
    Statistics& group = statistics.group(name_of(static_cast<Activity>(i)), "instructions of this kind");
    group.add("instructions", count.instructions, "1", "executed");
    group.add("vectors", count.vectors, "1", "vectors moved or computed");
    group.add("cycles", count.cycles, "cycles", "of the instruction stream");
    group.add("work", count.work, "cycles", "of the unit itself; that of SIMD is beside the instruction stream");
    group.add("waited", count.waited, "cycles", "of the stream's beyond the work: for memory, array or SIMD queue");
    group.add("samples", count.samples, "1", "of the sampling stream that fell into them");
  }
}

void report_findings(const Findings& findings, Statistics& statistics) {
  constexpr const char* kNames[kFindingKinds] = {"illegal_instructions", "addresses_beyond", "lost_accumulations",
                                                 "unwritten_reads", "unordered_threads"};
  for (unsigned i = 0; i < kFindingKinds; ++i) {
    const auto kind = static_cast<FindingKind>(i);
    statistics.add(kNames[i], findings.count(kind), "1", name_of(kind));
  }
}

}  // namespace

double efficiency(const Core& core, std::uint64_t cycles) {
  const double peak = static_cast<double>(cycles) * core.architecture().array_size * core.architecture().array_size;
  return cycles ? static_cast<double>(core.figures().useful_multiply_accumulates) / peak : 0;
}

void report(const Core& core, Statistics& statistics) {
  const CoreFigures& figures = core.figures();
  const std::uint64_t cycles = core.timing().cycles();
  statistics.add("cycles", cycles, "cycles", "from the first instruction until everything has ended");
  statistics.add("instructions", figures.instructions, "1", "accepted");
  statistics.add("multiply_accumulates", figures.multiply_accumulates, "1",
                 "of the array, padding included, MatMuls flagged zeroes not");
  statistics.add("useful_multiply_accumulates", figures.useful_multiply_accumulates, "1",
                 "without weight rows and lanes at the end that are all zero");
  statistics.add("efficiency", efficiency(core, cycles), "1",
                 "useful multiply-accumulates by those that the array can do");
  for (unsigned port = 0; port < 2; ++port) {
    Statistics& group = statistics.group("dram" + std::to_string(port), "DRAM port");
    group.add("bytes_read", figures.dram_bytes_read[port], "bytes", "into local memory");
    group.add("bytes_written", figures.dram_bytes_written[port], "bytes", "from local memory");
  }
  statistics.add("tracepoint_hits", figures.tracepoint_hits, "1", "instructions at the tracepoint's program counter");
  report_activities(core.timing().counts(), statistics.group("time", "time by kind of instruction"));
  report_findings(core.findings(), statistics.group("findings", "what the hardware does not do well"));
}

}  // namespace vp::tensil
