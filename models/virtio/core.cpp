#include "models/virtio/core.h"

#include <algorithm>

namespace vp::virtio {
namespace {

// In cycles of the memory port's clock. No hardware has been recorded: the README says so.
constexpr unsigned kStartCycles = 8;   // write of QueueNotify to the first address on the port
constexpr unsigned kFinishCycles = 8;  // last answer to the interrupt or DEVICE_NEEDS_RESET
constexpr std::uint64_t kRegisterBytes = 4;

constexpr std::uint64_t bit(unsigned number) { return std::uint64_t{1} << number; }
std::uint64_t with_low(std::uint64_t address, std::uint32_t word) { return (address >> 32 << 32) | word; }
std::uint64_t with_high(std::uint64_t address, std::uint32_t word) {
  return (address & 0xFFFFFFFF) | std::uint64_t{word} << 32;
}

}  // namespace

Core::Core(const PortConfig& config, Device& device, MasterPort& port, VisibleTimer& timer, InterruptLine& interrupt)
    : config_(config),
      device_(device),
      port_(port),
      timer_(timer),
      interrupt_(interrupt),
      registers_(device.registers, device.id()),
      places_(device.queues()) {
  for (unsigned i = 0; i < device.queues(); ++i)
    queues_.emplace_back(i, port, device, static_cast<Queue::Owner&>(*this));
  port.attach(*this);
  connect_features();
  connect_queues();
  connect_addresses();
  connect_status();
}

// Registers

void Core::connect_features() {
  const auto offered = [this] {
    const Word half = registers_.device_features_sel.value;
    return half > 1 ? Word{0} : static_cast<Word>(offered_features() >> (32 * half));
  };
  registers_.device_features.on_read = [offered](Picoseconds&) { return offered(); };
  registers_.device_features.on_peek = [offered](Picoseconds) { return offered(); };
  registers_.driver_features.on_write = [this](Word value, Picoseconds& now) { write_driver_features(value, now); };
}

void Core::connect_queues() {
  const auto most = [this] { return selected_queue() == nullptr ? Word{0} : Word{config_.queue_size}; };
  const auto ready = [this] {
    const Queue* const queue = selected_queue();
    return Word{queue != nullptr && queue->running()};
  };
  registers_.queue_num_max.on_read = [most](Picoseconds&) { return most(); };
  registers_.queue_num_max.on_peek = [most](Picoseconds) { return most(); };
  registers_.queue_num.on_peek = [this](Picoseconds) {
    const QueuePlace* const place = selected_place();
    return place == nullptr ? Word{0} : Word{place->size};
  };
  registers_.queue_num.on_write = [this](Word value, Picoseconds& now) {
    if (may_move_queue("QueueNum", now)) selected_place()->size = value;
  };
  registers_.queue_ready.on_read = [ready](Picoseconds&) { return ready(); };
  registers_.queue_ready.on_peek = [ready](Picoseconds) { return ready(); };
  registers_.queue_ready.on_write = [this](Word value, Picoseconds& now) { write_ready(value, now); };
  registers_.queue_notify.on_write = [this](Word value, Picoseconds& now) { notify(value, now); };
}

void Core::connect_addresses() {
  using Address = std::uint64_t QueuePlace::*;
  struct Pair {
    Address address;
    Register<Word>&low, &high;
    const char* name;
  };
  for (const Pair& pair :
       {Pair{&QueuePlace::descriptors, registers_.queue_desc_low, registers_.queue_desc_high, "QueueDesc"},
        Pair{&QueuePlace::driver, registers_.queue_driver_low, registers_.queue_driver_high, "QueueDriver"},
        Pair{&QueuePlace::device, registers_.queue_device_low, registers_.queue_device_high, "QueueDevice"}}) {
    const Address address = pair.address;
    const char* const name = pair.name;
    pair.low.on_write = [this, address, name](Word value, Picoseconds& now) {
      if (may_move_queue(name, now)) selected_place()->*address = with_low(selected_place()->*address, value);
    };
    pair.high.on_write = [this, address, name](Word value, Picoseconds& now) {
      if (may_move_queue(name, now)) selected_place()->*address = with_high(selected_place()->*address, value);
    };
    const auto shown = [this, address](unsigned shift) {
      const QueuePlace* const place = selected_place();
      return place == nullptr ? Word{0} : static_cast<Word>(place->*address >> shift);
    };
    pair.low.on_peek = [shown](Picoseconds) { return shown(0); };
    pair.high.on_peek = [shown](Picoseconds) { return shown(32); };
  }
}

void Core::connect_status() {
  registers_.status.on_write = [this](Word value, Picoseconds& now) { write_status(value, now); };
  registers_.interrupt_ack.on_write = [this](Word value, Picoseconds&) {
    registers_.interrupt_status.value &= ~value;
    drive_interrupt();
  };
}

AccessResult Core::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  if (offset < Device::kConfig && size != kRegisterBytes) return AccessResult::address_error;
  return device_.registers.read(offset, data, size, now);
}

AccessResult Core::write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) {
  if (offset < Device::kConfig && size != kRegisterBytes) return AccessResult::address_error;
  return device_.registers.write(offset, data, size, now);
}

std::string Core::refusal(std::uint64_t offset, unsigned size, bool write) const {
  if (offset < Device::kConfig && size != kRegisterBytes) return "it is not 4 bytes wide";
  return device_.registers.refusal(offset, size, write);
}

// Set-up

std::uint64_t Core::offered_features() const {
  return device_.features() | bit(kIndirectDescriptors) | bit(kEventIndex) | bit(kVersion1);
}

bool Core::features_fit() const {
  return (driver_features_ & ~offered_features()) == 0 && (driver_features_ & bit(kVersion1)) != 0;
}

void Core::write_driver_features(Word value, Picoseconds now) {
  if (registers_.features_ok) return mistake(Wrong::late_features, now);
  const Word half = registers_.driver_features_sel.value;
  if (half == 0) driver_features_ = with_low(driver_features_, value);
  if (half == 1) driver_features_ = with_high(driver_features_, value);
}

void Core::write_status(Word value, Picoseconds now) {
  if ((value & ~registers_.needs_reset.mask()) == 0) return reset_device(now);  // that bit is not the driver's
  if ((registers_.status.value & ~value) != 0) mistake(Wrong::cleared_status, now);
  const bool agree = registers_.features_ok.of(value) && !registers_.features_ok;
  registers_.status.value = value;
  if (agree && !features_fit()) {
    mistake(Wrong::bad_features, now);
    registers_.features_ok.set(false);
  }
  for (Queue& queue : queues_)
    queue.set_features((driver_features_ & bit(kIndirectDescriptors)) != 0, (driver_features_ & bit(kEventIndex)) != 0);
}

QueuePlace* Core::selected_place() {
  const Word number = registers_.queue_sel.value;
  return number < places_.size() ? &places_[number] : nullptr;
}

Queue* Core::selected_queue() {
  const Word number = registers_.queue_sel.value;
  return number < queues_.size() ? &queues_[number] : nullptr;
}

/// `what` is written: the selected queue must be there, and must not be in use.
bool Core::may_move_queue(const char* what, Picoseconds now) {
  const Queue* const queue = selected_queue();
  if (queue == nullptr) {
    mistake(Wrong::unknown_queue, now);
    return false;
  }
  if (!queue->running()) return true;
  refuse(std::string(what) + " was written while QueueReady was 1", origin_, now);
  return false;
}

void Core::write_ready(Word value, Picoseconds now) {
  Queue* const queue = selected_queue();
  if (queue == nullptr) return mistake(Wrong::unknown_queue, now);
  if (value == 0) return stop_queue(*queue, now);
  if (queue->running() || given_up()) return;
  const std::string fault = selected_place()->fault(config_.queue_size);
  if (!fault.empty()) return refuse(fault, origin_, now);
  queue->start(*selected_place());
}

void Core::notify(Word number, Picoseconds now) {
  if (given_up()) return;
  if (number >= queues_.size()) return mistake(Wrong::unknown_queue, now);
  Queue& queue = queues_[number];
  if (!queue.running()) return mistake(Wrong::queue_not_ready, now);
  if (!registers_.driver_ok || !registers_.features_ok) return mistake(Wrong::early_notification, now);
  ++done_.notifications;
  queue.look(after(now, kStartCycles), origin_);
  announce(now);
}

void Core::device_ready(unsigned queue, Picoseconds now) {
  if (!registers_.driver_ok || !registers_.features_ok) return;
  queues_[queue].look(after(now, kStartCycles), Origin());
  announce(now);
}

// Ends

/// The queue alone: what others have under way is asked for again.
void Core::stop_queue(Queue& queue, Picoseconds now) {
  port_.abandon();
  if (queue.has_request()) end_request(queue.begun(), now, true);
  queue.stop();
  for (Queue& other : queues_) other.resume();
  announce(now);
}

void Core::stop_queues(Picoseconds now) {
  port_.abandon();
  for (Queue& queue : queues_) {
    if (queue.has_request()) end_request(queue.begun(), now, true);
    queue.stop();
  }
}

void Core::reset_device(Picoseconds now) {
  ++done_.resets;
  reset(now);
}

void Core::reset(Picoseconds now) {
  stop_queues(now);
  events_.clear();
  places_.assign(places_.size(), {});
  driver_features_ = 0;
  device_.registers.reset();
  drive_interrupt();
  announce(now);
}

void Core::refuse(const std::string& why, const Origin& origin, Picoseconds now) {
  stop_queues(now);
  if (fault_.number++ == 0) {
    fault_.time = now;
    fault_.origin = origin;
    fault_.why = why;
  }
  raise_after(Event::Kind::needs_reset, now);
}

/// DEVICE_NEEDS_RESET is set, or will be.
bool Core::given_up() const {
  return registers_.needs_reset || std::any_of(events_.begin(), events_.end(), [](const Event& event) {
           return event.kind == Event::Kind::needs_reset;
         });
}

void Core::set_fidelity(Fidelity fidelity) {
  timed_ = fidelity == Fidelity::timed;
  announce(port_.now());
}

void Core::begun(Picoseconds now) {
  ++begun_;
  if (active_++ == 0) active_since_ = now;
}

void Core::used(Picoseconds begun, Picoseconds now) {
  ++done_.requests;
  latency_.add(now - begun);
  end_request(begun, now, false);
}

void Core::end_request(Picoseconds begun, Picoseconds now, bool dropped) {
  done_.dropped += dropped;
  const Picoseconds end = std::max(now, begun);
  if (--active_ == 0) done_.busy += std::max(now, active_since_) - active_since_;
  if (observer_) observer_(begun, end, dropped);
}

// Time

void Core::interrupt(Picoseconds now) { raise_after(Event::Kind::used_buffer, now); }

void Core::raise_after(Event::Kind kind, Picoseconds now) {
  events_.push_back({after(now, kFinishCycles), kind});
  announce(now);
}

void Core::deliver(Picoseconds due) {
  while (!events_.empty() && events_.front().time <= due) {
    const bool failed = events_.front().kind == Event::Kind::needs_reset;
    events_.pop_front();
    if (failed) registers_.needs_reset.set(true);
    if (!failed)
      registers_.used_buffer.set(true);
    else if (registers_.driver_ok)
      registers_.config_change.set(true);
  }
  drive_interrupt();
  announce(due);
}

void Core::completed(MasterPort::Tag tag, const Answer& answer) {
  queues_[Queue::number_of(tag)].completed(tag, answer);
}

std::uint8_t* Core::data_of(MasterPort::Tag tag) {
  return queues_[std::min<std::size_t>(Queue::number_of(tag), queues_.size() - 1)].data_of(tag);
}

void Core::due(Picoseconds next) {
  if (next == port_due_) return;
  port_due_ = next;
  announce(port_.now());
}

/// Keeps in the timer when anything happens next that the guest can see: an interrupt, or an access of the rings, which
/// lie in memory that it reads and writes, too. Up to then, and no further, it may run ahead. Where the port does not
/// know when its accesses are done, it is asked again a cycle later.
void Core::announce(Picoseconds now) {
  Picoseconds next = events_.empty() ? kNever : events_.front().time;
  const Picoseconds port = port_due_ != kNever ? port_due_ : now + config_.clock;
  for (const Queue& queue : queues_)
    if (queue.busy()) next = std::min(next, std::max(port, queue.earliest(config_.burst_bytes(), timed_)));
  timer_.set(next);
}

/// The clock edge so many cycles after the first one at or after `time`.
Picoseconds Core::after(Picoseconds time, std::uint64_t cycles) const {
  const Clock clock(config_.clock);
  return clock.time_of(clock.edge_at_or_after(time) + cycles);
}

void Core::drive_interrupt() {
  const bool level = registers_.interrupt_status.value != 0;
  done_.interrupts += level && !interrupt_.level();
  interrupt_.set(level);
}

void Core::mistake(Wrong what, Picoseconds now) {
  Mistake& one = mistakes_[static_cast<std::size_t>(what)];
  if (one.number++ != 0) return;
  one.time = now;
  one.origin = origin_;
}

}  // namespace vp::virtio
