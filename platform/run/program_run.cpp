#include "platform/run/program_run.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include "models/common/error.h"
#include "models/common/figures.h"
#include "models/common/stop_request.h"
#include "models/common/wording.h"
#include "models/tinytpu/closed_form.h"
#include "models/tinytpu/issue_log.h"
#include "models/tinytpu/original_text.h"
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

/// The vectors of the original's text under one name.
using Vectors = std::optional<std::vector<std::vector<std::uint8_t>>>;

std::vector<BufferRow> read_buffer(const std::string& path, Vectors tinytpu::OriginalText::*block,
                                   const char* block_name, unsigned width, unsigned depth) {
  if (path.empty()) return {};
  const std::string content = read_file(path);
  if (is_binary(path)) return tinytpu::split_buffer(content, path, width, depth);
  if (!tinytpu::is_original_text(content)) return tinytpu::parse_buffer(content, path, width, depth);
  const Vectors vectors = tinytpu::parse_original_text(content, path).*block;
  if (!vectors) throw UserError(path + ": there is no block " + block_name);
  return tinytpu::buffer_rows(*vectors, path, width, depth);
}

/// What is run, and what the buffers hold before.
struct Job {
  std::vector<Instruction> program;
  std::vector<BufferRow> weights, inputs;
  std::optional<tinytpu::NetworkSize> network;
};

Job read_job(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config) {
  Job job;
  std::string weights = options.weights, inputs = options.inputs;
  if (options.network) {
    tinytpu::NetworkProgram network = tinytpu::network_program(config.matrix_width, *options.network);
    job.program = std::move(network.instructions);
    job.network = network.size;
  } else {
    const std::string text = read_file(options.program);
    job.program = tinytpu::read_instructions(text, options.program);
    if (tinytpu::is_original_text(text)) {  // its file may hold the buffers, too
      const tinytpu::OriginalText blocks = tinytpu::parse_original_text(text, options.program);
      if (weights.empty() && blocks.weights) weights = options.program;
      if (inputs.empty() && blocks.inputs) inputs = options.program;
    }
  }
  job.weights =
      read_buffer(weights, &tinytpu::OriginalText::weights, "weights:[", config.matrix_width, config.weight_depth);
  job.inputs =
      read_buffer(inputs, &tinytpu::OriginalText::inputs, "inputs:[", config.matrix_width, config.unified_buffer_depth);
  return job;
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

/// "14 vectors in 1 pass of 14"
std::string batch_text(const tinytpu::NetworkSize& size, unsigned width) {
  return counted(size.vectors, "vector") + " in " + std::to_string(size.passes) +
         (size.passes == 1 ? " pass of " : " passes of ") + std::to_string(width);
}

/// Multiply-accumulates that the array has done, padding included.
std::uint64_t mapped_macs(Core& core) { return tinytpu::compute_use("", core.config(), core.figures()).mapped_macs; }

/// What a network's run comes to; only for one that ran to its end.
void print_network(const tinytpu::NetworkSize& size, const tinytpu::Network& network, std::uint64_t cycles,
                   std::uint64_t mapped_macs, const tinytpu::TinyTpuConfig& config, std::ostream& out) {
  const auto vectors = static_cast<double>(size.vectors);
  const double time = microseconds(cycles, config.clock_period);
  const auto useful = static_cast<double>(size.useful_macs);
  const double peak = static_cast<double>(config.matrix_width) * config.matrix_width * static_cast<double>(cycles);
  const bool original = network.layout == tinytpu::NetworkLayout::original;
  out << std::fixed << std::setprecision(3) << "network        " << batch_text(size, config.matrix_width) << ", "
      << (original ? "one synchronize a pass (--layout original)" : "a synchronize behind every layer") << '\n'
      << "time           " << cycles << " cycles, " << time << " us; a vector " << static_cast<double>(cycles) / vectors
      << " cycles, " << time / vectors << " us\n"
      << std::setprecision(2) << "useful work    " << size.useful_macs << " multiply-accumulates, "
      << 100 * useful / peak << " % of the array's peak; " << 100 * useful / static_cast<double>(mapped_macs)
      << " % of the " << mapped_macs << " mapped ones, the rest is padding\n";
}

void print_timing(const ProgramOutcome& outcome, std::size_t instructions, const ProgramRunOptions& options,
                  const tinytpu::TinyTpuConfig& config, std::ostream& out) {
  const tinytpu::ProgramRun& run = outcome.run;
  out << "instructions   " << instructions << " (pushed " << run.pushes.size() << ", one every " << options.feed_gap
      << " cycles at most)\n"
      << std::fixed << std::setprecision(3);
  if (!options.network)
    out << "last event     cycle " << run.last_edge << ", " << microseconds(run.last_edge, config.clock_period)
        << " us\n";
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

/// Of a network that ran to its end, what lies between first fetch and last synchronize; else all up to the last event.
std::uint64_t cycles_of(const ProgramOutcome& outcome, const Job& job) {
  return job.network && outcome.exit_code == kExitSuccess ? outcome.run.elapsed() : outcome.run.last_edge;
}

ProgramRunFigures run_figures(Core& core, const ProgramOutcome& outcome, const Job& job) {
  const auto period = static_cast<double>(core.config().clock_period);
  ProgramRunFigures figures;
  figures.exit_code = static_cast<std::uint64_t>(outcome.exit_code);
  figures.cycles = cycles_of(outcome, job);
  figures.simulated_time = static_cast<double>(figures.cycles) * period / 1e3;
  if (!outcome.run.runtimes.empty()) figures.runtime = outcome.run.runtimes.back();
  if (core.config().hazard_report) figures.hazards = core.hazards().total();
  if (!job.network) return figures;
  figures.vectors = job.network->vectors;
  figures.passes = job.network->passes;
  if (outcome.exit_code != kExitSuccess) return figures;
  figures.cycles_per_vector = static_cast<double>(figures.cycles) / static_cast<double>(job.network->vectors);
  figures.time_per_vector = figures.simulated_time / static_cast<double>(job.network->vectors);
  return figures;
}

void write_statistics(Core& core, const ProgramOutcome& outcome, const Job& job, const ProgramRunOptions& options,
                      const ProvenanceFigures& provenance) {
  if (options.stats_file.empty()) return;
  RunTree tree;
  tree.program_run = run_figures(core, outcome, job);
  tree.alone.emplace();
  Statistics statistics;
  write_figures(tree, statistics);
  const tinytpu::CoreFigures figures = core.figures();
  write_figures(figures, statistics.group(options.part, "tinyTPU"));
  Bounds bounds;
  bounds.functional_time = tree.program_run->cycles * core.config().clock_period;
  bounds.computes.push_back(tinytpu::compute_use(options.part, core.config(), figures));
  if (job.network && outcome.exit_code == kExitSuccess) bounds.computes[0].useful_macs = job.network->useful_macs;
  tinytpu::add_cost(core.config(), bounds.cost);
  report_bounds(bounds, statistics);
  if (options.parameters) report_configuration(*options.parameters, statistics);
  write_statistics_file(statistics, provenance, options.stats_file);
}

}  // namespace

ProgramOutcome execute_program(Core& core, const std::vector<Instruction>& program, const ProgramRunOptions& options,
                               StopRequest& stop) {
  core.heed(stop);
  const StopSource source([&stop](StopSource::Reason) { stop.ask(); }, options.timeout);
  Edge limit = options.max_cycles ? std::min<Edge>(*options.max_cycles, tinytpu::kNoEdge) : tinytpu::kNoEdge;
  std::string sentence = "the limit of " + counted(limit, "cycle") + " was reached";
  if (options.max_time != kNever && options.max_time / core.config().clock_period < limit) {
    limit = options.max_time / core.config().clock_period;
    sentence = "the limit of " + readable_time(options.max_time) + " simulated time was reached";
  }
  ProgramOutcome outcome;
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

int run_tpu_program(const ProgramRunOptions& options, const tinytpu::TinyTpuConfig& config, std::ostream& out) {
  const Job job = read_job(options, config);
  for (const std::string& path : {options.results, options.stats_file, options.timeline_file})
    if (!path.empty()) check_writable(path);
  const ProvenanceFigures provenance = provenance_of(options.program, options.stats_file);
  Core core(config);
  for (const BufferRow& row : job.weights) core.write_weights(row.row, row.bytes.data());
  for (const BufferRow& row : job.inputs) core.write_unified_buffer(row.row, row.bytes.data());
  Timeline timeline;
  tinytpu::UnitTracks tracks(options.part, timeline, config.clock_period);
  if (!options.timeline_file.empty()) core.set_observer(&tracks);
  tinytpu::IssueLog instructions(core);
  std::optional<InstructionLog> log;
  if (options.instruction_log) log.emplace(instructions, options.instruction_log->file).begin();
  StopRequest stop;
  const ProgramOutcome outcome = execute_program(core, job.program, options, stop);
  if (log) log->end();
  if (job.network && outcome.exit_code == kExitSuccess)
    print_network(*job.network, *options.network, outcome.run.elapsed(), mapped_macs(core), config, out);
  print_timing(outcome, job.program.size(), options, config, out);
  if (const Edge edge = core.given_up_at(); edge != tinytpu::kNoEdge)
    out << "given up       rows from cycle " << edge << " on were not worked off\n";
  print_hazards(core, out);
  if (!options.network || !job.weights.empty() || !job.inputs.empty() || !options.results.empty())
    give_results(changed_rows(core, job.inputs), options.results, out);
  else
    out << "results        none: weights and inputs are zero (--weights, --inputs)\n";
  write_statistics(core, outcome, job, options, provenance);
  write_timeline(timeline, options.timeline_file);
  return outcome.exit_code;
}

}  // namespace vp
