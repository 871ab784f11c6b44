#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/virtio/block.h"
#include "models/virtio/core.h"
#include "tests/support/port_bench.h"
#include "tests/virtio/guest_ring.h"

namespace vp {

template <typename Behind>
struct BehindVirtio {
  template <typename Config>
  explicit BehindVirtio(const Config& config) : behind(config) {}
  Behind behind;
};

/// A transport with its device.
template <typename Behind, typename Config>
class VirtioWith : public BehindVirtio<Behind>, public virtio::Core {
 public:
  VirtioWith(const Config& config, MasterPort& port, VisibleTimer& timer, InterruptLine& line)
      : BehindVirtio<Behind>(config), Core(config, this->behind, port, timer, line) {}
};

/// A virtio device with a memory, without SystemC, and a driver for it: time goes from event to event.
template <typename Behind, typename Config>
class VirtioBench : public PortBench<VirtioWith<Behind, Config>, Config> {
  using Base = PortBench<VirtioWith<Behind, Config>, Config>;

 public:
  static constexpr std::uint64_t kRing = 0x1000, kRingDistance = 0x2000;  // of queues in memory

  explicit VirtioBench(const Config& config = {}, std::size_t memory_bytes = 1 << 20)
      : Base(config, memory_bytes, {config.clock, config.word_bytes(), 60'000, config.outstanding}) {
    this->lines.bind([this](bool level) { edges.emplace_back(this->now(), level); });
  }

  /// Everything up to DRIVER_OK, with rings of `size` entries.
  void set_up(std::uint32_t size, std::uint64_t features = kVersion1) {
    negotiate(features);
    rings.clear();
    for (unsigned i = 0; i < this->core.behind.queues(); ++i) {
      std::uint8_t* const memory = this->port.memory.data();
      std::fill_n(memory + kRing + i * kRingDistance, kRingDistance, std::uint8_t{0});
      rings.push_back(std::make_unique<GuestRing>(memory, 0, kRing + i * kRingDistance, size));
      place(i, rings.back()->place);
      this->write(QueueReady, 1);
    }
    this->write(Status, kAllOk);
  }
  void negotiate(std::uint64_t features) {
    this->write(Status, 0);
    this->write(Status, kAcknowledge | kDriver);
    for (const unsigned half : {0u, 1u}) {
      this->write(DriverFeaturesSel, half);
      this->write(DriverFeatures, static_cast<std::uint32_t>(features >> (32 * half)));
    }
    this->write(Status, kAcknowledge | kDriver | kFeaturesOk);
  }
  void place(unsigned queue, const virtio::QueuePlace& place) {
    this->write(QueueSel, queue);
    this->write(QueueNum, place.size);
    for (const auto& [offset, address] :
         {std::pair(QueueDescLow, place.descriptors), std::pair(QueueDriverLow, place.driver),
          std::pair(QueueDeviceLow, place.device)}) {
      this->write(offset, static_cast<std::uint32_t>(address));
      this->write(offset + 4, static_cast<std::uint32_t>(address >> 32));
    }
  }
  GuestRing& ring(unsigned queue = 0) { return *rings[queue]; }
  void notify(unsigned queue = 0) { this->write(QueueNotify, queue); }
  bool needs_reset() { return (this->read(Status) & kNeedsReset) != 0; }
  std::string first_finding() {
    const std::vector<Finding> findings = this->core.findings();
    return findings.empty() ? "" : findings.front().text;
  }

  std::vector<std::unique_ptr<GuestRing>> rings;
  std::vector<std::pair<Picoseconds, bool>> edges;  ///< of the interrupt line
};

/// With a disk, whose requests' header, data and status have fixed places.
class DiskBench : public VirtioBench<virtio::Block, virtio::BlockConfig> {
 public:
  static constexpr std::uint64_t kHeader = 0x8000, kStatus = 0x8100, kData = 0x10000;
  static constexpr std::uint8_t kUntouched = 0xEE;

  using VirtioBench::VirtioBench;

  static virtio::BlockConfig small(std::uint64_t bytes = 1 << 20) {
    virtio::BlockConfig config;
    config.size = bytes;
    return config;
  }

  void put_header(std::uint32_t type, std::uint64_t sector) {
    ring().put(kHeader, type, 4);
    ring().put(kHeader + 4, 0, 4);
    ring().put(kHeader + 8, sector, 8);
    port.memory[kStatus] = kUntouched;
  }
  static std::vector<GuestRing::Buffer> request(std::uint32_t type, std::uint32_t bytes) {
    std::vector<GuestRing::Buffer> buffers{{kHeader, 16, false}};
    if (bytes != 0) buffers.push_back({kData, bytes, type != 1});
    buffers.push_back({kStatus, 1, true});
    return buffers;
  }
  /// One request by itself, data at kData. Returns its status byte.
  std::uint8_t ask(std::uint32_t type, std::uint64_t sector, std::uint32_t bytes) {
    put_header(type, sector);
    ring().offer(0, request(type, bytes));
    notify();
    run();
    return port.memory[kStatus];
  }
  void fill(std::uint8_t first, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) port.memory[kData + i] = static_cast<std::uint8_t>(first + i * 7 + i / 251);
  }
  std::vector<std::uint8_t> data(std::size_t bytes) const {
    return {port.memory.begin() + kData, port.memory.begin() + static_cast<std::ptrdiff_t>(kData + bytes)};
  }
};

}  // namespace vp
