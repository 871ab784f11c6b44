#include "models/traffic/traffic_generator.h"

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"

namespace vp {

TrafficGenerator::TrafficGenerator(sc_core::sc_module_name module_name, const TrafficConfig& config,
                                   Picoseconds bus_cycle)
    : sc_module(module_name),
      master("master", {config.outstanding, config.burst}),
      source_(config, bus_cycle),
      look_again_due_("look_again_due") {
  master.attach(*this);
  SC_HAS_PROCESS(TrafficGenerator);
  SC_METHOD(look_again);
  sensitive << look_again_due_;
  dont_initialize();
}

void TrafficGenerator::fill_only(Liveness& liveness) {
  source_.work_while([&liveness] { return liveness.anyone(); });
  liveness.on_revival([this] { plan(); });
}

void TrafficGenerator::plan() {
  const Picoseconds again = source_.plan(master);
  if (again < look_again_at_) look_again_at(again);
}

void TrafficGenerator::look_again() {
  look_again_at_ = kNever;
  plan();
}

void TrafficGenerator::look_again_at(Picoseconds time) {
  look_again_at_ = time;
  look_again_due_.cancel();
  if (time != kNever) look_again_due_.notify(to_sc_time(time - kernel_time()));
}

void TrafficGenerator::completed(MasterPort::Tag tag, const Answer& answer) {
  if (!answer.ok()) SC_REPORT_FATAL(name(), "a memory refused a transaction");
  source_.completed(tag, answer.completion);
  plan();
}

void TrafficGenerator::set_fidelity(Fidelity fidelity) { source_.set_fidelity(fidelity, kernel_time()); }

void TrafficGenerator::persist(Archive& archive) {
  archive("source", source_)("master", master);
  Picoseconds again = look_again_at_;
  archive("look_again_at", again);
  if (archive.loading()) look_again_at(again);
}

TrafficFigures TrafficGenerator::figures() const { return source_.figures(kernel_time()); }

void TrafficGenerator::report(Statistics& statistics) const { write_figures(figures(), statistics); }

}  // namespace vp
