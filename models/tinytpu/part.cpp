#include "models/tinytpu/part.h"

#include "models/common/device_tree.h"
#include "models/common/handler_knowledge.h"
#include "models/common/site.h"
#include "models/common/stop_request.h"
#include "models/tinytpu/issue_log.h"
#include "models/tinytpu/memory_map.h"
#include "models/tinytpu/tinytpu.h"
#include "models/tinytpu/unit_tracks.h"

namespace vp {

namespace {

class TinyTpuPart : public Part {
 public:
  TinyTpuPart(const tinytpu::TinyTpuConfig& config, Site& site)
      : Part(site.name()),
        period_(config.clock_period),
        tpu_(std::make_unique<TinyTpu>(site.name().c_str(), site.horizon(), config)),
        log_(tpu_->device().core()) {
    site.add_window(site.name(), tpu_->socket);
    site.connect_interrupt(
        "interrupt",
        [this](InterruptLine::Receiver receiver) {
          tpu_->bind_synchronize(std::move(receiver));
          tpu_->device().core().expect_looks();
        },
        [this] { tpu_->device().core().looked(); });
    site.offer(*tpu_);
    if (const StopRequest* stop = site.roles().find<StopRequest>()) tpu_->device().core().heed(*stop);
  }

  void connect(Site& site) override {
    if (HandlerKnowledge* const host = site.roles().find<HandlerKnowledge>()) tpu_->device().core().use(*host);
  }
  void reset() override { tpu_->reset(); }
  void report(Statistics& root) const override { tpu_->report(root.group(name())); }
  const RegisterBank* registers() const override { return &tpu_->registers(); }
  void persist(Archive& archive) override { tpu_->persist(archive); }
  void bounds(Bounds& bounds) const override { tpu_->bounds(bounds); }
  std::vector<Finding> findings(const OriginText& origin) override { return tpu_->hazards(origin); }
  InstructionSource* instructions() override { return &log_; }
  std::vector<std::string> work() override { return tpu_->work(); }
  void trace(TimelineSink& timeline) override {
    tracks_ = std::make_unique<tinytpu::UnitTracks>(name(), timeline, period_);
    tpu_->device().core().set_observer(tracks_.get());
  }

 private:
  const Picoseconds period_;
  std::unique_ptr<TinyTpu> tpu_;  // its figures are taken from a core that is brought up to date first
  std::unique_ptr<tinytpu::UnitTracks> tracks_;
  tinytpu::IssueLog log_;
};

}  // namespace

void TinyTpuSettings::declare(const ParameterGroup& group) {
  declare_base(group, base_);
  declare_interrupt(group, "interrupt", interrupt_);
  config_.declare(group);
}

void TinyTpuSettings::check(const Outline&) const { tinytpu::TinyTpuDevice::check(config_); }

/// The pin is edge-triggered by its nature: high for one clock a synchronize.
void TinyTpuSettings::outline(Outline& outline) const {
  outline.windows.push_back({name(), {name(), base_, tinytpu::MemoryMap(config_).window()}});
  outline.interrupts.push_back({name(), "interrupt", interrupt_, Outline::Trigger::edge});
}

void TinyTpuSettings::describe(DeviceTree& tree) const {
  tree.add_device(name(), {"tinytpu",
                           base_,
                           tinytpu::MemoryMap(config_).window(),
                           {"jofrfu,tinytpu"},
                           {interrupt_},
                           {{"matrix-width", std::uint32_t{config_.matrix_width}},
                            {"weight-buffer-depth", std::uint32_t{config_.weight_depth}},
                            {"unified-buffer-depth", std::uint32_t{config_.unified_buffer_depth}},
                            {"fifo-depth", std::uint32_t{config_.fifo_depth}},
                            {"clock-period-ps", static_cast<std::uint32_t>(config_.clock_period)}}});
}

std::unique_ptr<Part> TinyTpuSettings::build(Site& site) const { return std::make_unique<TinyTpuPart>(config_, site); }

const PartKind& tinytpu_kind() {
  static const PartKind kind{"tinytpu", "systolic array of int8 multiply-accumulates", make_settings<TinyTpuSettings>};
  return kind;
}

}  // namespace vp
