#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/common/fidelity.h"
#include "models/common/interrupt_line.h"
#include "models/common/serial_line.h"

namespace vp {

// Interfaces by which parts of a machine know each other; a part offers them in Part::connect() or when it is built
// (Roles). Each stays with the part that offers it.

/// The interrupt inputs of the hart that runs the program.
class HartInputs {
 public:
  virtual ~HartInputs() = default;
  virtual InterruptLine::Receiver software_interrupt() = 0;
  virtual InterruptLine::Receiver timer_interrupt() = 0;
  virtual InterruptLine::Receiver supervisor_timer_interrupt() = 0;
  /// One of any number: the hart sees them together, high while one of them is.
  virtual InterruptLine::Receiver external_interrupt() = 0;
  /// Likewise, of supervisor mode.
  virtual InterruptLine::Receiver supervisor_external_interrupt() = 0;
};

/// The real-time counter that the `time` CSR of a hart reads.
class TimeCounter {
 public:
  virtual ~TimeCounter() = default;
  /// Its value at an absolute local time.
  virtual std::uint64_t value_at(Picoseconds now) const = 0;
  /// From `now` on the hart's supervisor_timer_interrupt() is high while the counter is at least this.
  virtual void set_supervisor_compare(std::uint64_t value, Picoseconds now) = 0;
};

/// A hart has taken a request over from an interrupt controller, or is done with it.
struct InterruptService {
  enum class Kind { claim, complete } kind = Kind::claim;
  unsigned context = 0;  ///< of the hart, as the controller counts them
  unsigned source = 0;
};

/// Inputs of an interrupt controller.
class InterruptInputs {
 public:
  virtual ~InterruptInputs() = default;
  /// The receiving end of input `number`. edge: a rising edge requests, not a high level.
  virtual InterruptLine::Receiver input(unsigned number, bool edge) = 0;
  /// `callback` is told when the guest has seen that input's request: has claimed it, or has read that it is pending.
  /// From within its access.
  virtual void on_seen(unsigned /*number*/, std::function<void()> /*callback*/) {}
  /// What an input looks like now, for a person.
  struct State {
    bool line = false;
    bool pending = false;     ///< requested, not claimed
    bool in_service = false;  ///< claimed, not completed
    unsigned priority = 0;
  };
  virtual State state(unsigned /*number*/) const { return {}; }
  /// Why a request of that input would not reach the hart now, as the end of a sentence ("is not enabled"); empty if it
  /// would.
  virtual std::string masked(unsigned /*number*/) const { return ""; }
  /// Is told of claims and completions that had an effect, from within the hart's access.
  virtual void on_service(std::function<void(const InterruptService&)> /*callback*/) {}
};

/// A port at which another part's serial line may end.
class SerialPort {
 public:
  virtual ~SerialPort() = default;
  /// Plugs in the other end; before the simulation starts.
  virtual void plug_in(SerialLineEnd& other) = 0;
  /// This end, for the other one to talk to.
  virtual SerialLineEnd& line_end() = 0;
};

/// Memory that programs are loaded into.
class LoadableMemory {
 public:
  virtual ~LoadableMemory() = default;
  virtual std::uint64_t base() const = 0;
  virtual std::uint64_t size() const = 0;
  virtual std::uint8_t* data() = 0;  ///< of the byte at base()
};

/// How a hart comes from its reset vector to the program.
struct BootHandOver {
  unsigned xlen = 64;  ///< register width, 32 or 64
  std::uint64_t entry = 0;
  /// In a1: where the device tree is that the program is to read; nothing: that of the boot ROM.
  std::optional<std::uint64_t> device_tree;
  std::optional<std::uint64_t> argument;  ///< in a2; nothing: a2 is left as it is
};

/// What brings a hart from its reset vector to the program.
class BootImage {
 public:
  virtual ~BootImage() = default;
  /// Code that jumps to the program, and the flattened device tree. Throws UserError if they do not fit.
  virtual void install(const BootHandOver& hand_over, const std::vector<std::uint8_t>& device_tree) = 0;
};

/// A stream between the machine and a program or a person on the user's host.
class HostStream {
 public:
  virtual ~HostStream() = default;
  /// Where the other program finds it ("/dev/pts/5"); empty for a standard stream or a file.
  virtual std::string address() const { return ""; }
  /// Input that is not there yet may come: a machine with nothing left to do is not stuck for ever.
  virtual bool may_bring_more() const = 0;
  /// Input that came now would raise the part's interrupt line.
  virtual bool raises_interrupt() const { return true; }
  /// What the guest has done at the stream so far.
  struct Use {
    std::uint64_t asked_in_vain = 0;  ///< looked for input after the last of it
    std::uint64_t sent = 0;           ///< bytes
  };
  virtual Use use() const { return {}; }
  /// Calls back once, when the guest next looks for input after the last of it; from within its access.
  virtual void on_asked_in_vain(std::function<void()> /*callback*/) {}
  /// Is told of every byte that the guest sends, from within its access.
  virtual void on_sent(std::function<void(std::uint8_t)> /*callback*/) {}
  /// Ends the input as a person at a terminal does, by Ctrl-D, if there was input and the guest has taken all of it.
  virtual void type_end() {}
  /// Writes out what is held back. Throws UserError if any output could not be written.
  virtual void flush() {}
  /// The run has ended: waits in host time, but not for long, until a program at the other end has taken what was sent.
  virtual void drain() {}
};

/// A part that reads memory and makes a stream of it, as the platform starts it when no CPU does: what a driver does by
/// its registers.
class StreamFeeder {
 public:
  virtual ~StreamFeeder() = default;
  /// The part that the stream goes to; empty: none.
  virtual const std::string& leads_to() const = 0;
  /// Bytes that one transfer has at most.
  virtual std::uint64_t longest() const = 0;
  /// Starts a transfer at this time. None may be under way.
  virtual void feed(std::uint64_t address, std::uint64_t bytes, Picoseconds now) = 0;
};

/// What a guest may do to its own run; offered by the platform. Called from within an access of the guest.
class RunControl {
 public:
  virtual ~RunControl() = default;
  /// The guest says that it succeeded, or ends the run with a code of its own.
  virtual void end_with_success() = 0;
  virtual void end_with_code(unsigned code) = 0;
  /// Reset of the machine.
  virtual void reset_by_guest() = 0;
  virtual void switch_fidelity(Fidelity fidelity) = 0;
  /// A named region of the program begins, which ends the one before it; `name`: where its name stands in memory, 0:
  /// none begins.
  virtual void enter_region(std::uint64_t name) = 0;
  /// A figure that the program reports; `text`: where "NAME" or "NAME UNIT" stands in memory.
  virtual void report_metric(std::uint64_t text, std::uint32_t value) = 0;
};

}  // namespace vp
