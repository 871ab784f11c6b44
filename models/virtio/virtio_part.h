#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/common/archive.h"
#include "models/common/bounds.h"
#include "models/common/device_tree.h"
#include "models/common/figures.h"
#include "models/common/master_device_settings.h"
#include "models/common/site.h"
#include "models/common/timeline_sink.h"
#include "models/common/tlm_time.h"
#include "models/virtio/virtio.h"

namespace vp {

/// What the parts of all virtio devices have in common. Behind is the device itself.
template <typename Behind, typename Config>
class VirtioPart : public Part {
 public:
  VirtioPart(const char* noun, const Config& config, Site& site)
      : Part(site.name()),
        noun_(noun),
        config_(config),
        behind_(config),
        virtio_(site.name().c_str(), site.horizon(), config, behind_) {
    site.add_window(site.name(), virtio_.socket);
    site.add_initiator(site.name(), virtio_.master, {config.data_width, config.clock},
                       [this](bool write) { return virtio_.master.bytes(write); });
    site.connect_interrupt("interrupt",
                           [this](InterruptLine::Receiver receiver) { virtio_.bind_interrupt(std::move(receiver)); });
  }

  void reset() override { virtio_.reset(); }
  void set_fidelity(Fidelity fidelity) override { virtio_.core().set_fidelity(fidelity); }
  void report(Statistics& root) const override {
    Statistics& group = root.group(name(), noun_);
    virtio::Figures figures = virtio_.core().figures();
    if (const Picoseconds now = kernel_time(); now != 0)
      figures.busy_share = 100 * static_cast<double>(figures.busy) / static_cast<double>(now);
    write_figures(figures, group);
    behind_.report(group);
  }
  void bounds(Bounds& bounds) const override {
    bounds.movers.push_back({name(), 1e12 * config_.word_bytes() / static_cast<double>(config_.clock), behind_.bytes(),
                             virtio_.core().figures().busy});
  }
  std::vector<Finding> findings(const OriginText& origin) override { return virtio_.core().findings(origin); }
  std::string broken_conservation() const override { return virtio_.core().broken_conservation(); }
  std::vector<std::string> work() override { return virtio_.core().work(); }
  const RegisterBank* registers() const override { return &virtio_.core().registers(); }
  void trace(TimelineSink& timeline) override {
    track_ = timeline.add_track(name());
    virtio_.core().on_request([this, &timeline](Picoseconds start, Picoseconds end, bool dropped) {
      timeline.add(*track_, start, end, dropped ? "dropped" : "busy");
    });
  }
  void persist(Archive& archive) override { archive("virtio", virtio_); }

 protected:
  Behind& behind() { return behind_; }
  Virtio& virtio() { return virtio_; }

 private:
  const char* const noun_;
  const Config config_;
  Behind behind_;
  Virtio virtio_;
  std::optional<TimelineSink::Track> track_;
};

template <typename Config, typename Built>
class VirtioSettings : public MasterDeviceSettings<Config> {
 public:
  VirtioSettings(std::string name, const char* noun)
      : MasterDeviceSettings<Config>(std::move(name), virtio::Core::kWindow), noun_(noun) {}

  std::string noun() const override { return noun_; }
  /// As Linux' binding of virtio over MMIO has it; what the device is, its registers tell.
  void describe(DeviceTree& tree) const override {
    tree.add_device(this->name(), {"virtio_mmio", this->base_, this->window_, {"virtio,mmio"}, {this->interrupt_}, {}});
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<Built>(noun_, this->config_, site); }

 private:
  const char* const noun_;
};

}  // namespace vp
