#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/common/bus_port_options.h"
#include "models/common/clock.h"
#include "models/common/horizon.h"
#include "models/common/interrupt_line.h"
#include "models/common/outline.h"
#include "models/common/roles.h"

namespace vp {

class HostWake;
class Liveness;
class OverlappingMaster;
class TlmInitiator;
class TlmTarget;

/// Bytes that a part counts itself, read (false) or written (true); the board holds them against what the bus carried.
using ByteCount = std::function<std::uint64_t(bool write)>;

/// Accesses through host pointers, which the bus cannot see, in one region of memory.
struct DirectAccesses {
  std::uint64_t address = 0;  ///< any of the region
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t read_bytes = 0, write_bytes = 0;
};

/// A master's account of all of them since the start.
using DirectAccount = std::function<std::vector<DirectAccesses>()>;

/// What a machine offers a part that is built into it. Sockets, lines and roles given to it must live as long as the
/// part. Names are those of the part's Outline; one that is not there is an error of ours (std::logic_error).
class Site {
 public:
  virtual ~Site() = default;

  /// Of the part, and of its SystemC module.
  virtual const std::string& name() const = 0;
  /// All parts that are present.
  virtual const Outline& machine() const = 0;
  virtual Horizon& horizon() = 0;
  virtual Liveness& liveness() = 0;
  virtual HostWake& host_wake() = 0;
  virtual Picoseconds bus_clock() const = 0;
  virtual unsigned bus_bytes() const = 0;  ///< that the bus moves in a cycle of its clock

  /// The part answers accesses to its window of this name here.
  virtual void add_window(const std::string& window, TlmTarget& socket, ByteCount counted = nullptr) = 0;
  /// The part's master of this name makes its accesses here.
  virtual void add_initiator(const std::string& initiator, TlmInitiator& socket, ByteCount counted = nullptr,
                             DirectAccount direct = nullptr) = 0;
  /// The same for a master with several accesses under way, whose port has a width and a clock of its own.
  virtual void add_initiator(const std::string& initiator, OverlappingMaster& master, BusPortOptions port,
                             ByteCount counted = nullptr) = 0;
  /// Connects the line of this parameter ("interrupt"), once all parts are built. bind takes the other end; it is not
  /// called for a line that leads nowhere. seen, if the part asks: as InterruptInputs::on_seen.
  virtual void connect_interrupt(const std::string& parameter, std::function<void(InterruptLine::Receiver)> bind,
                                 std::function<void()> seen = nullptr) = 0;
  /// The same for a line with a bind() of its own: InterruptLine, TimedInterruptLine.
  template <typename Line, typename = decltype(std::declval<Line&>().bind(InterruptLine::Receiver()))>
  void connect_interrupt(const std::string& parameter, Line& line) {
    connect_interrupt(parameter, std::function<void(InterruptLine::Receiver)>(
                                     [&line](InterruptLine::Receiver receiver) { line.bind(std::move(receiver)); }));
  }

  /// Offers an interface to other parts and to the platform.
  template <typename Role>
  void offer(Role& role) {
    roles().offer(name(), role);
  }
  /// What is offered. Complete in Part::connect().
  virtual Roles& roles() = 0;
};

}  // namespace vp
