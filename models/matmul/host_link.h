#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vp::matmul {

/// A byte stream to a program on the user's own machine: a pseudo-terminal or a TCP port of this host (one client at a
/// time; bytes sent while none is connected go nowhere, as on an unplugged line). A thread of its own moves the bytes;
/// it reads ahead 32 KiB at most, and then leaves them to the host's own buffer, which makes the program wait.
class HostLink {
 public:
  virtual ~HostLink() = default;
  /// What the other program opens: "/dev/pts/5", "127.0.0.1:5555".
  virtual const std::string& address() const = 0;
  /// on_input is called from another thread when take() will give something. Starts moving bytes.
  virtual void start(std::function<void()> on_input) = 0;
  /// Bytes received since the last call.
  virtual std::vector<std::uint8_t> take() = 0;
  /// Waits until take() will give something (true) or for `limit` (false).
  virtual bool wait_for_input(std::chrono::milliseconds limit) = 0;
  virtual void send(std::uint8_t byte) = 0;
  /// Bytes that nobody was there to receive.
  virtual std::uint64_t dropped() const = 0;
};

/// A new pseudo-terminal in raw mode. Throws UserError with the system's reason.
std::unique_ptr<HostLink> open_pseudo_terminal();
/// A TCP port of 127.0.0.1; 0: any free one. Throws UserError with the system's reason.
std::unique_ptr<HostLink> open_tcp_port(std::uint16_t port);

/// Where the device's serial line leads: the parameter `matmul.serial`.
struct SerialTarget {
  enum class Kind { none, part, pty, tcp } kind = Kind::none;
  std::uint16_t port = 0;  ///< of tcp
  std::string part;        ///< whose serial port it is: "uart1"
};
/// Parses "uart1" or another part's name, "pty", "tcp:PORT", "none". Throws UserError.
SerialTarget parse_serial_target(const std::string& text);

}  // namespace vp::matmul
