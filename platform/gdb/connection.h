#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "platform/gdb/place.h"

namespace vp::gdb {

/// Moves the bytes of one client after the other, in a thread of its own. What waits is bounded: a client that sends
/// without end, or reads nothing, is left waiting. While one is there, others are turned away.
class Connection {
 public:
  /// With the standard streams, whatever else writes to standard output goes to standard error from now on. Throws
  /// UserError with the system's reason.
  explicit Connection(const Place& place);
  /// What was sent is written first, for as long as the client takes it.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// "127.0.0.1:1234"; "standard input and output".
  const std::string& address() const { return address_; }
  /// There will be no other client.
  bool only_one() const { return listener_ < 0; }
  /// on_event is called from the thread when take() has something.
  void start(std::function<void()> on_event);

  struct Event {
    enum class Kind : std::uint8_t { nothing, connected, bytes, disconnected } kind = Kind::nothing;
    std::string bytes = {};
  };
  /// What has happened next.
  Event take();
  bool has_event() const;
  /// Waits until there is an event, or give_up() is called.
  void wait();
  /// From any thread: nobody waits any more, now and later.
  void give_up();
  bool given_up() const;
  /// Bytes for the client; nobody gets them if it is gone.
  void send(const std::string& bytes);

 private:
  enum class Client : std::uint8_t { none, arrived, here, gone };

  void listen(const Place& place);
  void take_standard_streams();
  void wake();
  void move_bytes();
  void accept();
  bool leaving() const;
  void read_some();
  void write_some();
  void lose_client();
  bool event_there() const;

  std::string address_;
  int listener_ = -1;
  int wake_ = -1;
  int in_ = -1, out_ = -1;  // of the client, the thread's; one socket or two streams
  bool socket_ = true;
  std::function<void()> on_event_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Client client_ = Client::none;
  std::string input_, output_;
  std::size_t written_ = 0;  ///< of the output
  bool given_up_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace vp::gdb
