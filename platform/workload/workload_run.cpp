#include "platform/workload/workload_run.h"

#include <atomic>
#include <ostream>
#include <sstream>

#include "models/common/clock.h"
#include "models/common/statistics.h"
#include "models/common/wording.h"
#include "platform/board/machine_settings.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/cost_figures.h"
#include "platform/report/run_tree.h"
#include "platform/run/configuration_report.h"
#include "platform/run/provenance.h"
#include "platform/run/run_log.h"
#include "platform/run/stop_source.h"
#include "platform/workload/estimate.h"
#include "platform/workload/layer_table.h"
#include "platform/workload/measure.h"

namespace vp::workload {
namespace {

using Clock = std::chrono::steady_clock;

std::string joined(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

void warn(const Topology& topology, std::ostream& err) {
  if (!topology.rounded_up.empty())
    err << "tinytpu-vp: warning: sizes that the stride does not divide are rounded up, as SCALE-Sim does: "
        << joined(topology.rounded_up, 4) << '\n';
}

std::string errors_text() {
  std::ostringstream text;
  for (const MeasuredError& error : kMeasuredErrors)
    text << (text.tellp() > 0 ? ", " : "") << error.percent << " % (" << error.program << ")";
  return text.str();
}

void print(const Plan& plan, const Topology& topology, const WorkloadOptions& options, const WorkloadFigures& figures,
           std::ostream& out) {
  const unsigned width = plan.config.matrix_width;
  out << options.file << " on a tinyTPU of " << width << " x " << width << ", "
      << (plan.products ? "a list of matrix products" : "batch " + std::to_string(figures.images)) << ", moved by the "
      << (plan.mover == Mover::cpu ? "CPU" : "AXI CDMA") << "\n\n";
  print_layer_table(figures, out);
  out << "\ncompute   exact: each step's instructions, pushed every " << counted(figures.feed_gap, "cycle") << " ("
      << (options.feed_gap ? "--feed-gap" : "measured: the driver's push on this machine")
      << "), first fetch to synchronize\n"
      << "movement  an estimate, off by " << errors_text() << " where a program was run both ways: samples of each\n"
      << "          layer's rows, moved by the driver's loops on this machine, and the round trip of each synchronize\n"
      << "schedule  single buffers: movement and compute take turns, since a host access corrupts a running program;\n"
      << "          activations come from memory and results go there in every layer\n"
      << "not modelled: pooling, bias, element-wise layers"
      << (topology.not_modelled.empty() ? "" : ": " + joined(topology.not_modelled, 16)) << '\n';
  if (!plan.products && figures.images > 1) {
    std::ostringstream text;
    text.precision(4);
    text << figures.time_per_image * 1e3;
    out << "time of an image: " << text.str() << " ms\n";
  }
}

void write_statistics(const WorkloadFigures& figures, const HardwareCost& cost, int exit_code, const std::string& path,
                      const ParameterTable& parameters, const ProvenanceFigures& provenance) {
  if (path.empty()) return;
  RunTree tree;
  tree.workload_run =
      WorkloadRunFigures{static_cast<std::uint64_t>(exit_code), figures.total.cycles, figures.total.time * 1e9};
  tree.workload = figures;
  Statistics statistics;
  write_figures(tree, statistics);
  report_cost(cost, statistics);
  report_configuration(parameters, statistics);
  write_statistics_file(statistics, provenance, path);
}

int ended(const std::string& sentence, int exit_code, std::ostream& err) {
  err << "tinytpu-vp: " << sentence << '\n';
  return exit_code;
}

/// What is left of a limit of wall-clock time; zero for none.
std::chrono::duration<double> rest(std::chrono::duration<double> timeout, Clock::time_point begun) {
  if (timeout.count() == 0) return timeout;
  return std::max<std::chrono::duration<double>>(timeout - (Clock::now() - begun), std::chrono::duration<double>(1e-3));
}

}  // namespace

int run_workload(const WorkloadOptions& options, const MachineSettings& settings, const tinytpu::TinyTpuConfig& config,
                 const std::function<void()>& ready, std::ostream& out, std::ostream& err) {
  const Clock::time_point begun = Clock::now();
  const Topology topology = parse_topology(read_file(options.file), options.file, options.batch);
  const Plan plan(topology, config, options.mover);
  if (!options.stats_file.empty()) check_writable(options.stats_file);
  const ProvenanceFigures provenance = provenance_of(options.file, options.stats_file);
  ready();
  warn(topology, err);
  const Measurement measured = measure(plan.jobs.jobs(), settings, options.timeout);
  if (measured.jobs.empty()) return ended(measured.sentence, measured.exit_code, err);
  std::atomic<bool> stop{false};
  const StopSource source([&stop](StopSource::Reason) { stop = true; }, rest(options.timeout, begun));
  const std::uint64_t gap = options.feed_gap ? *options.feed_gap : measured_feed_gap(plan, measured.jobs);
  const auto figures = estimate(plan, measured.jobs, gap, options.max_time, [&stop] { return stop.load(); });
  if (!figures) {
    const bool timed_out = source.reason() == StopSource::Reason::timeout;
    return ended(timed_out ? "the wall-clock limit was reached" : "the user interrupted the run",
                 timed_out ? kExitLimit : kExitInterrupted, err);
  }
  print(plan, topology, options, *figures, out);
  const std::size_t done = figures->layers.layers.size();
  const int exit_code = done == plan.layers.size() ? kExitSuccess : kExitLimit;
  write_statistics(*figures, measured.cost, exit_code, options.stats_file, settings.table, provenance);
  if (exit_code == kExitSuccess) return exit_code;
  return ended("the limit of " + readable_time(options.max_time) + " simulated time was reached in layer " +
                   plan.layers[done].layer.name,
               exit_code, err);
}

}  // namespace vp::workload
