#include "models/common/device_tree.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/irq/clint.h"
#include "models/irq/part.h"

namespace vp {

namespace {

class ClintPart : public Part, public TimeCounter {
 public:
  ClintPart(const ClintConfig& config, Site& site)
      : Part(site.name()), clint_(site.name().c_str(), config, site.horizon()) {
    site.add_window(site.name(), clint_.socket);
    site.offer<TimeCounter>(*this);
  }

  void connect(Site& site) override {
    HartInputs* const hart = site.roles().find<HartInputs>();
    if (!hart) return;
    clint_.bind_software_interrupt(hart->software_interrupt());
    clint_.bind_timer_interrupt(hart->timer_interrupt());
    clint_.bind_supervisor_timer_interrupt(hart->supervisor_timer_interrupt());
  }
  void reset() override { clint_.reset(); }
  void report(Statistics& root) const override { clint_.report(root.group(name())); }
  const RegisterBank* registers() const override { return &clint_.registers(); }
  void persist(Archive& archive) override { clint_.persist(archive); }

  std::uint64_t value_at(Picoseconds now) const override { return clint_.mtime(now); }
  void set_supervisor_compare(std::uint64_t value, Picoseconds now) override {
    clint_.set_supervisor_compare(value, now);
  }

 private:
  Clint clint_;
};

class ClintSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const ParameterGroup& group) override {
    declare_base(group, base_);
    config_.declare(group);
  }
  void outline(Outline& outline) const override {
    outline.windows.push_back({name(), {name(), base_, ClintCore::kWindow}});
    outline.hart_interrupts.push_back(name());
    outline.counts_time = true;
  }
  void describe(DeviceTree& tree) const override {
    const std::uint32_t hart = DeviceTree::kHartInterrupts;
    tree.set_timebase(frequency_of(config_.timer_clock));
    tree.add_controller({"clint",
                         base_,
                         ClintCore::kWindow,
                         {"sifive,clint0", "riscv,clint0"},
                         {},
                         {{"interrupts-extended", std::vector<std::uint32_t>{hart, DeviceTree::kMachineSoftware, hart,
                                                                             DeviceTree::kMachineTimer}}}});
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<ClintPart>(config_, site); }

 private:
  std::uint64_t base_ = kNoBase;
  ClintConfig config_;
};

}  // namespace

const PartKind& clint_kind() {
  static const PartKind kind{"clint", "core-local interrupts: timer and software", make_settings<ClintSettings>};
  return kind;
}

}  // namespace vp
