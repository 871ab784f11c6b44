#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/common/fidelity.h"
#include "models/common/interrupt_line.h"
#include "models/common/target_model.h"
#include "models/common/visible_timer.h"
#include "models/virtio/config.h"
#include "models/virtio/device.h"
#include "models/virtio/figures.h"
#include "models/virtio/queue.h"
#include "models/virtio/registers.h"

namespace vp::virtio {

/// The transport over MMIO, version 2: registers, the queues, the interrupt; the device is behind it. Needs no SystemC;
/// accesses come in local time, the port's and the timer's calls at their own time.
class Core : public TargetModel, public MasterPort::Client, private Queue::Owner {
 public:
  static constexpr std::uint64_t kWindow = 0x1000;
  // Features of the queues and of the transport.
  static constexpr unsigned kIndirectDescriptors = 28, kEventIndex = 29, kVersion1 = 32;
  /// A request is over; it may have been dropped.
  using Observer = std::function<void(Picoseconds start, Picoseconds end, bool dropped)>;

  /// The timer has to call deliver() when it is due.
  Core(const PortConfig& config, Device& device, MasterPort& port, VisibleTimer& timer, InterruptLine& interrupt);

  Answer access(const Access& access) override {
    origin_ = origin_of(access);
    return TargetModel::access(access);
  }
  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override;
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override;
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    return device_.registers.debug_read(offset, data, size);
  }
  std::string describe(std::uint64_t offset) const override { return device_.registers.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override;

  // MasterPort::Client
  void completed(MasterPort::Tag tag, const Answer& answer) override;
  void due(Picoseconds next) override;
  std::uint8_t* data_of(MasterPort::Tag tag) override;

  /// The timer is due.
  void deliver(Picoseconds due);
  /// The device has become ready for that queue's requests.
  void device_ready(unsigned queue, Picoseconds now);
  /// The driver has set that queue up, and the device works.
  bool works(unsigned queue) const { return registers_.driver_ok && queues_[queue].running(); }
  /// Power-on state, but for what the device itself keeps.
  void reset(Picoseconds now);
  /// What the port's beats cost from now on.
  void set_fidelity(Fidelity fidelity);
  void on_request(Observer observer) { observer_ = std::move(observer); }

  const RegisterBank& registers() const { return device_.registers; }
  Figures figures() const;
  /// What its queues do, a line each.
  std::vector<std::string> work() const;
  /// What the driver has done wrong.
  std::vector<Finding> findings(const OriginText& origin = {}) const;
  /// Empty, or what is wrong with the figures.
  std::string broken_conservation() const;
  void persist(Archive& archive);

 private:
  using Word = Registers::Word;
  /// What becomes visible at a time that is known.
  struct Event {
    enum class Kind : std::uint8_t { used_buffer, needs_reset };
    Picoseconds time = 0;
    Kind kind = Kind::used_buffer;
    void persist(Archive& archive);
  };
  /// What a driver can do wrong without harm to the device.
  enum class Wrong : std::uint8_t {
    unknown_queue,
    queue_not_ready,
    early_notification,
    bad_features,
    late_features,
    cleared_status,
    number,
  };
  struct Mistake {
    std::uint64_t number = 0;
    Picoseconds time = 0;
    Origin origin;
    void persist(Archive& archive);
  };
  /// Why the device needed a reset: how often, and the first time.
  struct Fault : Mistake {
    std::string why;
    void persist(Archive& archive);
  };

  void connect_features();
  void connect_queues();
  void connect_addresses();
  void connect_status();
  std::uint64_t offered_features() const;
  bool features_fit() const;
  void write_driver_features(Word value, Picoseconds now);
  void write_status(Word value, Picoseconds now);
  void write_ready(Word value, Picoseconds now);
  void notify(Word queue, Picoseconds now);
  bool may_move_queue(const char* what, Picoseconds now);
  QueuePlace* selected_place();
  Queue* selected_queue();
  void reset_device(Picoseconds now);
  void stop_queue(Queue& queue, Picoseconds now);
  void stop_queues(Picoseconds now);
  bool given_up() const;
  void end_request(Picoseconds begun, Picoseconds now, bool dropped);
  void mistake(Wrong what, Picoseconds now);
  void raise_after(Event::Kind kind, Picoseconds now);
  void announce(Picoseconds now);
  Picoseconds after(Picoseconds time, std::uint64_t cycles) const;
  void drive_interrupt();

  // Queue::Owner
  void begun(Picoseconds now) override;
  void used(Picoseconds begun, Picoseconds now) override;
  void interrupt(Picoseconds now) override;
  void refuse(const std::string& why, const Origin& origin, Picoseconds now) override;

  const PortConfig config_;
  Device& device_;
  MasterPort& port_;
  VisibleTimer& timer_;
  InterruptLine& interrupt_;
  Registers registers_;
  std::vector<QueuePlace> places_;  // as the registers have them
  std::deque<Queue> queues_;
  std::uint64_t driver_features_ = 0;
  std::deque<Event> events_;
  Origin origin_;  // of the access in hand
  bool timed_ = false;
  Picoseconds port_due_ = kNever;

  std::array<Mistake, static_cast<std::size_t>(Wrong::number)> mistakes_;
  Fault fault_;
  Figures done_;
  LatencyFigures latency_;
  std::uint64_t begun_ = 0;
  unsigned active_ = 0;  // queues with a request in hand
  Picoseconds active_since_ = 0;
  Observer observer_;
};

}  // namespace vp::virtio
