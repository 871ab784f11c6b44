#include "platform/run/drra_run.h"

#include <algorithm>
#include <atomic>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "models/common/error.h"
#include "models/common/figures.h"
#include "models/common/statistics.h"
#include "models/common/wording.h"
#include "models/drra/asm.h"
#include "models/drra/core.h"
#include "models/drra/core_report.h"
#include "models/drra/decode_log.h"
#include "models/drra/figures.h"
#include "models/drra/work_tracks.h"
#include "platform/check/drra_case.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/ideal_bounds.h"
#include "platform/report/run_bound.h"
#include "platform/report/run_tree.h"
#include "platform/report/timeline.h"
#include "platform/run/configuration_report.h"
#include "platform/run/provenance.h"
#include "platform/run/stop_source.h"
#include "platform/run/timeline_file.h"

namespace vp {
namespace {

using namespace drra;

/// Cycles of all cells between two looks at the stop request: a few milliseconds.
constexpr Cycle kStopCheck = 1 << 16;

struct Outcome {
  int exit_code = kExitSuccess;
  std::string sentence;
};

bool is_json(const std::string& content) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  return first != std::string::npos && content[first] == '{';
}

Program read_program(const std::string& path, DrraConfig& config) {
  const std::string content = read_file(path, std::size_t{64} << 20);
  if (!is_json(content)) {
    Program program = assemble(content, path);
    config.profile = program.profile.value_or(config.profile);
    return program;
  }
  const nlohmann::json file = nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
  if (file.is_discarded()) throw UserError(path + " is no valid JSON");
  if (!drra_check::is_program(file)) throw UserError(path + " is no program of the fabric (drra-golden-1)");
  try {
    config = drra_check::fabric_of(file, config);
    return drra_check::program_of(file);
  } catch (const UserError& error) {
    throw UserError(path + ": " + error.what());
  }
}

Outcome execute(Core& core, const DrraRunOptions& options) {
  std::atomic<bool> stop{false};
  const StopSource source([&stop](StopSource::Reason) { stop = true; }, options.timeout);
  core.start();
  const Cycle stop_check = kStopCheck / core.cells();
  while (!core.done() && core.cycle() < options.max_cycles && !stop)
    core.run_to(std::min(options.max_cycles, std::max(core.cycle(), core.next_event() - 1) + stop_check));
  if (core.done()) return {};
  switch (source.reason()) {
    case StopSource::Reason::interrupted:
      return {kExitInterrupted, "the user interrupted the run"};
    case StopSource::Reason::timeout:
      return {kExitLimit, "the wall-clock limit was reached"};
    case StopSource::Reason::none:
      break;
  }
  return {kExitLimit, "the limit of " + counted(options.max_cycles, "cycle") + " was reached"};
}

void print_row(const std::string& name, const Row& row, std::ostream& out) {
  out << name << ":";
  for (const std::int16_t word : row) out << ' ' << word;
  out << '\n';
}

/// The contents before the run, for comparison.
struct Contents {
  std::vector<std::array<Row, kBlocks>> registers;
  std::vector<Row> tiles;

  explicit Contents(const Core& core) {
    for (unsigned i = 0; i < core.cells(); ++i) {
      registers.emplace_back();
      for (unsigned block = 0; block < kBlocks; ++block) registers[i][block] = core.cell(i).registers.block(block);
    }
    for (unsigned row = 1; row <= core.config().dimarch_rows; ++row)
      for (unsigned column = 0; column < core.config().columns; ++column)
        for (unsigned address = 0; address < kTileRows; ++address)
          tiles.push_back(core.dimarch().tile(row, column, address));
  }
};

std::string place(unsigned row, unsigned column) { return std::to_string(row) + "," + std::to_string(column); }

/// In the form of the assembly's directives.
void print_changes(const Core& core, const Contents& before, const Contents& after, std::ostream& out) {
  out << "registers and memories that changed:\n";
  for (unsigned i = 0; i < core.cells(); ++i) {
    if (before.registers[i] == after.registers[i]) continue;
    out << ".cell " << place(core.cell(i).row, core.cell(i).column) << '\n';
    for (unsigned block = 0; block < kBlocks; ++block)
      if (before.registers[i][block] != after.registers[i][block])
        print_row(".rf " + std::to_string(block * kBlockWords), after.registers[i][block], out);
  }
  const unsigned columns = core.config().columns;
  for (std::size_t i = 0; i < after.tiles.size(); ++i) {
    if (before.tiles[i] == after.tiles[i]) continue;
    const auto tile = static_cast<unsigned>(i / kTileRows);
    print_row(".sram " + place(1 + tile / columns, tile % columns) + " " + std::to_string(i % kTileRows),
              after.tiles[i], out);
  }
  for (unsigned row = 0; row < core.config().io_rows; ++row)
    if (core.dimarch().output(row) != Row{})
      print_row("# io output " + std::to_string(row), core.dimarch().output(row), out);
}

void print_cells(const Core& core, std::ostream& out) {
  out << "cell   instructions  waiting  dpu busy     w0     w1     r0     r1  block w  block r   halt\n";
  for (unsigned i = 0; i < core.cells(); ++i) {
    const Cell& cell = core.cell(i);
    if (cell.sequencer.length() == 0) continue;
    out << std::left << std::setw(5) << place(cell.row, cell.column) << std::right << std::setw(14)
        << cell.counters.instructions << std::setw(9) << cell.counters.wait_cycles << std::setw(10)
        << cell.counters.dpu_busy;
    for (unsigned port = 0; port < kPorts; ++port)
      out << std::setw(port < block_write ? 7 : 9) << cell.registers.addresses()[port];
    out << std::setw(7) << (cell.halted == drra::kNever ? "-" : std::to_string(cell.halted)) << '\n';
  }
}

void print_findings(const Core& core, std::ostream& out) {
  out << "findings       " << core.findings().total() << '\n';
  for (const Finding& finding : core.findings().kept()) out << "  " << describe(finding) << '\n';
  if (core.findings().total() > core.findings().kept().size())
    out << "  ... " << core.findings().total() - core.findings().kept().size() << " more\n";
}

Bounds bounds_of(const Core& core) {
  Bounds bounds;
  bounds.timed_time = core.cycle() * core.config().clock_period;
  bounds.engines.push_back(use_of("drra", held_up_by(core.work_cycles(), core.cycle()), core.config().clock_period));
  add_cost(core.config(), bounds.cost);
  return bounds;
}

void write_statistics(const Core& core, const Outcome& outcome, const DrraRunOptions& options,
                      const ProvenanceFigures& provenance) {
  if (options.stats_file.empty()) return;
  Statistics statistics;
  Statistics& run = statistics.group("run", "the run as a whole");
  run.add("exit_code", static_cast<std::uint64_t>(outcome.exit_code), "1", "exit code of tinytpu-vp");
  run.add("cycles", core.last_activity(), "cycles", "to the last instruction or write");
  run.add("simulated_time",
          static_cast<double>(core.last_activity()) * static_cast<double>(core.config().clock_period) / 1e3, "ns",
          "simulated time");
  RunTree tree;
  tree.alone.emplace();
  write_figures(tree, statistics);
  RunFigures figures;
  (core.done() ? figures.runs : figures.cancelled) = 1;
  figures.cycles = core.cycle();
  figures.account_for(held_up_by(core.work_cycles(), core.cycle()), core.cycle());
  Statistics& fabric = statistics.group("drra", "DRRA fabric");
  write_figures(figures, fabric);
  report(core, fabric);
  report_bounds(bounds_of(core), statistics);
  if (options.parameters != nullptr) report_configuration(*options.parameters, statistics);
  write_statistics_file(statistics, provenance, options.stats_file);
}

}  // namespace

int run_drra_program(const DrraRunOptions& options, DrraConfig& config, std::ostream& out) {
  const Program program = read_program(options.program, config);
  const ProvenanceFigures provenance = provenance_of(options.program, options.stats_file);
  Core core(config);
  try {
    load(program, core);
  } catch (const UserError& error) {
    throw UserError(options.program + ": " + error.what());
  }
  for (const std::string& path : {options.stats_file, options.timeline_file})
    if (!path.empty()) check_writable(path);
  const Contents before(core);
  DecodeLog instructions(core);
  std::optional<InstructionLog> log;
  if (options.instruction_log) log.emplace(instructions, options.instruction_log->file).begin();
  Timeline timeline;
  std::optional<WorkTracks> tracks;
  if (!options.timeline_file.empty()) tracks.emplace(core, timeline);
  const Outcome outcome = execute(core, options);
  if (tracks) tracks->finish(core.cycle());
  if (log) log->end();
  const double microseconds =
      static_cast<double>(core.last_activity()) * static_cast<double>(config.clock_period) / 1e6;
  out << "last activity  cycle " << core.last_activity() << ", " << std::fixed << std::setprecision(3) << microseconds
      << " us\n";
  if (const auto bound = bound_figures(bounds_of(core)))
    out << "bounded by     " << bound->by << ": " << bound->sentence << '\n';
  print_cells(core, out);
  print_findings(core, out);
  print_changes(core, before, Contents(core), out);
  if (outcome.exit_code != kExitSuccess) {
    out << outcome.sentence << '\n';
    for (unsigned i = 0; i < core.cells(); ++i)
      if (core.cell(i).live) out << "  " << standing(core.cell(i)) << '\n';
  }
  write_statistics(core, outcome, options, provenance);
  write_timeline(timeline, options.timeline_file);
  return outcome.exit_code;
}

}  // namespace vp
