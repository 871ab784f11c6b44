#include "platform/run/serial_run.h"

#include <algorithm>
#include <ostream>
#include <systemc>
#include <utility>

#include "models/common/host_wake.h"
#include "models/common/stop_request.h"
#include "models/common/tlm_time.h"
#include "models/matmul/host_port.h"
#include "models/matmul/matmul.h"
#include "models/matmul/thread_log.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/run_tree.h"
#include "platform/run/kernel_messages.h"
#include "platform/run/provenance.h"
#include "platform/run/stop_source.h"

namespace vp {

namespace {

/// The device at its port, and the loop that serves it.
class SerialRun {
 public:
  SerialRun(const SerialRunOptions& options, const matmul::MatmulConfig& config)
      : options_(options),
        device_("matmul", config, horizon_),
        port_("matmul_port", open_host_link(options.target),
              config.clock_period * device_.core().config().symbol_clocks,
              config.clock_period * device_.core().config().frame_clocks(), horizon_, host_wake_),
        instructions_(device_.core(), config.clock_period) {
    device_.connect(port_);
    port_.connect(device_.line());
    if (options.instruction_log) log_.emplace(instructions_, options.instruction_log->file);
  }

  int operator()(std::ostream& out) {
    out << "matmul: serial line at " << port_.address() << std::endl;
    if (log_) log_->begin();
    const auto [code, sentence] = serve();
    finish(code, sentence, out);
    return code;
  }

 private:
  std::pair<int, std::string> serve() {
    const StopSource source(
        [this](StopSource::Reason) {
          stop_.ask();
          stop_bell_.ring();
        },
        options_.timeout);
    while (!stop_.asked() && advance()) continue;
    if (!stop_.asked()) return {kExitLimit, "the limit of simulated time was reached"};
    if (source.reason() == StopSource::Reason::timeout) return {kExitLimit, "the wall-clock limit was reached"};
    return {kExitInterrupted, "the user interrupted the run"};
  }

  /// Simulates a slice of time. If nothing happens in one, input is waited for in host time, and simulated time goes on
  /// about as fast towards an event far ahead (the end of a hanging LOAD). Returns false at the limit.
  bool advance() {
    constexpr std::chrono::milliseconds kPatience{10};
    constexpr Picoseconds kSlice = 10'000'000'000;
    const Picoseconds left = options_.max_time.value_or(kNever) - kernel_time();
    const bool anything = sc_core::sc_pending_activity();
    const Picoseconds next = anything ? from_sc_time(sc_core::sc_time_to_pending_activity()) : kNever;
    if (anything && next > left) {
      sc_core::sc_start(to_sc_time(left), sc_core::SC_RUN_TO_TIME);
      return false;
    }
    if (next > kSlice && host_wake_.wait(kPatience)) return true;  // its arrival is an event at once
    if (anything)
      sc_core::sc_start(to_sc_time(std::min(kSlice, left)),
                        next > kSlice ? sc_core::SC_RUN_TO_TIME : sc_core::SC_EXIT_ON_STARVATION);
    return true;
  }

  void finish(int code, const std::string& sentence, std::ostream& out) {
    device_.catch_up();
    if (log_) log_->end();
    Statistics statistics;
    RunTree tree;
    tree.serial_run =
        SerialRunFigures{sentence, static_cast<std::uint64_t>(code), static_cast<double>(kernel_time()) / 1e3};
    tree.alone.emplace();
    write_figures(tree, statistics);
    device_.report(statistics.group("matmul", "MatMul device"));
    if (!options_.stats_file.empty()) {
      Statistics whole = statistics;
      write_statistics_file(whole, provenance_, options_.stats_file);
    }
    if (!options_.report) return;
    out << "\n-- " << sentence << " (exit code " << code << ")\n";
    for (const matmul::ErrataEvent& event : device_.errata().events()) out << "-- errata: " << to_text(event) << '\n';
    if (device_.hung_thread() >= 0) out << "-- thread " << device_.hung_thread() << " hangs in its LOAD\n";
    statistics.write_text(out, Statistics::Zeros::hidden);
  }

  const SerialRunOptions& options_;
  StopRequest stop_;
  HostWake host_wake_;
  HostWake::Bell stop_bell_{host_wake_, [] { sc_core::sc_stop(); }};
  Horizon horizon_;
  matmul::Matmul device_;
  matmul::HostPort port_;
  const ProvenanceFigures provenance_ = provenance_of("", options_.stats_file);
  matmul::ThreadLog instructions_;
  std::optional<InstructionLog> log_;
};

}  // namespace

int run_matmul_device(const SerialRunOptions& options, const matmul::MatmulConfig& config, std::ostream& out) {
  if (!options.stats_file.empty()) check_writable(options.stats_file);
  tame_kernel_messages();
  SerialRun run(options, config);
  return run(out);
}

}  // namespace vp
