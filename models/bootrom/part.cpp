#include "models/bootrom/part.h"

#include "models/bootrom/boot_rom.h"
#include "models/common/device_tree.h"
#include "models/common/machine_roles.h"
#include "models/common/site.h"

namespace vp {

namespace {

class BootRomPart : public Part, public BootImage {
 public:
  BootRomPart(std::uint64_t base, Site& site) : Part(site.name()), base_(base), rom_(site.name().c_str()) {
    site.add_window(site.name(), rom_.socket);
    site.offer<BootImage>(*this);
  }

  void install(const BootHandOver& hand_over, const std::vector<std::uint8_t>& device_tree) override {
    rom_.install(hand_over, base_, device_tree);
  }
  void persist(Archive& archive) override { rom_.persist(archive); }

 private:
  const std::uint64_t base_;
  BootRom rom_;
};

class BootRomSettings : public PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const ParameterGroup& group) override {
    declare_base(group, base_);
    group.text("boot_arguments", boot_arguments_, "bootargs of the device tree");
  }
  void outline(Outline& outline) const override {
    outline.windows.push_back({name(), {name(), base_, BootRom::kWindow, true}});
    if (!outline.reset_vector) outline.reset_vector = base_;
  }
  void describe(DeviceTree& tree) const override { tree.set_boot_arguments(boot_arguments_); }
  std::unique_ptr<Part> build(Site& site) const override { return std::make_unique<BootRomPart>(base_, site); }

 private:
  std::uint64_t base_ = kNoBase;
  std::string boot_arguments_;
};

}  // namespace

const PartKind& bootrom_kind() {
  static const PartKind kind{"bootrom", "boot ROM with the reset code and the device tree",
                             make_settings<BootRomSettings>};
  return kind;
}

}  // namespace vp
