#include "models/bootrom/boot_rom.h"

#include <algorithm>
#include <cstring>

#include "models/bootrom/reset_code.h"
#include "models/common/archive.h"
#include "models/common/error.h"

namespace vp {

BootRom::BootRom(sc_core::sc_module_name module_name)
    : sc_module(module_name), contents_(kWindow), socket("socket", *this, {kWindow, 0}) {}

void BootRom::install(const BootHandOver& hand_over, std::uint64_t base, const std::vector<std::uint8_t>& device_tree) {
  if (device_tree.size() > kWindow - kDeviceTreeOffset)
    throw UserError("the device tree has " + std::to_string(device_tree.size()) +
                    " bytes, but the boot ROM has room for " + std::to_string(kWindow - kDeviceTreeOffset));
  const ResetCode code{hand_over.xlen, hand_over.entry, hand_over.device_tree.value_or(base + kDeviceTreeOffset),
                       hand_over.argument};
  const std::vector<std::uint8_t> bytes = code.bytes();
  std::fill(contents_.begin(), contents_.end(), std::uint8_t{0});
  std::copy(bytes.begin(), bytes.end(), contents_.begin());
  std::copy(device_tree.begin(), device_tree.end(), contents_.begin() + kDeviceTreeOffset);
}

void BootRom::persist(Archive& archive) {
  archive.sparse("contents", contents_.data(), contents_.size())("socket", socket);
}

AccessResult BootRom::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds&) {
  std::memcpy(data, &contents_[offset], size);
  return AccessResult::ok;
}

AccessResult BootRom::write(std::uint64_t, const std::uint8_t*, unsigned, Picoseconds&) {
  return AccessResult::command_error;
}

unsigned BootRom::debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) {
  std::memcpy(data, &contents_[offset], size);
  return size;
}

unsigned BootRom::debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) {
  std::memcpy(&contents_[offset], data, size);
  return size;
}

std::optional<DmiRegion> BootRom::dmi(std::uint64_t) {
  DmiRegion region;
  region.host = contents_.data();
  region.last = kWindow - 1;
  region.readable = true;
  return region;
}

}  // namespace vp
