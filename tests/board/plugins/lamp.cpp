// A plug-in with a kind of its own: a lamp that a guest switches by a register.
#include <systemc>

#include "models/common/archive.h"
#include "models/common/device_tree.h"
#include "models/common/plugin.h"
#include "models/common/register_bank.h"
#include "models/common/site.h"
#include "models/common/statistics.h"
#include "models/common/tlm_target.h"

namespace vp {

namespace {

class Lamp : public Part, private TargetModel {
 public:
  Lamp(unsigned colour, Site& site) : Part(site.name()), module_(site.name().c_str(), *this) {
    colour_.value = colour;
    lamp_.on_write = [this](std::uint32_t value, Picoseconds&) {
      switched_ += value != lamp_.value ? 1 : 0;
      lamp_.value = value;
    };
    site.add_window(site.name(), module_.socket);
  }

  void reset() override { lamp_.value = 0; }
  void report(Statistics& root) const override {
    root.group(name(), "lamp").add("switched", switched_, "1", "times it was switched");
  }
  const RegisterBank* registers() const override { return &bank_; }
  void persist(Archive& archive) override { archive("registers", bank_)("switched", switched_); }

 private:
  struct Module : sc_core::sc_module {
    Module(sc_core::sc_module_name name, TargetModel& model) : sc_module(name), socket("socket", model, {0x100, 4}) {}
    TlmTarget socket;
  };

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.read(offset, data, size, now);
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    return bank_.write(offset, data, size, now);
  }

  RegisterBank bank_{4};
  Register<std::uint32_t> lamp_{bank_, {"LAMP", 0, "0: off"}};
  Register<std::uint32_t> colour_{bank_, {"COLOUR", 4, "as configured", RegisterMode::read_only}};
  std::uint64_t switched_ = 0;
  Module module_;
};

class LampSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const ParameterGroup& group) override {
    declare_base(group, base_);
    group.integer("colour", colour_, 0, 7, "", "what it shines in");
  }
  void outline(Outline& outline) const override { outline.windows.push_back({name(), {name(), base_, 0x100}}); }
  void describe(DeviceTree& tree) const override {
    tree.add_device(name(), {"lamp", base_, 0x100, {"example,lamp"}, {}, {}});
  }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<Lamp>(colour_, site); }

 private:
  std::uint64_t base_ = kNoBase;
  unsigned colour_ = 0;
};

const PartKind kLamp{"lamp", "a lamp that a guest switches", make_settings<LampSettings>};

}  // namespace

}  // namespace vp

VP_PLUGIN(&vp::kLamp)
