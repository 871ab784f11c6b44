#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vp {

/// A byte stream to a program on the user's own machine: a pseudo-terminal or a TCP port of this host, which takes one
/// client at a time. A thread of its own moves the bytes. It reads ahead 32 KiB at most, and then leaves them to the
/// host's own buffer, which makes the program wait; and it keeps 64 KiB at most for a program that does not read.
class HostLink {
 public:
  virtual ~HostLink() = default;
  /// What the other program opens: "/dev/pts/5", "127.0.0.1:5555".
  virtual const std::string& address() const = 0;
  /// on_input is called from another thread when take() will give something. Starts moving bytes.
  virtual void start(std::function<void()> on_input) = 0;
  /// Bytes received since the last call. Cheap if there are none.
  virtual std::vector<std::uint8_t> take() = 0;
  /// false: there is no room for it now.
  virtual bool send(std::uint8_t byte) = 0;
  /// Waits in host time until a byte can be sent (true) or for `limit` (false).
  virtual bool wait_for_room(std::chrono::milliseconds limit) = 0;
  /// Waits in host time until the program has taken all that was sent, or has taken nothing for 0.3 s, or is not there.
  virtual void drain() = 0;
};

/// What becomes of bytes that are sent to a TCP port while it has no client.
enum class WithoutClient {
  lost,  ///< they go nowhere, as on an unplugged line
  kept,  ///< for the next client, up to the same limit
};

/// Where a serial line leads.
struct SerialTarget {
  enum class Kind { none, part, pty, tcp } kind = Kind::none;
  std::uint16_t port = 0;  ///< of tcp
  std::string part;        ///< whose serial port it is: "uart1"

  /// To a program on this host.
  bool on_host() const { return kind == Kind::pty || kind == Kind::tcp; }
};
/// Parses "uart1" or another part's name, "pty", "tcp:PORT", "none". Throws UserError.
SerialTarget parse_serial_target(const std::string& text);

/// A new pseudo-terminal in raw mode. Throws UserError with the system's reason.
std::unique_ptr<HostLink> open_pseudo_terminal();
/// A TCP port of 127.0.0.1; 0: any free one. Throws UserError with the system's reason.
std::unique_ptr<HostLink> open_tcp_port(std::uint16_t port, WithoutClient unread = WithoutClient::lost);
/// The one that the target names; it must be on the host.
std::unique_ptr<HostLink> open_host_link(const SerialTarget& target, WithoutClient unread = WithoutClient::lost);

}  // namespace vp
