#include "platform/run/script_run.h"

#include <algorithm>
#include <ostream>

#include "models/common/error.h"
#include "models/common/figures.h"
#include "models/matmul/figures.h"
#include "models/matmul/script.h"
#include "models/matmul/script_report.h"
#include "models/matmul/script_runner.h"
#include "models/matmul/thread_log.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/cost_figures.h"
#include "platform/report/run_tree.h"
#include "platform/run/provenance.h"
#include "platform/run/stop_source.h"

namespace vp {

namespace {

/// Far more than any script that fits the device.
constexpr std::size_t kLargestScript = std::size_t{64} << 20;

int exit_code(matmul::ScriptEnd end) {
  switch (end) {
    case matmul::ScriptEnd::finished:
      return kExitSuccess;
    case matmul::ScriptEnd::limit:
      return kExitLimit;
    case matmul::ScriptEnd::hang:
    case matmul::ScriptEnd::endless:
      break;
  }
  return kExitGuestError;
}

/// In clocks of the device, for each script; 0 for none.
std::uint64_t limit_of(const ScriptRunOptions& options, Picoseconds period) {
  std::uint64_t clocks = options.max_cycles.value_or(~std::uint64_t{0});
  if (options.max_time != kNever) clocks = std::min(clocks, std::max<std::uint64_t>(options.max_time / period, 1));
  return clocks == ~std::uint64_t{0} ? 0 : clocks;
}

void write_statistics(const matmul::Core& core, int code, const ScriptRunOptions& options,
                      const matmul::MatmulConfig& config, const ProvenanceFigures& provenance) {
  if (options.stats_file.empty()) return;
  Statistics statistics;
  RunTree tree;
  tree.script_run =
      ScriptRunFigures{static_cast<std::uint64_t>(code), core.cycle(),
                       static_cast<double>(core.cycle()) * static_cast<double>(config.clock_period) / 1e3};
  tree.alone.emplace();
  write_figures(tree, statistics);
  write_figures(matmul::figures_of(core), statistics.group("matmul", "MatMul device"));
  HardwareCost cost;
  config.add_cost(cost);
  report_cost(cost, statistics);
  write_statistics_file(statistics, provenance, options.stats_file);
}

}  // namespace

int run_matmul_scripts(const ScriptRunOptions& options, const matmul::MatmulConfig& config, std::ostream& out) {
  const matmul::CoreConfig core = config.core_config();
  std::vector<matmul::Script> scripts;
  for (const std::string& path : options.scripts)
    scripts.push_back(matmul::parse_script(read_file(path, kLargestScript), path, core));
  if (!options.stats_file.empty()) check_writable(options.stats_file);
  const ProvenanceFigures provenance =
      provenance_of(options.scripts.size() == 1 ? options.scripts[0] : "", options.stats_file);
  StopRequest stop;
  const StopSource source([&stop](StopSource::Reason) { stop.ask(); }, options.timeout);
  matmul::ScriptRunner runner(core, &stop);
  matmul::ThreadLog instructions(runner.core(), config.clock_period);
  std::optional<InstructionLog> log;
  if (options.instruction_log) log.emplace(instructions, options.instruction_log->file).begin();
  int code = kExitSuccess;
  for (std::size_t i = 0; i < scripts.size() && code == kExitSuccess; ++i) {
    const matmul::ScriptResult result = runner.run(scripts[i], limit_of(options, config.clock_period));
    matmul::print(out, result, core, config.clock_period);
    code = exit_code(result.end);
  }
  if (log) log->end();
  if (source.reason() == StopSource::Reason::interrupted) {
    out << "the user interrupted the run\n";
    code = kExitInterrupted;
  } else if (source.reason() == StopSource::Reason::timeout) {
    out << "the wall-clock limit was reached\n";
    code = kExitLimit;
  }
  write_statistics(runner.core(), code, options, config, provenance);
  return code;
}

}  // namespace vp
