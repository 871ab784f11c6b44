#include "models/traffic/traffic_generator.h"

#include "models/common/tlm_time.h"

namespace vp {

TrafficGenerator::TrafficGenerator(sc_core::sc_module_name module_name, const TrafficConfig& config,
                                   Picoseconds bus_cycle)
    : sc_module(module_name),
      master("master", {config.outstanding, config.burst}),
      source_(config, bus_cycle),
      look_again_("look_again") {
  master.attach(*this);
  SC_HAS_PROCESS(TrafficGenerator);
  SC_METHOD(plan);
  sensitive << look_again_;
  dont_initialize();
}

void TrafficGenerator::fill_only(Liveness& liveness) {
  source_.work_while([&liveness] { return liveness.anyone(); });
  liveness.on_revival([this] { plan(); });
}

void TrafficGenerator::plan() {
  const Picoseconds again = source_.plan(master);
  if (again != kNever) look_again_.notify(to_sc_time(again - kernel_time()));
}

void TrafficGenerator::completed(MasterPort::Tag tag, const Answer& answer) {
  if (!answer.ok()) SC_REPORT_FATAL(name(), "a memory refused a transaction");
  source_.completed(tag, answer.completion);
  plan();
}

void TrafficGenerator::report(Statistics& statistics) const { source_.report(statistics, kernel_time()); }

}  // namespace vp
