#include "models/uart/uart_core.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "models/common/error.h"
#include "models/common/wording.h"

namespace vp {
namespace {

// IIR: interrupts in the order of their priority.
constexpr std::uint8_t kNoInterrupt = 0x01;
constexpr std::uint8_t kIirLineStatus = 0x06;
constexpr std::uint8_t kIirReceivedData = 0x04;
constexpr std::uint8_t kIirTimeout = 0x0C;
constexpr std::uint8_t kIirHoldingEmpty = 0x02;
constexpr std::uint8_t kIirModemStatus = 0x00;
constexpr std::uint8_t kIirFifos = 0xC0;
// MSR: levels; the delta of each is 4 bits below.
constexpr std::uint8_t kCts = 0x10, kDsr = 0x20, kRi = 0x40, kDcd = 0x80;

constexpr std::array<unsigned, 4> kTriggerLevels{1, 4, 8, 14};

constexpr Picoseconds kSecond = 1'000'000'000'000;

}  // namespace

void UartConfig::declare(const ParameterGroup& g) {
  g.integer("clock_frequency", clock_frequency, 16, 1'000'000'000, "Hz", "clock of the baud rate generator");
  g.boolean("baud_timing", baud_timing, "characters of the console take the time the divisor gives them");
  ConsoleConfig::declare(g, "a device's line is led here by the setting of the device, such as matmul.serial");
}

UartCore::UartCore(const UartConfig& config, VisibleTimer& timer)
    : config_(config), timer_(timer), timed_(config.baud_timing) {
  add_status_fields();
  add_callbacks();
  add_modem_callbacks();
  modem_ = modem_inputs();
}

void UartCore::connect(SerialLineEnd& line) {
  line_ = &line;
  timed_ = true;
  modem_ = modem_inputs();
}

void UartCore::connect(Console& console) {
  console_ = &console;
  modem_ = modem_inputs();
}

FieldPlace UartCore::receiver_trigger() {
  return {"RCVR_TRIGGER", 6, 2, "characters", FieldAccess::read_write, {{0, "1"}, {1, "4"}, {2, "8"}, {3, "14"}}};
}

/// What a guest only reads; the values are made when it does.
void UartCore::add_status_fields() {
  constexpr FieldAccess kReadOnly = FieldAccess::read_only;
  iir_.add_field({"INTERRUPT",
                  0,
                  4,
                  "with the highest priority",
                  kReadOnly,
                  {{kNoInterrupt, "none"},
                   {kIirLineStatus, "line_status"},
                   {kIirReceivedData, "received_data"},
                   {kIirTimeout, "character_timeout"},
                   {kIirHoldingEmpty, "holding_empty"},
                   {kIirModemStatus, "modem_status"}}});
  iir_.add_field({"FIFOS_ENABLED", 6, 2, "3 with FIFOs", kReadOnly});
  static constexpr const char* kLineStatus[] = {"DR", "OE", "PE", "FE", "BI", "THRE", "TEMT", "FIFO_ERROR"};
  static constexpr const char* kModemStatus[] = {"DCTS", "DDSR", "TERI", "DDCD", "CTS", "DSR", "RI", "DCD"};
  for (unsigned bit = 0; bit < 8; ++bit) {
    lsr_.add_field({kLineStatus[bit], bit, 1, "", kReadOnly});
    msr_.add_field({kModemStatus[bit], bit, 1, "", kReadOnly});
  }
}

void UartCore::add_callbacks() {
  rbr_.on_read = [this](Picoseconds& now) { return take_received(now); };
  rbr_.on_peek = [this](Picoseconds) { return received_.empty() ? last_read_ : received_.front().character.data; };
  thr_.on_write = [this](std::uint8_t value, Picoseconds& now) { put(value, now); };
  ier_.on_write = [this](std::uint8_t value, Picoseconds&) {
    const bool enabled_now = etbei_.of(value) && !etbei_;
    if (enabled_now && transmit_.empty()) holding_empty_pending_ = true;
    ier_.value = value;
  };
  iir_.on_read = [this](Picoseconds&) {
    const std::uint8_t value = interrupt_identification();
    if ((value & 0x0F) == kIirHoldingEmpty) holding_empty_pending_ = false;
    return value;
  };
  iir_.on_peek = [this](Picoseconds) { return interrupt_identification(); };
  fcr_.on_write = [this](std::uint8_t value, Picoseconds&) { write_fcr(value); };
  lcr_.on_write = [this](std::uint8_t value, Picoseconds& now) {
    const bool break_begins = set_break_.of(value) && !set_break_;
    lcr_.value = value;
    bank_.select_view(dlab_ ? 1 : 0);
    if (break_begins) put(0, now);  // one character of low line stands for the break
  };
  lsr_.on_read = [this](Picoseconds&) {
    const std::uint8_t value = line_status();
    status_errors_ = 0;
    if (!received_.empty()) received_.front().character.errors = 0;
    return value;
  };
  lsr_.on_peek = [this](Picoseconds) { return line_status(); };
}

void UartCore::add_modem_callbacks() {
  mcr_.on_write = [this](std::uint8_t value, Picoseconds& now) {
    mcr_.value = value;
    drive_request_to_send(now);
    update_modem();
  };
  msr_.on_read = [this](Picoseconds&) {
    const auto value = static_cast<std::uint8_t>(modem_ | modem_deltas_);
    modem_deltas_ = 0;
    return value;
  };
  msr_.on_peek = [this](Picoseconds) { return static_cast<std::uint8_t>(modem_ | modem_deltas_); };
}

AccessResult UartCore::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  advance(now);
  const bool looks_for_input = offset == rbr_.offset() || offset == iir_.offset() || offset == lsr_.offset();
  if (looks_for_input) {
    pull_console(now);
    if (console_ != nullptr && line_ == nullptr && received_.empty()) console_->asked_in_vain();
  }
  const AccessResult result = bank_.read(offset, data, size, now);
  settle(now);
  return result;
}

AccessResult UartCore::write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) {
  advance(now);
  const AccessResult result = bank_.write(offset, data, size, now);
  settle(now);
  return result;
}

// ---- time

Picoseconds UartCore::bit_time() const {
  const Picoseconds divisor = dll_.value | dlm_.value << 8;
  return (16 * divisor * kSecond + config_.clock_frequency / 2) / config_.clock_frequency;
}

Picoseconds UartCore::timeout_at() const {
  const bool counts = timed() && fifo_enabled() && !received_.empty() && !timeout_pending_ && erbfi_;
  return counts ? last_activity_ + 4 * character_time() : kNever;
}

Picoseconds UartCore::next_event() const {
  const Picoseconds arrival = incoming_.empty() ? kNever : incoming_.front().arrival;
  return std::min({shift_end_, arrival, timeout_at()});
}

void UartCore::advance(Picoseconds now) {
  for (Picoseconds event = next_event(); event <= now; event = next_event()) {
    if (event == shift_end_) {
      shift_end_ = kNever;
      start_next(event);
    } else if (!incoming_.empty() && event == incoming_.front().arrival) {
      const Incoming incoming = incoming_.front();
      incoming_.pop_front();
      arrived(incoming, event);
      if (erbfi_) pull_console(event);
    } else {
      timeout_pending_ = true;
    }
  }
}

void UartCore::settle(Picoseconds now) {
  advance(now);
  if (erbfi_) pull_console(now);
  start_next(now);  // the divisor may have been set, the FIFO flushed
  interrupt.set((interrupt_identification() & 0x0F) != kNoInterrupt);
  timer_.set(next_event());
}

// ---- transmitter

Answer UartCore::access(const Access& access) {
  origin_ = origin_of(access);
  return TargetModel::access(access);
}

void UartCore::put(std::uint8_t byte, Picoseconds now) {
  holding_empty_pending_ = false;
  if (transmit_.size() == fifo_depth()) {
    ++lost_writes_;
    if (fifo_enabled()) return;
    transmit_.pop_back();  // a second write overwrites the holding register
  }
  transmit_.push_back({byte, origin_});
  start_next(now);
}

void UartCore::start_next(Picoseconds now) {
  while (!transmit_.empty() && shift_end_ == kNever) {
    if (timed() && bit_time() == 0) return;  // divisor 0 stops the baud rate generator
    const Outgoing out = transmit_.front();
    transmit_.pop_front();
    if (transmit_.empty()) holding_empty_pending_ = true;
    if (timed()) shift_end_ = now + character_time();
    send(out.byte, out.origin, now);
  }
}

void UartCore::send(std::uint8_t byte, const Origin& origin, Picoseconds now) {
  const CharacterFormat format(lcr_.value);
  const Picoseconds bit = timed() ? bit_time() : 0;
  ++sent_;
  if (loop_back()) {
    // The line itself stays high. Any bit time will do for a character that takes no time.
    const ReceivedCharacter character = format.decode(format.encode(byte, now, bit + 2), bit + 2);
    const Incoming incoming{timed() ? format.received_at(now, bit) : now, character, false};
    if (timed())
      incoming_.push_back(incoming);
    else
      arrived(incoming, now);
  } else if (line_ != nullptr) {
    SerialFrame frame = format.encode(byte, now, bit);
    frame.origin = origin;
    line_->receive(frame);
  } else if (console_ != nullptr && !set_break_) {
    if (!timed() && !cut_ && (byte & ~format.data_mask()) != 0) {
      cut_ = true;
      cut_byte_ = byte;
      cut_control_ = lcr_.value;
    }
    console_->put(timed() ? byte & format.data_mask() : byte);
  }
}

// ---- receiver

void UartCore::receive(const SerialFrame& frame) {
  const Picoseconds bit = bit_time();
  if (bit == 0 || loop_back()) return;  // nobody is listening
  const CharacterFormat format(lcr_.value);
  const Incoming incoming{format.received_at(frame.start, bit), format.decode(frame, bit), false};
  auto place = incoming_.end();
  while (place != incoming_.begin() && std::prev(place)->arrival > incoming.arrival) --place;
  incoming_.insert(place, incoming);
  timer_.set(next_event());
}

void UartCore::pull_console(Picoseconds now) {
  if (console_ == nullptr || line_ != nullptr || loop_back()) return;
  // The console waits for room in the FIFO, as a person would; nothing of a file is lost.
  while (received_.size() + incoming_.size() < fifo_depth()) {
    if (timed() && (!incoming_.empty() || bit_time() == 0)) return;
    std::uint8_t byte = 0;
    if (!held_.empty()) {
      byte = held_.front();
      held_.pop_front();
    } else if (!console_->take(byte)) {
      return;
    }
    const CharacterFormat format(lcr_.value);
    if (timed()) byte &= format.data_mask();
    const Incoming incoming{timed() ? format.received_at(now, bit_time()) : now, {byte, 0}, true};
    if (timed())
      incoming_.push_back(incoming);
    else
      arrived(incoming, now);
  }
}

void UartCore::arrived(const Incoming& incoming, Picoseconds now) {
  last_activity_ = now;
  if (incoming.character.errors != 0) ++line_errors_;
  if (received_.size() >= fifo_depth()) {
    status_errors_ |= lsr::kOverrun;
    ++overruns_;
    if (fifo_enabled()) return;
    received_.clear();  // without FIFOs the new character takes the old one's place
  }
  received_.push_back({incoming.character, incoming.from_console});
  if (received_.size() == 1) show_errors();
}

void UartCore::show_errors() {
  // The errors of a character are shown when it is the next to be read.
  if (!received_.empty()) status_errors_ |= received_.front().character.errors;
}

std::uint8_t UartCore::take_received(Picoseconds now) {
  timeout_pending_ = false;
  last_activity_ = now;
  if (received_.empty()) return last_read_;
  last_read_ = received_.front().character.data;
  received_.pop_front();
  ++taken_;
  show_errors();
  pull_console(now);
  return last_read_;
}

void UartCore::flush_received() {
  for (auto entry = received_.rbegin(); entry != received_.rend(); ++entry)
    if (entry->from_console) held_.push_front(entry->character.data);
  received_.clear();
  timeout_pending_ = false;
}

// ---- registers

unsigned UartCore::trigger_level() const { return fifo_enabled() ? kTriggerLevels[trigger_] : 1; }

void UartCore::write_fcr(std::uint8_t value) {
  const bool enable = fifo_enable_.of(value);
  const bool mode_changes = enable != fifo_enable_;
  if (mode_changes || receiver_reset_.of(value)) flush_received();
  if ((mode_changes || transmitter_reset_.of(value)) && !transmit_.empty()) {
    transmit_.clear();
    holding_empty_pending_ = true;
  }
  // Without the enable bit the other bits are not programmed; the clear bits clear themselves.
  const int kept = fifo_enable_.mask() | dma_mode_.mask() | trigger_.mask();
  fcr_.value = enable ? static_cast<std::uint8_t>(value & kept) : 0;
}

std::uint8_t UartCore::line_status() const {
  std::uint8_t value = status_errors_;
  if (!received_.empty()) value |= lsr::kDataReady;
  if (transmit_.empty()) value |= lsr::kHoldingEmpty;
  if (transmitter_empty()) value |= lsr::kTransmitterEmpty;
  const bool errors_inside = std::any_of(received_.begin(), received_.end(),
                                         [](const Received& entry) { return entry.character.errors != 0; });
  if (fifo_enabled() && errors_inside) value |= lsr::kFifoError;
  return value;
}

std::uint8_t UartCore::interrupt_identification() const {
  const std::uint8_t fifos = fifo_enabled() ? kIirFifos : 0;
  const bool data = received_.size() >= trigger_level();
  // Without character times there is nothing to wait for: what is below the trigger level is a time-out at once.
  const bool timeout = fifo_enabled() && (timed() ? timeout_pending_ : !received_.empty());
  if (elsi_ && status_errors_ != 0) return fifos | kIirLineStatus;
  if (erbfi_ && data) return fifos | kIirReceivedData;
  if (erbfi_ && timeout) return fifos | kIirTimeout;
  if (etbei_ && holding_empty_pending_) return fifos | kIirHoldingEmpty;
  if (edssi_ && modem_deltas_ != 0) return fifos | kIirModemStatus;
  return fifos | kNoInterrupt;
}

std::uint8_t UartCore::modem_inputs() const {
  if (loop_back()) {
    std::uint8_t value = 0;
    if (rts_) value |= kCts;
    if (dtr_) value |= kDsr;
    if (out1_) value |= kRi;
    if (out2_) value |= kDcd;
    return value;
  }
  if (line_ == nullptr) return console_ != nullptr ? kCts | kDsr | kDcd : 0;
  return kDsr | kDcd | (clear_to_send_ ? kCts : 0);
}

void UartCore::update_modem() {
  const std::uint8_t before = modem_;
  modem_ = modem_inputs();
  const std::uint8_t changed = before ^ modem_;
  modem_deltas_ |= (changed & (kCts | kDsr | kDcd)) >> 4;
  if ((before & ~modem_ & kRi) != 0) modem_deltas_ |= kRi >> 4;  // trailing edge only
}

void UartCore::set_clear_to_send(bool ready, Picoseconds when) {
  advance(when);
  clear_to_send_ = ready;
  update_modem();
  settle(when);
}

void UartCore::drive_request_to_send(Picoseconds now) {
  const bool active = rts_ && !loop_back();
  if (active == request_to_send_) return;
  request_to_send_ = active;
  if (line_ != nullptr) line_->set_clear_to_send(active, now);
}

void UartCore::reset(Picoseconds now) {
  bank_.reset();
  transmit_.clear();
  shift_end_ = kNever;
  incoming_.clear();
  flush_received();
  last_read_ = 0;
  status_errors_ = 0;
  holding_empty_pending_ = false;
  drive_request_to_send(now);
  modem_ = modem_inputs();
  modem_deltas_ = 0;
  settle(now);
}

std::string UartCore::lost_bits() const {
  if (!cut_) return "";
  const CharacterFormat format(cut_control_);
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(),
                "LCR was 0x%02x when 0x%02x was sent: the hardware would have sent characters of %u bits, 0x%02x; the "
                "console shows all 8",
                cut_control_, cut_byte_, format.data_bits(), cut_byte_ & format.data_mask());
  return text.data();
}

std::vector<std::string> UartCore::work() const {
  return {"transmitter: " + counted(transmit_.size(), "byte") + " waiting" +
              (shift_end_ != kNever ? ", one on the line" : ""),
          "receiver: " + counted(received_.size(), "byte") + " to be read"};
}

UartCoreFigures UartCore::figures() const { return {sent_, taken_, overruns_, lost_writes_, line_errors_}; }

}  // namespace vp
