#include "models/common/device_tree.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/irq/part.h"
#include "models/irq/plic.h"

namespace vp {

namespace {

class PlicPart : public Part, public InterruptInputs {
 public:
  PlicPart(const PlicConfig& config, Site& site) : Part(site.name()), plic_(site.name().c_str(), config) {
    site.add_window(site.name(), plic_.socket);
    site.offer<InterruptInputs>(*this);
  }

  void connect(Site& site) override {
    HartInputs* const hart = site.roles().find<HartInputs>();
    if (!hart) return;
    plic_.bind_output(PlicCore::kMachineContext, hart->external_interrupt());
    plic_.bind_output(PlicCore::kSupervisorContext, hart->supervisor_external_interrupt());
  }
  void reset() override { plic_.reset(); }
  void report(Statistics& root) const override { plic_.report(root.group(name())); }
  const RegisterBank* registers() const override { return &plic_.registers(); }
  void persist(Archive& archive) override { plic_.persist(archive); }

  InterruptLine::Receiver input(unsigned number, bool edge) override {
    if (edge) plic_.set_edge(number);
    return plic_.input(number);
  }
  void on_seen(unsigned number, std::function<void()> callback) override { plic_.on_seen(number, std::move(callback)); }
  State state(unsigned number) const override { return plic_.state(number); }
  std::string masked(unsigned number) const override { return plic_.masked(number); }
  void on_service(std::function<void(const InterruptService&)> callback) override {
    plic_.on_service(std::move(callback));
  }

 private:
  Plic plic_;
};

class PlicSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const ParameterGroup& group) override {
    declare_base(group, base_);
    config_.declare(group);
  }
  void outline(Outline& outline) const override {
    outline.windows.push_back({name(), {name(), base_, PlicCore::kWindow}});
    outline.controllers.push_back({name(), config_.sources, "sources"});
    outline.hart_interrupts.push_back(name());
  }
  void describe(DeviceTree& tree) const override {
    const std::uint32_t hart = DeviceTree::kHartInterrupts;
    tree.add_controller({"plic",
                         base_,
                         PlicCore::kWindow,
                         {"sifive,plic-1.0.0", "riscv,plic0"},
                         {},
                         {{"interrupts-extended", std::vector<std::uint32_t>{hart, DeviceTree::kMachineExternal, hart,
                                                                             DeviceTree::kSupervisorExternal}},
                          {"interrupt-controller", std::monostate()},
                          {"#interrupt-cells", 1u},
                          {"#address-cells", 0u},
                          {"riscv,ndev", std::uint32_t{config_.sources}},
                          {"phandle", tree.handle_of(name())}}});
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<PlicPart>(config_, site); }

 private:
  std::uint64_t base_ = kNoBase;
  PlicConfig config_;
};

}  // namespace

const PartKind& plic_kind() {
  static const PartKind kind{"plic", "platform-level interrupt controller", make_settings<PlicSettings>};
  return kind;
}

}  // namespace vp
