#pragma once

#include <cstdint>
#include <vector>

#include "models/virtio/queue.h"

namespace vp {

// Registers of the transport and bits, as the specification writes them.
enum VirtioOffset : unsigned {
  MagicValue = 0x00,
  Version = 0x04,
  DeviceID = 0x08,
  DeviceFeatures = 0x10,
  DeviceFeaturesSel = 0x14,
  DriverFeatures = 0x20,
  DriverFeaturesSel = 0x24,
  QueueSel = 0x30,
  QueueNumMax = 0x34,
  QueueNum = 0x38,
  QueueReady = 0x44,
  QueueNotify = 0x50,
  InterruptStatus = 0x60,
  InterruptACK = 0x64,
  Status = 0x70,
  QueueDescLow = 0x80,
  QueueDriverLow = 0x90,
  QueueDeviceLow = 0xA0,
  SHMLenLow = 0xB0,
  ConfigGeneration = 0xFC,
  Config = 0x100,
};
enum VirtioBit : unsigned {
  kAcknowledge = 1,
  kDriver = 2,
  kDriverOk = 4,
  kFeaturesOk = 8,
  kNeedsReset = 0x40,
  kAllOk = kAcknowledge | kDriver | kDriverOk | kFeaturesOk,
  kUsedBuffer = 1,
  kConfigChange = 2,
};
/// Types of a request to a disk, and its status.
enum DiskRequest : std::uint32_t { kIn = 0, kOut = 1, kFlush = 4, kGetId = 8, kDiscard = 11 };
enum DiskStatus : std::uint8_t { kOk = 0, kIoError = 1, kUnsupported = 2 };
constexpr std::uint64_t kVersion1 = std::uint64_t{1} << 32, kIndirectDesc = 1u << 28, kEventIdx = 1u << 29;

/// The driver's side of a split virtqueue, in memory of a test. `memory` is the host's address of guest address
/// `origin`.
class GuestRing {
 public:
  enum Flag : unsigned { kNext = 1, kWrite = 2, kIndirect = 4 };
  struct Buffer {
    std::uint64_t address;
    std::uint32_t size;
    bool device_writes;
  };

  GuestRing(std::uint8_t* memory, std::uint64_t origin, std::uint64_t base, std::uint32_t size)
      : memory_(memory), origin_(origin) {
    place.size = size;
    place.descriptors = base;
    place.driver = base + 16 * std::uint64_t{size};
    place.device = (place.driver + 6 + 2 * std::uint64_t{size} + 3) / 4 * 4;
  }

  void put(std::uint64_t address, std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) memory_[address - origin_ + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  std::uint64_t get(std::uint64_t address, unsigned bytes) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{memory_[address - origin_ + i]} << (8 * i);
    return value;
  }

  /// A descriptor of a table.
  void describe(std::uint64_t table, unsigned index, std::uint64_t address, std::uint32_t size, unsigned flags,
                unsigned next = 0) {
    const std::uint64_t at = table + 16 * std::uint64_t{index};
    put(at, address, 8);
    put(at + 8, size, 4);
    put(at + 12, flags, 2);
    put(at + 14, next, 2);
  }
  /// The buffers as a chain in a table from `first` on.
  void chain(std::uint64_t table, unsigned first, const std::vector<Buffer>& buffers) {
    for (unsigned i = 0; i < buffers.size(); ++i)
      describe(table, first + i, buffers[i].address, buffers[i].size,
               kWrite * unsigned{buffers[i].device_writes} | kNext * unsigned{i + 1 < buffers.size()}, first + i + 1);
  }
  /// Puts a head into the available ring.
  void offer(unsigned head) {
    put(place.driver + 4 + 2 * std::uint64_t{available % place.size}, head, 2);
    put(place.driver + 2, ++available, 2);
  }
  void offer(unsigned head, const std::vector<Buffer>& buffers) {
    chain(place.descriptors, head, buffers);
    offer(head);
  }

  std::uint16_t used() const { return static_cast<std::uint16_t>(get(place.device + 2, 2)); }
  std::uint32_t used_head(unsigned index) const { return static_cast<std::uint32_t>(get(element(index), 4)); }
  std::uint32_t used_bytes(unsigned index) const { return static_cast<std::uint32_t>(get(element(index) + 4, 4)); }
  void set_flags(unsigned flags) { put(place.driver, flags, 2); }
  void set_used_event(unsigned index) { put(place.driver + 4 + 2 * std::uint64_t{place.size}, index, 2); }
  std::uint16_t avail_event() const {
    return static_cast<std::uint16_t>(get(place.device + 4 + 8 * std::uint64_t{place.size}, 2));
  }

  virtio::QueuePlace place;
  std::uint16_t available = 0;

 private:
  std::uint64_t element(unsigned index) const { return place.device + 4 + 8 * std::uint64_t{index % place.size}; }

  std::uint8_t* const memory_;
  const std::uint64_t origin_;
};

}  // namespace vp
