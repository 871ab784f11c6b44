#include "models/finisher/part.h"

#include "models/common/device_tree.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"
#include "models/finisher/finisher.h"

namespace vp {

namespace {

class FinisherPart : public Part {
 public:
  explicit FinisherPart(Site& site) : Part(site.name()), finisher_(site.name().c_str()) {
    site.add_window(site.name(), finisher_.socket);
  }

  void connect(Site& site) override {
    RunControl* const control = site.roles().find<RunControl>();
    if (!control) return;
    finisher_.on_finish([control](const FinishRequest& request) { finish(request, *control); });
    finisher_.on_fidelity([control](Fidelity fidelity) { control->switch_fidelity(fidelity); });
    finisher_.on_region([control](std::uint32_t name) { control->enter_region(name); });
    finisher_.on_metric([control](std::uint32_t text, std::uint32_t value) { control->report_metric(text, value); });
  }
  void set_fidelity(Fidelity fidelity) override { finisher_.set_fidelity(fidelity); }
  const RegisterBank* registers() const override { return &finisher_.registers(); }
  void persist(Archive& archive) override { finisher_.persist(archive); }

 private:
  static void finish(const FinishRequest& request, RunControl& control) {
    switch (request.kind) {
      case FinishRequest::Kind::reset:
        return control.reset_by_guest();
      case FinishRequest::Kind::pass:
        return control.end_with_success();
      case FinishRequest::Kind::fail:
        return control.end_with_code(request.code);
    }
  }

  Finisher finisher_;
};

class FinisherSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const ParameterGroup& group) override { declare_base(group, base_); }
  void outline(Outline& outline) const override {
    outline.windows.push_back({name(), {name(), base_, FinisherCore::kWindow, false, true}});
  }
  void describe(DeviceTree& tree) const override {
    tree.add_device(name(), {"test", base_, FinisherCore::kWindow, {"sifive,test1", "sifive,test0", "syscon"}, {}, {}});
    tree.set_commands(name(), {{"poweroff", "syscon-poweroff", FinisherCore::kFinisher, FinisherCore::kPass},
                               {"reboot", "syscon-reboot", FinisherCore::kFinisher, FinisherCore::kReset}});
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<FinisherPart>(site); }

 private:
  std::uint64_t base_ = kNoBase;
};

}  // namespace

const PartKind& finisher_kind() {
  static const PartKind kind{"finisher", "test finisher: a guest ends, resets or times its run",
                             make_settings<FinisherSettings>};
  return kind;
}

}  // namespace vp
