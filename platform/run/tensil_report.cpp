#include "platform/run/tensil_report.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "models/tensil/core_report.h"
#include "platform/report/cost_figures.h"
#include "platform/report/ideal_bounds.h"
#include "platform/report/run_bound.h"

namespace vp {
namespace {

using namespace tensil;

/// Values of an output that are printed; all are in DRAM0.
constexpr std::size_t kListed = 64;
/// Layers that are printed; all are in the statistics file.
constexpr std::size_t kListedLayers = 64;

/// Beside every figure of time: of several threads it is an estimate.
const char* doubt(const Core& core) { return core.architecture().number_of_threads > 1 ? " (estimate)" : ""; }

double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void print_time(const Core& core, const TensilDone& done, std::ostream& out) {
  const std::uint64_t frames = done.frames;
  const auto cycles = static_cast<double>(done.cycles);
  out << "time by kind          instructions    vectors     cycles  of them waiting      %   (a frame)" << doubt(core)
      << '\n';
  for (unsigned i = 0; i < kActivities; ++i) {
    const ActivityCount& count = core.timing().counts()[i];
    if (!count.any()) continue;
    out << "  " << std::left << std::setw(18) << name_of(static_cast<Activity>(i)) << std::right << std::setw(14)
        << count.instructions / frames << std::setw(11) << count.vectors / frames << std::setw(11)
        << std::setprecision(0) << count.cycles / static_cast<double>(frames) << std::setw(17)
        << count.waited / static_cast<double>(frames) << std::setw(7) << std::setprecision(1)
        << share(count.cycles, cycles) << '\n';
  }
}

/// What each part was busy with, so that the largest is what bounds the run.
void print_bounds(const Core& core, const TensilDone& done, std::ostream& out) {
  const ActivityCounts& counts = core.timing().counts();
  const auto of = [&](Activity activity) { return counts[static_cast<unsigned>(activity)]; };
  const auto cycles = static_cast<double>(done.cycles);
  const auto line = [&](const char* part, double busy, double waiting) {
    out << "  " << std::left << std::setw(18) << part << std::right << std::setw(7) << share(busy, cycles)
        << " % at work" << std::setw(7) << share(waiting, cycles) << " % waited for\n";
  };
  const auto two = [&](const char* part, Activity one, Activity other) {
    line(part, of(one).work + of(other).work, of(one).waited + of(other).waited);
  };
  out << "bounds" << doubt(core) << '\n';
  two("array", Activity::mat_mul, Activity::load_weight);
  two("dram0", Activity::dram0_read, Activity::dram0_write);
  two("dram1", Activity::dram1_read, Activity::dram1_write);
  line("accumulator moves", of(Activity::accumulator_move).work, of(Activity::accumulator_move).waited);
  line("simd", of(Activity::simd).work, of(Activity::simd).waited);
  line("instruction stream", 0, core.timing().stream_waited());
}

/// The cause that held it up for longest.
void print_bound(const Core& core, std::ostream& out) {
  const std::uint64_t cycles = core.timing().cycles();
  Bounds bounds;
  bounds.computes.push_back(use_of(core, "tensil", 1, cycles));
  bounds.timed_time = bounds.computes.front().cycles;
  if (const auto bound = bound_figures(bounds))
    out << "bounded by            " << bound->by << ": " << bound->sentence << '\n';
}

void print_layers(const TensilDone& done, unsigned array_size, std::ostream& out) {
  if (done.layers.size() < 2) return;
  const auto frames = static_cast<double>(done.frames);
  out << "time by layer         instructions     cycles      %  useful MMAC  efficiency      dram0      dram1 bytes  "
         "most of it at   (a frame)\n";
  for (std::size_t i = 0; i < std::min(done.layers.size(), kListedLayers); ++i) {
    const Layer& layer = done.layers[i];
    const auto macs = static_cast<double>(layer.useful_multiply_accumulates);
    const auto bytes = [&](unsigned port) {
      return (layer.bytes_read[port] + layer.bytes_written[port]) / done.frames;
    };
    const Bound bound = bound_of(layer);
    out << "  " << std::left << std::setw(20) << "layer " + std::to_string(i) << std::right << std::setw(12)
        << layer.instructions / done.frames << std::setprecision(0) << std::setw(11) << layer.cycles() / frames
        << std::setprecision(1) << std::setw(7) << share(layer.cycles(), static_cast<double>(done.cycles))
        << std::setprecision(3) << std::setw(13) << macs / frames / 1e6 << std::setprecision(1) << std::setw(10)
        << share(macs, layer.cycles() * array_size * array_size) << " %" << std::setw(11) << bytes(0) << std::setw(11)
        << bytes(1) << "        " << name_of(bound) << ' ' << share(cycles_at(layer, bound), layer.cycles()) << " %\n";
  }
  if (done.layers.size() > kListedLayers) out << "  ... " << done.layers.size() << " layers\n";
}

/// As Tensil's driver counts them, whole run.
void print_samples(const Core& core, std::ostream& out) {
  const SampleCounts& samples = core.timing().samples();
  if (samples.total() == 0) return;
  const auto line = [&](const std::string& name, std::uint64_t count) {
    if (count == 0) return;
    out << "  " << std::left << std::setw(42) << name << std::right << std::setw(10) << count << std::setw(7)
        << share(static_cast<double>(count), static_cast<double>(samples.total())) << " %\n";
  };
  out << "samples               " << samples.total() << ", one every " << core.config(ConfigRegister::sample_interval)
      << " cycles, by what the decoder was at" << doubt(core) << '\n';
  for (const SampleKind& kind : sample_kinds(samples)) line(kind.name, kind.samples);
  line("between instructions", samples.between);
}

void print_findings(const Findings& findings, std::ostream& out) {
  for (unsigned i = 0; i < kFindingKinds; ++i) {
    const auto kind = static_cast<FindingKind>(i);
    if (findings.count(kind) == 0) continue;
    out << "finding               " << findings.count(kind) << " × " << name_of(kind) << '\n';
    for (const Finding& finding : findings.kept())
      if (finding.kind == kind) out << "  at " << finding.program_counter << ": " << finding.text << '\n';
  }
}

}  // namespace

void print_outputs(std::uint64_t frame, const std::vector<TensilOutput>& outputs,
                   const std::vector<std::string>& classes, const FixedPoint& format, std::ostream& out) {
  for (const TensilOutput& output : outputs) {
    std::size_t count = output.scalars.size();
    if (!classes.empty())
      count = std::min(count, classes.size());
    else
      while (count > 1 && output.scalars[count - 1] == 0) --count;
    const auto begin = output.scalars.begin();
    const auto best = static_cast<std::size_t>(std::max_element(begin, begin + static_cast<long>(count)) - begin);
    out << "image " << frame << ", " << output.name << ": class " << best;
    if (best < classes.size()) out << " (" << classes[best] << ")";
    out << '\n' << std::fixed << std::setprecision(4);
    for (std::size_t i = 0; i < std::min(count, kListed); ++i)
      out << (i % 10 ? " " : i ? "\n  " : "  ") << real_value(format, output.scalars[i]);
    out << (count > kListed ? " ...\n" : "\n");
  }
}

void print_run(const Core& core, const TensilConfig& config, const TensilDone& done, std::ostream& out) {
  const CoreFigures& figures = core.figures();
  const std::uint64_t cycles = done.cycles, frames = done.frames;
  const double frame = static_cast<double>(cycles) / static_cast<double>(frames);
  const double microseconds = frame * static_cast<double>(config.clock_period) / 1e6;
  out << std::fixed << std::setprecision(0) << "cycles                " << frame << " a frame, " << std::setprecision(1)
      << microseconds << " us, " << std::setprecision(2) << 1e6 / microseconds << " frames a second" << doubt(core)
      << '\n';
  if (config.architecture.number_of_threads > 1)
    out << "                      an estimate: no hardware with several threads was ever measured\n";
  out << "multiply-accumulates  " << std::setprecision(3)
      << static_cast<double>(figures.useful_multiply_accumulates) / static_cast<double>(frames) / 1e6
      << " million useful a frame, "
      << static_cast<double>(figures.multiply_accumulates) / static_cast<double>(frames) / 1e6
      << " million with padding; efficiency " << std::setprecision(1) << 100 * efficiency(core, cycles) << " %"
      << doubt(core) << '\n';
  print_time(core, done, out);
  print_layers(done, config.architecture.array_size, out);
  for (unsigned port = 0; port < 2; ++port)
    out << "dram" << port << "                 " << figures.dram_bytes_read[port] / frames << " bytes read, "
        << figures.dram_bytes_written[port] / frames << " written (a frame)\n";
  print_bounds(core, done, out);
  print_bound(core, out);
  print_samples(core, out);
  print_findings(core.findings(), out);
}

void report_bounds_of(const Core& core, const Bounds& bounds, Statistics& statistics) {
  if (core.architecture().number_of_threads == 1)
    report_bounds(bounds, statistics);
  else
    report_cost(bounds.cost, statistics);
}

}  // namespace vp
