#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/archive.h"
#include "models/common/tlm_initiator.h"
#include "models/common/tlm_time.h"
#include "models/virtio/block.h"
#include "models/virtio/virtio.h"
#include "tests/virtio/guest_ring.h"

namespace vp {

/// A disk on a bus that is given one request after the other, each in the instant of the interrupt of the one before,
/// and what it said of each. Ring and buffers are put into the memory at `base` by accesses of a debugger.
class GuestDisk : public sc_core::sc_module {
 public:
  struct Request {
    std::uint32_t type;
    std::uint64_t sector;
    std::uint64_t data;  ///< address
    std::uint32_t bytes;
  };
  static constexpr std::uint32_t kArea = 4096;  ///< bytes in front of the memory that it uses itself

  GuestDisk(sc_core::sc_module_name module_name, Horizon& horizon, const virtio::BlockConfig& config,
            std::uint64_t base, std::vector<Request> requests)
      : sc_module(module_name),
        disk(config),
        device("device", horizon, config, disk),
        base_(base),
        requests_(std::move(requests)),
        next_("next") {
    registers_.bind(device.socket);
    device.bind_interrupt([this](bool level) {
      if (level) next_.notify(sc_core::SC_ZERO_TIME);
    });
    SC_HAS_PROCESS(GuestDisk);
    SC_METHOD(go_on);
    sensitive << next_;
    dont_initialize();
  }

  virtio::Block disk;
  Virtio device;
  std::string seen;  ///< InterruptStatus, status of the request and time of each end

  /// Starts the first request when the simulation starts.
  void begin() { begins_ = true; }
  bool done() const { return position_ > requests_.size(); }
  void persist(Archive& archive) { archive("virtio", device)("position", position_); }

 private:
  enum : unsigned { kEntries = 4, kHeader = 0x800, kStatus = 0x900 };

  void start_of_simulation() override {
    if (!begins_) return;
    std::vector<std::uint8_t> zeros(kArea);
    device.master.socket.debug_write(base_, zeros.data(), kArea);
    const GuestRing ring = this->ring(zeros);
    write(Status, kAcknowledge | kDriver);
    write(DriverFeaturesSel, 1);
    write(DriverFeatures, 1);
    write(Status, kAcknowledge | kDriver | kFeaturesOk);
    write(QueueNum, kEntries);
    write(QueueDescLow, static_cast<std::uint32_t>(ring.place.descriptors));
    write(QueueDriverLow, static_cast<std::uint32_t>(ring.place.driver));
    write(QueueDeviceLow, static_cast<std::uint32_t>(ring.place.device));
    write(QueueReady, 1);
    write(Status, kAllOk);
    start();
  }
  GuestRing ring(std::vector<std::uint8_t>& area) const { return {area.data(), base_, base_, kEntries}; }
  void write(unsigned offset, std::uint32_t value) {
    Picoseconds now = kernel_time();
    registers_.write(offset, &value, 4, now);
  }
  std::uint32_t read(unsigned offset) {
    std::uint32_t value = 0;
    Picoseconds now = kernel_time();
    registers_.read(offset, &value, 4, now);
    return value;
  }
  void go_on() {
    const std::uint32_t cause = read(InterruptStatus);
    std::uint8_t status = 0;
    device.master.socket.debug_read(base_ + kStatus, &status, 1);
    seen += std::to_string(cause) + ": " + std::to_string(status) + " at " + std::to_string(kernel_time()) + "\n";
    write(InterruptACK, cause);
    start();
  }
  void start() {
    if (position_++ >= requests_.size()) return;
    const Request& request = requests_[position_ - 1];
    std::vector<std::uint8_t> area(kArea);
    device.master.socket.debug_read(base_, area.data(), kArea);
    GuestRing ring = this->ring(area);
    ring.available = static_cast<std::uint16_t>(position_ - 1);
    ring.put(base_ + kHeader, request.type, 4);
    ring.put(base_ + kHeader + 8, request.sector, 8);
    ring.offer(
        0,
        {{base_ + kHeader, 16, false}, {request.data, request.bytes, request.type == kIn}, {base_ + kStatus, 1, true}});
    device.master.socket.debug_write(base_, area.data(), kArea);
    write(QueueNotify, 0);
  }

  TlmInitiator registers_{"registers"};
  const std::uint64_t base_;
  const std::vector<Request> requests_;
  std::size_t position_ = 0;
  bool begins_ = false;
  sc_core::sc_event next_;
};

}  // namespace vp
