#include "platform/run/tensil_run.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <ostream>
#include <sstream>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "models/tensil/asm.h"
#include "models/tensil/core_report.h"
#include "models/tensil/instruction_times.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/run_tree.h"
#include "platform/run/configuration_report.h"
#include "platform/run/provenance.h"
#include "platform/run/stop_source.h"
#include "platform/run/tensil_files.h"
#include "platform/run/tensil_report.h"

namespace vp {
namespace {

using namespace tensil;

/// Instructions between two looks at whether the run was interrupted.
constexpr std::size_t kInstructionsAtOnce = 4096;

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

const std::uint8_t* bytes_of(const std::string& text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

/// The TCU with its memories and a model in them.
class TensilRun {
 public:
  TensilRun(const TensilRunOptions& options, const Model& model, const TensilConfig& config)
      : model_(model),
        dram0_(config.port_timing()),
        dram1_(config.port_timing()),
        core_(config.architecture, config.encoding, config.on_error, config.axi_width / 8, dram0_, dram1_),
        layers_(core_),
        program_(read_tensil_program(options.model, model, config)) {
    for (const Model::Constants& constants : model.constants) load(options, constants);
  }

  const Core& core() const { return core_; }
  Core& core() { return core_; }
  const std::vector<Layer>& layers() const { return layers_.layers(); }

  /// last_cycle: no instruction starts behind it. Returns whether the frame is done.
  bool run_frame(const std::vector<std::uint8_t>& frame, const std::atomic<bool>& stop, std::uint64_t last_cycle) {
    const unsigned length = model_.architecture.vector_bytes();
    const std::uint8_t* from = frame.data();
    for (const Model::Tensor& input : model_.inputs) {
      dram0_.memory().write(static_cast<std::uint32_t>(input.base * length), from, input.size * length);
      from += input.size * length;
    }
    layers_.begin_frame();
    const bool limited = last_cycle != kNoLimit;
    const std::size_t piece = (limited ? 1 : kInstructionsAtOnce) * core_.layout().instruction_bytes();
    std::size_t done = 0;
    for (; done < program_.size() && !stop && !core_.stopped(); done += piece) {
      if (limited && core_.timing().cycles() >= last_cycle) break;
      core_.push(bytes_of(program_) + done, std::min(piece, program_.size() - done));
    }
    return done >= program_.size() && !core_.stopped();
  }

  /// The outputs in DRAM0; their bytes are appended to `raw`.
  std::vector<TensilOutput> outputs(std::string& raw) {
    return read_outputs(model_, raw, [this](std::uint64_t offset, std::uint8_t* bytes, std::size_t count) {
      dram0_.memory().read(static_cast<std::uint32_t>(offset), bytes, count);
    });
  }

 private:
  void load(const TensilRunOptions& options, const Model::Constants& constants) {
    const unsigned length = model_.architecture.vector_bytes();
    const std::string content = read_tensil_companion(options.model, constants.file, constants.size * length);
    dram1_.memory().write(static_cast<std::uint32_t>(constants.base * length), bytes_of(content), content.size());
    if (model_.load_constants_to_local)
      core_.preload(static_cast<unsigned>(constants.base), bytes_of(content), static_cast<unsigned>(constants.size));
  }

  const Model& model_;
  FixedLatencyDram dram0_;
  FixedLatencyDram dram1_;
  Core core_;
  LayerAccount layers_;
  std::string program_;
};

void write_statistics(const TensilRun& run, const TensilRunOptions& options, const TensilConfig& config,
                      std::uint64_t frames, int exit_code, const ProvenanceFigures& provenance) {
  if (options.stats_file.empty()) return;
  Statistics statistics;
  Statistics& group = statistics.group("run", "the run as a whole");
  const std::uint64_t cycles = run.core().timing().cycles();
  const double nanoseconds = static_cast<double>(cycles) * static_cast<double>(config.clock_period) / 1e3;
  group.add("exit_code", static_cast<std::uint64_t>(exit_code), "1", "exit code of tinytpu-vp");
  group.add("cycles", cycles, "cycles", "of all frames" + times_doubt(run.core()));
  group.add("simulated_time", nanoseconds, "ns", "simulated time" + times_doubt(run.core()));
  group.add("frames", frames, "1", "inputs run to their end");
  if (frames > 0 && cycles > 0)
    group.add("frames_per_second", static_cast<double>(frames) * 1e9 / nanoseconds, "1/s",
              "at the TCU's clock" + times_doubt(run.core()));
  RunTree tree;
  tree.alone = AloneFigures{"device without a CPU, its cycles an estimate"};
  write_figures(tree, statistics);
  report(run.core(), statistics.group("tensil", "Tensil TCU"));
  report_layers(run.layers(), statistics.group("tensil"));
  Bounds bounds;
  bounds.timed_time = cycles * config.clock_period;
  bounds.computes.push_back(use_of(run.core(), "tensil", config.clock_period, cycles));
  add_cost(config.architecture, bounds.cost);
  report_bounds_of(run.core(), bounds, statistics);
  if (options.parameters) report_configuration(*options.parameters, statistics);
  write_statistics_file(statistics, provenance, options.stats_file);
}

/// Why the run ended early, with its exit code; nothing if it did not.
int print_end(const TensilRun& run, StopSource::Reason reason, bool limit_reached, std::ostream& out) {
  if (const auto& stop = run.core().stopped()) {
    out << "stopped at program counter " << stop->program_counter << ": "
        << disassemble(run.core().layout(), stop->instruction) << ": " << stop->reason << '\n';
    return kExitGuestError;
  }
  if (reason == StopSource::Reason::interrupted) out << "the user interrupted the run\n";
  if (reason == StopSource::Reason::timeout) out << "the wall-clock limit was reached\n";
  if (reason == StopSource::Reason::none && limit_reached) {
    out << "the limit of simulated time was reached\n";
    return kExitLimit;
  }
  return reason == StopSource::Reason::none          ? kExitSuccess
         : reason == StopSource::Reason::interrupted ? kExitInterrupted
                                                     : kExitLimit;
}

}  // namespace

Model read_tensil_model(const std::string& path) { return parse_model(read_file(path), path); }

void check_tensil_settings(const TensilConfig& config, const Model& model, const std::string& path) {
  if (const std::string other = difference(config.architecture, model.architecture); !other.empty())
    throw UserError(path + ": is compiled for one architecture and runs on no other: " + other +
                    " (compile the network again for another one)");
  config.check();
}

int run_tensil_model(const TensilRunOptions& options, const Model& model, const TensilConfig& config,
                     std::ostream& out) {
  check_tensil_settings(config, model, options.model);
  const std::vector<std::string> classes = read_classes(options.classes);
  const Frames frames = read_frames(options, model);
  for (const std::string& path : {options.stats_file, options.output})
    if (!path.empty()) check_writable(path);
  const ProvenanceFigures provenance = provenance_of(options.model, options.stats_file);
  TensilRun run(options, model, config);
  if (options.sample_interval != 0) run.core().sample_every(options.sample_interval);
  out << "model " << model.name << ": " << config.architecture.format().name << ", " << config.architecture.array_size
      << " × " << config.architecture.array_size << ", DRAM ports of " << config.axi_width << " bits\n";
  std::atomic<bool> stop{false};
  const StopSource source([&stop](StopSource::Reason) { stop = true; }, options.timeout);
  InstructionTimes instructions(run.core(), config.clock_period);
  std::optional<InstructionLog> log;
  if (options.instruction_log) log.emplace(instructions, options.instruction_log->file).begin();
  std::string raw;
  std::uint64_t done = 0;
  const std::uint64_t last_cycle = options.max_time == kNever ? kNoLimit : options.max_time / config.clock_period;
  for (; done < frames.size(); ++done) {
    if (!run.run_frame(frames[done], stop, last_cycle)) break;
    print_outputs(done, run.outputs(raw), classes, config.architecture.format(), out);
  }
  if (log) log->end();
  const int exit_code = print_end(run, source.reason(), done < frames.size(), out);
  print_run(run.core(), config, {std::max<std::uint64_t>(done, 1), run.core().timing().cycles(), run.layers()}, out);
  if (!options.output.empty()) write_file(options.output, raw);
  write_statistics(run, options, config, done, exit_code, provenance);
  return exit_code;
}

}  // namespace vp
