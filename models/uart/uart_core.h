#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/common/console.h"
#include "models/common/console_config.h"
#include "models/common/interrupt_line.h"
#include "models/common/parameters.h"
#include "models/common/register_bank.h"
#include "models/common/serial_line.h"
#include "models/common/target_model.h"
#include "models/common/visible_timer.h"
#include "models/uart/character_format.h"
#include "models/uart/figures.h"

namespace vp {

class Archive;

/// Settings `uart0.*`, `uart1.*`.
struct UartConfig : ConsoleConfig {
  unsigned clock_frequency = 3'686'400;
  bool baud_timing = false;

  void declare(const ParameterGroup& group);
};

/// 16550A UART (PC16550D): all registers and bits, FIFOs, interrupts, loop-back, modem lines.
///
/// Talks to a Console or, through SerialLineEnd, to a device on a serial line. On a line, or with baud_timing,
/// characters take their time: (start + data + parity + stop bits) × 16 × divisor / clock_frequency. A console without
/// baud_timing takes none: it accepts every byte at once and hands its input over when the guest looks (LSR, IIR, RBR)
/// or has enabled the interrupt. It takes all 8 bits of a byte, too, whatever the line
/// control register says: a program that prints before it has set up the UART can be read.
class UartCore : public TargetModel, public SerialLineEnd {
 public:
  /// Eight registers of a byte, one after the other; the rest of the device's window is unused.
  static constexpr std::uint64_t kWindow = 0x100;

  UartCore(const UartConfig& config, VisibleTimer& timer);

  /// Plugs in the other end; before the simulation starts. The machine owns both.
  void connect(SerialLineEnd& line);
  void connect(Console& console);

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override;
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override;
  /// The same, with who sends a character.
  Answer access(const Access& access) override;
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    return bank_.debug_read(offset, data, size);
  }
  std::string describe(std::uint64_t offset) const override { return bank_.describe(offset); }
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const override {
    return bank_.refusal(offset, size, write);
  }
  const RegisterBank& registers() const { return bank_; }

  void receive(const SerialFrame& frame) override;
  void set_clear_to_send(bool ready, Picoseconds when) override;

  /// The time that was set has come.
  void timer_due(Picoseconds now) { settle(now); }
  /// The console has new input.
  void input_arrived(Picoseconds now) { settle(now); }
  void reset(Picoseconds now);
  /// Received data raises the interrupt line.
  bool interrupts_on_input() const { return erbfi_ && !loop_back(); }
  /// A finding if a console without baud_timing was sent more bits than the line would have carried; empty if not.
  std::string lost_bits() const;
  UartCoreFigures figures() const;
  /// What waits in the FIFOs, a line each.
  std::vector<std::string> work() const;
  /// The console's input and output are the host's and no state.
  void persist(Archive& archive);

  InterruptLine interrupt;

 private:
  struct Incoming {
    Picoseconds arrival;
    ReceivedCharacter character;
    bool from_console;
    void persist(Archive& archive);
  };
  struct Received {
    ReceivedCharacter character;
    bool from_console;
    void persist(Archive& archive);
  };

  void add_callbacks();
  void add_modem_callbacks();

  // Time: everything that happens by itself up to `now`, then the interrupt line and the timer.
  void advance(Picoseconds now);
  void settle(Picoseconds now);
  Picoseconds next_event() const;
  bool timed() const { return timed_; }
  Picoseconds bit_time() const;
  Picoseconds character_time() const { return CharacterFormat(lcr_.value).bits() * bit_time(); }
  Picoseconds timeout_at() const;

  // Transmitter.
  void put(std::uint8_t byte, Picoseconds now);
  void start_next(Picoseconds now);
  void send(std::uint8_t byte, const Origin& origin, Picoseconds now);
  bool transmitter_empty() const { return transmit_.empty() && shift_end_ == kNever; }

  // Receiver.
  void pull_console(Picoseconds now);
  void arrived(const Incoming& incoming, Picoseconds now);
  std::uint8_t take_received(Picoseconds now);
  void show_errors();
  void flush_received();

  // Registers.
  static FieldPlace receiver_trigger();
  void add_status_fields();
  bool fifo_enabled() const { return fifo_enable_; }
  unsigned fifo_depth() const { return fifo_enabled() ? 16 : 1; }
  unsigned trigger_level() const;
  void write_fcr(std::uint8_t value);
  std::uint8_t line_status() const;
  std::uint8_t interrupt_identification() const;
  std::uint8_t modem_inputs() const;
  void update_modem();
  bool loop_back() const { return loop_; }
  void drive_request_to_send(Picoseconds now);

  const UartConfig config_;
  VisibleTimer& timer_;
  SerialLineEnd* line_ = nullptr;  // not owned
  Console* console_ = nullptr;     // not owned
  bool timed_;

  struct Outgoing {
    std::uint8_t byte = 0;
    Origin origin;
    void persist(Archive& archive);
  };
  Origin origin_;  // of the access in hand
  std::deque<Outgoing> transmit_;
  Picoseconds shift_end_ = kNever;  // end of the character being sent
  bool holding_empty_pending_ = false;
  std::deque<Incoming> incoming_;  // on the line, in order of arrival
  std::deque<Received> received_;
  std::deque<std::uint8_t> held_;  // console input flushed by the guest before it read it: not lost, comes again
  std::uint8_t last_read_ = 0;
  std::uint8_t status_errors_ = 0;  // bits 1 to 4 of LSR
  bool timeout_pending_ = false;
  Picoseconds last_activity_ = 0;
  std::uint8_t modem_ = 0;  // MSR bits 4 to 7 as last seen
  std::uint8_t modem_deltas_ = 0;
  bool clear_to_send_ = true;
  bool request_to_send_ = false;  // as the other end knows it

  bool cut_ = false;  // a character for the console had more bits than the line control register says
  std::uint8_t cut_byte_ = 0, cut_control_ = 0;  // the first such, and LCR then

  std::uint64_t sent_ = 0, taken_ = 0, overruns_ = 0, lost_writes_ = 0, line_errors_ = 0;

  // Registers and fields by the names of the data sheet.
  using Byte = Register<std::uint8_t>;
  using Flag = Field<std::uint8_t>;
  RegisterBank bank_;
  Byte rbr_{bank_, {"RBR", 0, "receiver buffer", RegisterMode::read_only, 0}};
  Byte thr_{bank_, {"THR", 0, "transmitter holding", RegisterMode::write_only, 0}};
  Byte ier_{bank_, {"IER", 1, "interrupt enable", RegisterMode::read_write, 0}};
  Flag erbfi_{ier_, {"ERBFI", 0, 1, "received data available"}};
  Flag etbei_{ier_, {"ETBEI", 1, 1, "transmitter holding register empty"}};
  Flag elsi_{ier_, {"ELSI", 2, 1, "receiver line status"}};
  Flag edssi_{ier_, {"EDSSI", 3, 1, "modem status"}};
  Byte dll_{bank_, {"DLL", 0, "divisor latch, low byte", RegisterMode::read_write, 1}, 2};
  Byte dlm_{bank_, {"DLM", 1, "divisor latch, high byte", RegisterMode::read_write, 1}};
  Byte iir_{bank_, {"IIR", 2, "interrupt identification", RegisterMode::read_only}};
  Byte fcr_{bank_, {"FCR", 2, "FIFO control", RegisterMode::write_only}};
  Flag fifo_enable_{fcr_, {"FIFO_ENABLE", 0, 1, "both FIFOs"}};
  Flag receiver_reset_{fcr_, {"RCVR_FIFO_RESET", 1, 1, "clears itself"}};
  Flag transmitter_reset_{fcr_, {"XMIT_FIFO_RESET", 2, 1, "clears itself"}};
  Flag dma_mode_{fcr_, {"DMA_MODE_SELECT", 3, 1, "without effect"}};
  Field<std::uint8_t, unsigned> trigger_{fcr_, receiver_trigger()};
  Byte lcr_{bank_, {"LCR", 3, "line control"}};
  Field<std::uint8_t, unsigned> wls_{lcr_, {"WLS", 0, 2, "data bits, less 5"}};
  Flag stb_{lcr_, {"STB", 2, 1, "two stop bits"}};
  Flag pen_{lcr_, {"PEN", 3, 1, "parity"}};
  Flag eps_{lcr_, {"EPS", 4, 1, "even parity"}};
  Flag stick_parity_{lcr_, {"STICK_PARITY", 5}};
  Flag set_break_{lcr_, {"SET_BREAK", 6, 1, "line low"}};
  Flag dlab_{lcr_, {"DLAB", 7, 1, "divisor latch at offsets 0 and 1"}};
  Byte mcr_{bank_, {"MCR", 4, "modem control"}};
  Flag dtr_{mcr_, {"DTR", 0, 1, "data terminal ready"}};
  Flag rts_{mcr_, {"RTS", 1, 1, "request to send"}};
  Flag out1_{mcr_, {"OUT1", 2}};
  Flag out2_{mcr_, {"OUT2", 3}};
  Flag loop_{mcr_, {"LOOP", 4, 1, "loop-back"}};
  Byte lsr_{bank_, {"LSR", 5, "line status", RegisterMode::write_ignored}};
  Byte msr_{bank_, {"MSR", 6, "modem status", RegisterMode::write_ignored}};
  Byte scr_{bank_, {"SCR", 7, "scratch"}};
};

}  // namespace vp
