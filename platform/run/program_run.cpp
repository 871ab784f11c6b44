#include "platform/run/program_run.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "models/common/error.h"
#include "models/common/figures.h"
#include "models/common/stop_request.h"
#include "models/common/wording.h"
#include "models/tinytpu/asm.h"
#include "models/tinytpu/closed_form.h"
#include "models/tinytpu/issue_log.h"
#include "models/tinytpu/program.h"
#include "models/tinytpu/unit_tracks.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/ideal_bounds.h"
#include "platform/report/run_tree.h"
#include "platform/run/configuration_report.h"
#include "platform/run/provenance.h"
#include "platform/run/run_log.h"
#include "platform/run/stop_source.h"
#include "platform/run/timeline_file.h"

namespace vp {

namespace {

using tinytpu::BufferRow;
using tinytpu::Core;
using tinytpu::Edge;
using tinytpu::Instruction;

/// Rows and findings listed on standard output; all are in the files.
constexpr std::size_t kListed = 64;

bool is_binary(const std::string& path) { return path.size() > 4 && path.compare(path.size() - 4, 4, ".bin") == 0; }

std::vector<BufferRow> read_buffer(const std::string& path, unsigned width, unsigned depth) {
  if (path.empty()) return {};
  const std::string content = read_file(path);
  return is_binary(path) ? tinytpu::split_buffer(content, path, width, depth)
                         : tinytpu::parse_buffer(content, path, width, depth);
}

std::vector<Instruction> read_program(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config) {
  if (!options.network.empty()) return tinytpu::network_program(config.matrix_width, options.network).instructions;
  return tinytpu::assemble(read_file(options.program), options.program);
}

/// How a direct run ended.
struct Outcome {
  tinytpu::ProgramRun run;
  int exit_code = kExitSuccess;
  std::string sentence;
};

/// stop: outlives the core's use.
Outcome execute(Core& core, const std::vector<Instruction>& program, const ProgramRunOptions& options,
                StopRequest& stop) {
  core.heed(stop);
  const StopSource source([&stop] { stop.ask(); }, options.timeout);
  Edge limit = options.max_cycles ? std::min<Edge>(*options.max_cycles, tinytpu::kNoEdge) : tinytpu::kNoEdge;
  std::string sentence = "the limit of " + counted(limit, "cycle") + " was reached";
  if (options.max_time != kNever && options.max_time / core.config().clock_period < limit) {
    limit = options.max_time / core.config().clock_period;
    sentence = "the limit of " + readable_time(options.max_time) + " simulated time was reached";
  }
  Outcome outcome;
  outcome.run = tinytpu::run_program(core, program, {options.feed_gap}, limit, [&stop] { return stop.asked(); });
  if (!outcome.run.stuck) return outcome;
  switch (source.reason()) {
    case StopSource::Reason::interrupted:
      return {std::move(outcome.run), kExitInterrupted, "the user interrupted the run"};
    case StopSource::Reason::timeout:
      return {std::move(outcome.run), kExitLimit, "the wall-clock limit was reached"};
    case StopSource::Reason::none:
      break;
  }
  return {std::move(outcome.run), kExitLimit, sentence};
}

/// Rows of the unified buffer that differ from what was loaded.
std::vector<BufferRow> changed_rows(Core& core, const std::vector<BufferRow>& loaded) {
  const unsigned width = core.config().matrix_width;
  std::vector<std::vector<std::uint8_t>> before(core.config().unified_buffer_depth);
  for (const BufferRow& row : loaded) before[row.row] = row.bytes;
  std::vector<BufferRow> changed;
  std::vector<std::uint8_t> bytes(width);
  for (unsigned row = 0; row < core.config().unified_buffer_depth; ++row) {
    core.read_unified_buffer(row, bytes.data());
    before[row].resize(width);
    if (bytes != before[row]) changed.push_back({row, bytes});
  }
  return changed;
}

double microseconds(std::uint64_t cycles, Picoseconds period) {
  return static_cast<double>(cycles) * static_cast<double>(period) / 1e6;
}

void print_timing(const Outcome& outcome, std::size_t instructions, const ProgramRunOptions& options,
                  const tinytpu::TinyTpuConfig& config, std::ostream& out) {
  const tinytpu::ProgramRun& run = outcome.run;
  out << "instructions   " << instructions << " (pushed " << run.pushes.size() << ", one every " << options.feed_gap
      << " cycles at most)\n"
      << "last event     cycle " << run.last_edge << ", " << std::fixed << std::setprecision(3)
      << microseconds(run.last_edge, config.clock_period) << " us\n";
  for (std::size_t i = 0; i < run.synchronizes.size() && i < kListed; ++i)
    out << "synchronize " << std::left << std::setw(3) << i << "cycle " << run.synchronizes[i] << ", runtime counter "
        << run.runtimes[i] << ", " << microseconds(run.runtimes[i], config.clock_period) << " us\n";
  if (run.synchronizes.size() > kListed) out << "synchronize ... " << run.synchronizes.size() - kListed << " more\n";
  if (!outcome.sentence.empty()) out << outcome.sentence << '\n';
}

void print_hazards(Core& core, std::ostream& out) {
  if (!core.config().hazard_report) return;
  const tinytpu::HazardReport hazards = core.hazards();
  const auto list = [&](const std::vector<tinytpu::Hazard>& findings, std::size_t& listed) {
    for (const tinytpu::Hazard& hazard : findings)
      if (++listed <= kListed) out << "  " << tinytpu::describe(hazard) << '\n';
  };
  const auto say_rest = [&](std::size_t listed) {
    if (listed > kListed) out << "  ... " << listed - kListed << " more\n";
  };
  out << "hazards        " << hazards.total() << '\n';
  std::size_t wrong = 0, by_timing = 0;
  for (unsigned kind = 0; kind < tinytpu::kHazardKinds; ++kind)
    list(hazards.findings(static_cast<tinytpu::HazardKind>(kind)), wrong);
  say_rest(wrong);
  if (hazards.by_timing_count() == 0) return;
  out << "works only by timing " << hazards.by_timing_count() << '\n';
  list(hazards.by_timing(), by_timing);
  say_rest(by_timing);
}

void give_results(const std::vector<BufferRow>& rows, const std::string& path, std::ostream& out) {
  std::string text;
  for (const BufferRow& row : rows) text += tinytpu::format_buffer_row(row.row, row.bytes) + '\n';
  out << "results        " << rows.size() << " rows of the unified buffer changed";
  if (!path.empty()) {
    out << ", in " << path << '\n';
    write_file(path, text);
    return;
  }
  out << '\n';
  for (std::size_t i = 0; i < std::min(rows.size(), kListed); ++i)
    out << "  " << tinytpu::format_buffer_row(rows[i].row, rows[i].bytes) << '\n';
  if (rows.size() > kListed) out << "  ... " << rows.size() - kListed << " more rows (--results FILE takes all)\n";
}

void write_statistics(Core& core, const Outcome& outcome, const std::string& path, Picoseconds period,
                      const ParameterTable* parameters, const ProvenanceFigures& provenance) {
  if (path.empty()) return;
  RunTree tree;
  tree.program_run =
      ProgramRunFigures{static_cast<std::uint64_t>(outcome.exit_code), outcome.run.last_edge,
                        static_cast<double>(outcome.run.last_edge) * static_cast<double>(period) / 1e3, std::nullopt};
  if (!outcome.run.runtimes.empty()) tree.program_run->runtime = outcome.run.runtimes.back();
  Statistics statistics;
  write_figures(tree, statistics);
  const tinytpu::CoreFigures figures = core.figures();
  write_figures(figures, statistics.group("tpu", "tinyTPU"));
  Bounds bounds;
  bounds.functional_time = outcome.run.last_edge * period;
  bounds.computes.push_back(tinytpu::compute_use("tpu", core.config(), figures));
  tinytpu::add_cost(core.config(), bounds.cost);
  report_bounds(bounds, statistics);
  if (parameters) report_configuration(*parameters, statistics);
  write_statistics_file(statistics, provenance, path);
}

}  // namespace

int run_tpu_program(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config, std::ostream& out) {
  const std::vector<Instruction> program = read_program(options, config);
  const auto weights = read_buffer(options.weights, config.matrix_width, config.weight_depth);
  const auto inputs = read_buffer(options.inputs, config.matrix_width, config.unified_buffer_depth);
  for (const std::string& path : {options.results, options.stats_file, options.timeline_file})
    if (!path.empty()) check_writable(path);
  const ProvenanceFigures provenance = provenance_of(options.program);
  Core core(config);
  for (const BufferRow& row : weights) core.write_weights(row.row, row.bytes.data());
  for (const BufferRow& row : inputs) core.write_unified_buffer(row.row, row.bytes.data());
  Timeline timeline;
  tinytpu::UnitTracks tracks("tpu", timeline, config.clock_period);
  if (!options.timeline_file.empty()) core.set_observer(&tracks);
  tinytpu::IssueLog instructions(core);
  std::optional<InstructionLog> log;
  if (options.instruction_log) log.emplace(instructions, options.instruction_log->file).begin();
  StopRequest stop;
  const Outcome outcome = execute(core, program, options, stop);
  if (log) log->end();
  print_timing(outcome, program.size(), options, config, out);
  if (const Edge edge = core.given_up_at(); edge != tinytpu::kNoEdge)
    out << "given up       rows from cycle " << edge << " on were not worked off\n";
  print_hazards(core, out);
  give_results(changed_rows(core, inputs), options.results, out);
  write_statistics(core, outcome, options.stats_file, config.clock_period, options.parameters, provenance);
  write_timeline(timeline, options.timeline_file);
  return outcome.exit_code;
}

int print_network_table(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config,
                        const std::vector<unsigned>& widths, std::ostream& out) {
  struct Machine {
    tinytpu::TinyTpuConfig config;
    std::vector<Instruction> program;
  };
  std::vector<Machine> machines;  // all of them before the first line is printed: a width may be refused
  for (const unsigned width : widths) {
    tinytpu::TinyTpuConfig one = config;
    one.matrix_width = width;
    machines.push_back({one, read_program(options, one)});
  }
  out << "matrix width  instructions  duration/us  runtime counter/cycles\n";
  for (const auto& [one, program] : machines) {
    Core core(one);
    StopRequest stop;
    const Outcome outcome = execute(core, program, options, stop);
    if (outcome.exit_code != kExitSuccess) {
      out << outcome.sentence << '\n';
      return outcome.exit_code;
    }
    const std::uint64_t cycles = outcome.run.runtimes.back();
    out << std::right << std::setw(12) << one.matrix_width << std::setw(14) << program.size() << std::setw(13)
        << cycles * one.clock_period / 1'000'000 << std::setw(24) << cycles << '\n';
  }
  return kExitSuccess;
}

}  // namespace vp
