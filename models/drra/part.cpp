#include "models/drra/part.h"

#include <optional>

#include "models/common/archive.h"
#include "models/common/bounds.h"
#include "models/common/device_tree.h"
#include "models/common/figures.h"
#include "models/common/master_device_settings.h"
#include "models/common/site.h"
#include "models/common/timeline_sink.h"
#include "models/drra/core_report.h"
#include "models/drra/decode_log.h"
#include "models/drra/drra.h"
#include "models/drra/work.h"

namespace vp {
namespace {

class DrraPart : public Part, private InstructionSource {
 public:
  DrraPart(const drra::DeviceConfig& config, Site& site)
      : Part(site.name()),
        config_(config),
        module_(std::make_unique<Drra>(site.name().c_str(), site.horizon(), config)) {
    site.add_window(site.name(), module_->socket);
    site.add_initiator(site.name(), module_->master, {config.dma_width, config.fabric.clock_period},
                       [this](bool write) { return module_->master.bytes(write); });
    site.connect_interrupt("interrupt",
                           [this](InterruptLine::Receiver receiver) { module_->bind_interrupt(std::move(receiver)); });
  }

  void reset() override { module_->reset(); }
  void report(Statistics& root) const override {
    module_->catch_up();
    Statistics& group = root.group(name(), "DRRA fabric");
    write_figures(module_->device().figures(), group);
    drra::report(module_->device().fabric(), group);
  }
  void bounds(Bounds& bounds) const override {
    module_->catch_up();
    const drra::Figures figures = module_->device().figures();
    const double bytes_a_cycle = config_.dma_width / 8;
    bounds.movers.push_back({name(), 1e12 * bytes_a_cycle / static_cast<double>(config_.fabric.clock_period),
                             figures.dma.bytes(), figures.dma.busy});
    bounds.engines.push_back(drra::use_of(name(), figures.run.held_up_by, config_.fabric.clock_period));
    drra::add_cost(config_.fabric, bounds.cost);
  }
  std::vector<Finding> findings(const OriginText& origin) override {
    module_->catch_up();
    return module_->device().findings(origin);
  }
  std::string broken_conservation() const override { return module_->device().broken_conservation(); }
  const RegisterBank* registers() const override { return &module_->device().registers(); }
  InstructionSource* instructions() override { return this; }
  std::vector<std::string> work() override {
    module_->catch_up();
    return drra::work_of(module_->device().fabric());
  }
  void trace(TimelineSink& timeline) override {
    runs_ = timeline.add_track(name());
    transfers_ = timeline.add_track(name() + ".dma");
    const auto draw = [&timeline](TimelineSink::Track track) {
      return [&timeline, track](Picoseconds start, Picoseconds end, bool failed) {
        timeline.add(track, start, end, failed ? "failed" : "busy");
      };
    };
    module_->device().on_run(draw(*runs_));
    module_->device().on_transfer(draw(*transfers_));
  }
  void persist(Archive& archive) override { archive("drra", *module_); }

 private:
  void log_to(InstructionSink& sink) override {
    log_ = std::make_unique<drra::DecodeLog>(module_->device().watch_fabric());
    log_->log_to(sink);
    module_->device().on_start([this](Picoseconds now, const Origin& origin) { log_->run_begins(now, origin); });
  }
  void end_log() override {
    module_->catch_up();
    log_->end_log();
  }

  const drra::DeviceConfig config_;
  std::unique_ptr<Drra> module_;
  std::unique_ptr<drra::DecodeLog> log_;
  std::optional<TimelineSink::Track> runs_, transfers_;
};

class DrraSettings : public MasterDeviceSettings<drra::DeviceConfig> {
 public:
  explicit DrraSettings(std::string name) : MasterDeviceSettings(std::move(name), drra::kDeviceWindow) {}

  std::string noun() const override { return "DRRA fabric"; }
  /// Sizes can be read from registers, too.
  void describe(DeviceTree& tree) const override {
    const drra::DrraConfig& fabric = config_.fabric;
    tree.add_device(name(), {"drra",
                             base_,
                             window_,
                             {"tinytpu-vp,drra"},
                             {interrupt_},
                             {{"columns", std::uint32_t{fabric.columns}},
                              {"dimarch-rows", std::uint32_t{fabric.dimarch_rows}},
                              {"io-rows", std::uint32_t{fabric.io_rows}},
                              {"clock-frequency", frequency_of(fabric.clock_period)}}});
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<DrraPart>(config_, site); }
};

}  // namespace

const PartKind& drra_kind() {
  static const PartKind kind{"drra", "DRRA fabric: two rows of reconfigurable cells under a distributed memory",
                             make_settings<DrraSettings>};
  return kind;
}

}  // namespace vp
