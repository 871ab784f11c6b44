#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/bus_window.h"
#include "models/common/clock.h"
#include "models/common/interrupt_wire.h"
#include "models/common/parameters.h"

namespace vp {

/// A base address that nobody has given yet.
inline constexpr std::uint64_t kNoBase = ~std::uint64_t{0};

/// Declares the parameter `base`; kNoBase shows as "none" and cannot be set.
void declare_base(const ParameterGroup& group, std::uint64_t& base,
                  const std::string& help = "first address of its window");

/// What the parts of a machine are to each other, known before anything is built: each part adds its own entries, the
/// board checks them, draws them and wires the built parts by them. Parts that are left out have none.
struct Outline {
  /// A window on the bus. Its name is the part's, or begins with it if a part has several.
  struct Window {
    std::string part;
    BusWindow window;
    bool loadable = false;  ///< a program's segments may lie here
  };
  /// A master on the bus.
  struct Initiator {
    std::string part;
    std::string name;         ///< as the bus calls it
    bool background = false;  ///< its traffic is no work of the program
  };
  enum class Trigger { level, edge };
  /// An interrupt line that comes out of a part.
  struct Interrupt {
    std::string part;
    std::string parameter;  ///< that holds the wire, without the part: "interrupt"
    InterruptWire wire;
    Trigger trigger = Trigger::level;
  };
  /// An interrupt controller: inputs 1 to `inputs`.
  struct Controller {
    std::string part;
    unsigned inputs = 0;
    std::string parameter;  ///< that says how many, without the part
  };
  /// A part at which a serial line ends that another part's line may be led to.
  struct SerialPort {
    std::string part;
    std::string console;  ///< settings by which it serves a console of the host, so that no line may lead to it; or ""
  };
  /// A part's serial line, led to a port of another part.
  struct SerialWire {
    std::string part;
    std::string parameter;  ///< that names the port, without the part
    std::string port;
  };
  /// An end of a byte stream that another part's stream may be led to.
  struct StreamEnd {
    std::string part;
    bool takes = true;  ///< a stream; else it makes one
  };
  /// A part's stream, led to (or from) an end of another part.
  struct StreamWire {
    std::string part;
    std::string parameter;  ///< that names the other part, without the part
    std::string other;
    bool into = true;  ///< the bytes go to the other part
  };
  /// The CPU that runs the user's program.
  struct Processor {
    std::string part;
    unsigned xlen = 64;
    Picoseconds quantum = 0;  ///< how far it may run ahead of the kernel
  };

  std::vector<Window> windows;
  std::vector<Initiator> initiators;
  std::vector<Interrupt> interrupts;
  std::vector<Controller> controllers;
  std::vector<std::string> hart_interrupts;  ///< parts that lead lines to the processor's own interrupt inputs
  bool counts_time = false;                  ///< some part has the processor's real-time counter
  std::vector<SerialPort> serial_ports;
  std::vector<SerialWire> serial_wires;
  std::vector<StreamEnd> stream_ends;
  std::vector<StreamWire> stream_wires;
  std::vector<Processor> processors;
  std::optional<std::uint64_t> reset_vector;  ///< where a processor starts

  /// The controller that a wire leads to, nullptr if the machine has none of that name (or none at all).
  const Controller* controller_of(const InterruptWire& wire) const;
  /// The part whose line leads to the port, nullptr if none does.
  const SerialWire* wire_to(const std::string& port) const;
};

}  // namespace vp
