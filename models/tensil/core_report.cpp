#include "models/tensil/core_report.h"

#include <algorithm>

#include "models/common/figures.h"
#include "models/common/time_account.h"
#include "models/tensil/layer_figures.h"

namespace vp::tensil {

std::string times_doubt(const Core& core) {
  return core.architecture().number_of_threads > 1
             ? " (an estimate: several threads, which no hardware was measured with)"
             : "";
}

namespace {

void report_activities(const Core& core, Statistics& statistics) {
  const ActivityCounts& counts = core.timing().counts();
  const std::string doubt = times_doubt(core);
  for (unsigned i = 0; i < kActivities; ++i) {
    const ActivityCount& count = counts[i];
    Statistics& group = statistics.group(name_of(static_cast<Activity>(i)), "instructions of this kind");
    group.add("instructions", count.instructions, "1", "executed");
    group.add("vectors", count.vectors, "1", "vectors moved or computed");
    group.add("cycles", count.cycles, "cycles", "of the instruction stream" + doubt);
    group.add("work", count.work, "cycles",
              "of the unit itself; that of SIMD is beside the instruction stream" + doubt);
    group.add("waited", count.waited, "cycles",
              "of the stream's beyond the work: for memory, array or SIMD queue" + doubt);
    group.add("samples", count.samples, "1", "of the sampling stream that fell into them");
  }
}

/// Only of a run with samples.
void report_samples(const SampleCounts& counts, Statistics& statistics) {
  if (counts.total() == 0) return;
  Statistics& group = statistics.group("samples", "samples of the TCU's clock by what the decoder was at");
  for (const SampleKind& kind : sample_kinds(counts)) {
    std::string name = kind.name;
    std::replace(name.begin(), name.end(), '.', '_');
    group.add(name, kind.samples, "1", "samples");
  }
  group.add("between", counts.between, "1", "samples while there was no instruction");
  group.add("total", counts.total(), "1", "samples");
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

std::vector<SampleKind> sample_kinds(const SampleCounts& counts) {
  std::vector<SampleKind> all;
  for (const Operation operation : {Operation::no_op, Operation::mat_mul, Operation::load_weight, Operation::simd,
                                    Operation::load_lut, Operation::configure, Operation::reserved})
    all.push_back({name_of(operation), counts.of(operation)});
  for (unsigned flow = 0; flow < 16; ++flow)
    if (const char* name = name_of(static_cast<DataFlow>(flow)))
      all.push_back({std::string("data_move.") + name, counts.of(Operation::data_move, flow)});
  return all;
}

void report_stream(const Sampler& sampler, Statistics& statistics) {
  if (sampler.taken() + sampler.lost() == 0) return;
  Statistics& group = statistics.group("sampling", "the sampling stream");
  group.add("taken", sampler.taken(), "1", "samples that have left");
  group.add("lost", sampler.lost(), "1", "samples that came while nobody took them");
  group.add("packets", sampler.packets(), "1", "that have ended");
}

void report_layers(const std::vector<Layer>& layers, Statistics& statistics) {
  if (layers.size() < 2) return;
  Statistics& group = statistics.group(kLayersGroup, "time by layer, of all frames");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    LayerFigures figures{layer.program_counter,
                         layer.instructions,
                         layer.cycles(),
                         layer.useful_multiply_accumulates,
                         layer.bytes_read[0],
                         layer.bytes_written[0],
                         layer.bytes_read[1],
                         layer.bytes_written[1],
                         {},
                         name_of(bound_of(layer))};
    for (unsigned k = 0; k < kBounds; ++k) figures.cycles_at.cycles[k] = cycles_at(layer, static_cast<Bound>(k));
    write_figures(figures,
                  group.group("layer" + std::to_string(i), "one begins where the output of the one before is read"));
  }
}

ComputeUse use_of(const Core& core, const std::string& name, Picoseconds clock, std::uint64_t now) {
  const double cells = static_cast<double>(core.architecture().array_size) * core.architecture().array_size;
  ComputeUse use;
  use.name = name;
  use.peak_macs_per_second = cells * 1e12 / static_cast<double>(clock);
  use.mapped_macs = core.figures().multiply_accumulates;
  use.useful_macs = core.figures().useful_multiply_accumulates;
  use.cycles = core.timing().cycles();
  use.clock = clock;
  if (core.architecture().number_of_threads != 1) return use;
  const StreamAccount::Sums sums = core.timing().account(now);
  // Rounded as they are summed up, so that the whole is the sum.
  StreamAccount::Half sum = 0;
  for (unsigned i = 0; i < kHeldUp; ++i) {
    const StreamAccount::Half before = sum;
    sum += sums.held[i];
    const auto cause = static_cast<HeldUp>(i);
    use.held_up_by.push_back({name_of(cause), (sum + 1) / 2 - (before + 1) / 2, cause == HeldUp::host_feed});
  }
  use.cycles = (sum + 1) / 2;
  return use;
}

void add_cost(const Architecture& architecture, HardwareCost& cost) {
  const std::uint64_t size = architecture.array_size;
  cost.mac_cells += size * size;
  const std::uint64_t vectors = std::uint64_t{architecture.local_depth} + architecture.accumulator_depth;
  const std::uint64_t tables = std::uint64_t{architecture.number_of_luts} * architecture.lut_depth;
  cost.buffer_bits += (vectors * size + tables) * architecture.format().width;
}

double efficiency(const Core& core, std::uint64_t cycles) {
  const double peak = static_cast<double>(cycles) * core.architecture().array_size * core.architecture().array_size;
  return cycles ? static_cast<double>(core.figures().useful_multiply_accumulates) / peak : 0;
}

namespace {

void report_counts(const Core& core, Statistics& statistics) {
  const CoreFigures& figures = core.figures();
  statistics.add("instructions", figures.instructions, "1", "accepted");
  statistics.add("multiply_accumulates", figures.multiply_accumulates, "1",
                 "of the array, padding included, MatMuls flagged zeroes not");
  statistics.add("useful_multiply_accumulates", figures.useful_multiply_accumulates, "1",
                 "without weight rows and lanes at the end that are all zero");
}

/// Where the time of one thread went, whose instructions follow each other.
void report_time_account(const Core& core, const StreamAccount::Sums& sums, Statistics& group) {
  const ActivityCounts& counts = core.timing().counts();
  const auto cycles = [](StreamAccount::Half halves) { return static_cast<double>(halves) / 2; };
  const auto held = [&](HeldUp cause) { return cycles(sums.held[static_cast<unsigned>(cause)]); };
  const auto waited = [&](Activity one, Activity other) {
    return counts[static_cast<unsigned>(one)].waited + counts[static_cast<unsigned>(other)].waited;
  };
  double dram[2] = {waited(Activity::dram0_read, Activity::dram0_write),
                    waited(Activity::dram1_read, Activity::dram1_write)};
  double work = 0;
  for (const ActivityCount& count : counts) work += count.cycles - count.waited;
  // Of a transfer under way its data are not counted yet.
  if (sums.under_way != 0) dram[sums.at == HeldUp::port_dram1] += cycles(sums.under_way);
  const double stream = held(HeldUp::stream), host = held(HeldUp::host_feed);
  group.add(time_account::kBusy, work, "cycles", "something was moved or computed");
  group.add("stall_dram0", dram[0], "cycles", "port DRAM0 was waited for, beyond its data");
  group.add("stall_dram1", dram[1], "cycles", "port DRAM1 was waited for, beyond its data");
  group.add("stall_array", cycles(sums.programs()) - work - dram[0] - dram[1] - stream - host, "cycles",
            "the array or the SIMD ALUs were waited for");
  group.add("stall_stream", stream, "cycles", "the next instruction had not come, though its stream had begun");
  group.add("stall_host_feed", host, "cycles", "the next part of a program's stream had not begun");
  group.add(time_account::kIdle, cycles(sums.idle), "cycles", "there was no program");
  group.add(time_account::kTotal, cycles(sums.total()), "cycles", "since the start of the simulation");
}

constexpr const char* kAccount = "where the time of the instruction stream went";

void report_held_up(const StreamAccount::Sums& sums, Statistics& group) {
  static constexpr const char* kWhat[kHeldUp] = {"MatMul and LoadWeight, and waiting for the array to drain",
                                                 "SIMD and LoadLUT, and waiting for the ALUs",
                                                 "moves between accumulators and local memory",
                                                 "transfers of port DRAM0, waiting for memory included",
                                                 "transfers of port DRAM1, waiting for memory included",
                                                 "Configure, NoOp, Wait and what has no meaning",
                                                 "no instruction had come, though its packet of the stream had begun",
                                                 "the next packet of the program had not begun"};
  for (unsigned i = 0; i < kHeldUp; ++i)
    group.add(name_of(static_cast<HeldUp>(i)), static_cast<double>(sums.held[i]) / 2, "cycles", kWhat[i]);
}

void report_account(const Core& core, std::uint64_t cycles, Statistics& group) {
  const StreamAccount::Sums sums = core.timing().account(cycles);
  report_time_account(core, sums, group);
  report_held_up(sums, group.group("held_up_by", "each cycle of its programs once, by what held it up"));
}

}  // namespace

void report(const Core& core, Statistics& statistics) {
  const CoreFigures& figures = core.figures();
  const std::uint64_t cycles = core.timing().cycles();
  statistics.add("cycles", cycles, "cycles",
                 "from the first instruction until everything has ended" + times_doubt(core));
  report_counts(core, statistics);
  statistics.add("efficiency", efficiency(core, cycles), "1",
                 "useful multiply-accumulates by those that the array can do" + times_doubt(core));
  for (unsigned port = 0; port < 2; ++port) {
    Statistics& group = statistics.group("dram" + std::to_string(port), "DRAM port");
    group.add("bytes_read", figures.dram_bytes_read[port], "bytes", "into local memory");
    group.add("bytes_written", figures.dram_bytes_written[port], "bytes", "from local memory");
  }
  statistics.add("tracepoint_hits", figures.tracepoint_hits, "1", "instructions at the tracepoint's program counter");
  report_activities(core, statistics.group("time", "time by kind of instruction"));
  if (core.architecture().number_of_threads == 1) report_account(core, cycles, statistics.group("account", kAccount));
  report_samples(core.timing().samples(), statistics);
  report_findings(core.findings(), statistics.group("findings", "what the hardware does not do well"));
}

void report_in_machine(const Core& core, std::uint64_t total, const std::uint64_t (&bursts)[2][2],
                       Statistics& statistics) {
  const CoreFigures& figures = core.figures();
  report_counts(core, statistics);
  statistics.add("tracepoint_hits", figures.tracepoint_hits, "1", "instructions at the tracepoint's program counter");
  for (unsigned port = 0; port < 2; ++port) {
    Statistics& group = statistics.group("port" + std::to_string(port), "port DRAM" + std::to_string(port));
    group.add("bytes_read", figures.dram_bytes_read[port], "bytes", "into local memory");
    group.add("bytes_written", figures.dram_bytes_written[port], "bytes", "from local memory");
    group.add("read_bursts", bursts[port][0], "1", "that were asked for");
    group.add("write_bursts", bursts[port][1], "1", "that were asked for");
  }
  if (core.architecture().number_of_threads == 1) report_account(core, total, statistics.group("time", kAccount));
  report_activities(core, statistics.group("kinds", "time by kind of instruction"));
  report_samples(core.timing().samples(), statistics);
  report_findings(core.findings(), statistics.group("findings", "what the hardware does not do well"));
}

}  // namespace vp::tensil
