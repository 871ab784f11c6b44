#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/machine_roles.h"
#include "models/common/tlm_target.h"

namespace vp {

class Archive;

/// Read-only memory with the reset code at its start and the device tree behind it. Grants DMI for reads. Takes no time
/// of its own; writes are command errors.
class BootRom : public sc_core::sc_module, private TargetModel {
 public:
  static constexpr std::uint64_t kWindow = 0x10000;
  /// Offset of the device tree.
  static constexpr std::uint64_t kDeviceTreeOffset = 0x100;

  explicit BootRom(sc_core::sc_module_name name);

  /// Writes code and tree. base: where the ROM is mapped. Throws UserError if the tree does not fit.
  void install(const BootHandOver& hand_over, std::uint64_t base, const std::vector<std::uint8_t>& device_tree);
  void reset() {}
  void persist(Archive& archive);

 private:
  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override;
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override;
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override;
  unsigned debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) override;
  std::optional<DmiRegion> dmi(std::uint64_t offset) override;
  bool grants_dmi() const override { return true; }

  std::vector<std::uint8_t> contents_;

 public:
  TlmTarget socket;
};

}  // namespace vp
