#include "platform/run/serial_run.h"

#include <algorithm>
#include <atomic>
#include <ostream>
#include <sstream>
#include <systemc>
#include <utility>

#include "models/common/tlm_time.h"
#include "models/matmul/host_port.h"
#include "models/matmul/matmul.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/run_tree.h"
#include "platform/run/stop_source.h"

namespace vp {

namespace {

/// The device at its port, and the loop that serves it.
class SerialRun {
 public:
  SerialRun(const SerialRunOptions& options, const matmul::MatmulConfig& config)
      : options_(options),
        device_("matmul", config, horizon_),
        port_("matmul_port",
              options.target.kind == matmul::SerialTarget::Kind::pty ? matmul::open_pseudo_terminal()
                                                                     : matmul::open_tcp_port(options.target.port),
              config.clock_period * device_.core().config().symbol_clocks,
              config.clock_period * device_.core().config().frame_clocks(), horizon_) {
    device_.connect(port_);
    port_.connect(device_.line());
  }

  int operator()(std::ostream& out) {
    out << "matmul: serial line at " << port_.address() << std::endl;
    const auto [code, sentence] = serve();
    finish(code, sentence, out);
    return code;
  }

 private:
  std::pair<int, std::string> serve() {
    constexpr std::chrono::milliseconds kPatience{20};
    constexpr Picoseconds kSlice = 10'000'000'000;
    std::atomic<bool> stop{false};
    const StopSource source([&stop] { stop = true; }, options_.timeout);
    const Picoseconds limit = options_.max_time.value_or(kNever);
    while (!stop && kernel_time() < limit) {
      sc_core::sc_start(to_sc_time(std::min(kSlice, limit - kernel_time())), sc_core::SC_EXIT_ON_STARVATION);
      if (!sc_core::sc_pending_activity()) port_.wait_for_input(kPatience);
    }
    if (!stop) return {kExitLimit, "the limit of simulated time was reached"};
    if (source.reason() == StopSource::Reason::timeout) return {kExitLimit, "the wall-clock limit was reached"};
    return {kExitInterrupted, "the user interrupted the run"};
  }

  void finish(int code, const std::string& sentence, std::ostream& out) {
    device_.catch_up();
    Statistics statistics;
    RunTree tree;
    tree.serial_run =
        SerialRunFigures{sentence, static_cast<std::uint64_t>(code), static_cast<double>(kernel_time()) / 1e3};
    write_figures(tree, statistics);
    device_.report(statistics.group("matmul", "MatMul device"));
    if (!options_.stats_file.empty()) {
      std::ostringstream json;
      statistics.write_json(json);
      write_file(options_.stats_file, json.str());
    }
    if (!options_.report) return;
    out << "\n-- " << sentence << " (exit code " << code << ")\n";
    for (const matmul::ErrataEvent& event : device_.errata().events()) out << "-- errata: " << to_text(event) << '\n';
    if (device_.hung_thread() >= 0) out << "-- thread " << device_.hung_thread() << " hangs in its LOAD\n";
    statistics.write_text(out, Statistics::Zeros::hidden);
  }

  const SerialRunOptions& options_;
  Horizon horizon_;
  matmul::Matmul device_;
  matmul::HostPort port_;
};

}  // namespace

int run_matmul_device(const SerialRunOptions& options, const matmul::MatmulConfig& config, std::ostream& out) {
  if (!options.stats_file.empty()) check_writable(options.stats_file);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  SerialRun run(options, config);
  return run(out);
}

}  // namespace vp
