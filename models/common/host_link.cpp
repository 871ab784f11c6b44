#include "models/common/host_link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/common/part_name.h"

namespace vp {
namespace {

/// Bytes kept for a program that does not read.
constexpr std::size_t kMostPending = std::size_t{64} << 10;

/// Bytes received that wait to be taken: while there are so many, no more are read, so that the program at the other
/// end has to wait.
constexpr std::size_t kMostReceived = std::size_t{28} << 10;

class File {
 public:
  explicit File(int fd = -1) : fd_(fd) {}
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::string& what) { throw UserError(what + ": " + std::strerror(errno) + "."); }

void set_non_blocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

/// Moves bytes between a stream and two queues. The stream is a pseudo-terminal, or whatever client a listening socket
/// has.
class PolledLink : public HostLink {
 public:
  /// stream or listener, and for a pseudo-terminal our own hold on its other end, which keeps it alive between
  /// programs.
  PolledLink(std::string address, File stream, File listener, File keep_open, WithoutClient unread)
      : address_(std::move(address)),
        unread_(unread),
        stream_(std::move(stream)),
        listener_(std::move(listener)),
        keep_open_(std::move(keep_open)),
        wake_(::eventfd(0, EFD_NONBLOCK)) {
    if (!wake_) fail("Cannot make an event file");
  }
  ~PolledLink() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wake();
    if (thread_.joinable()) thread_.join();
  }

  const std::string& address() const override { return address_; }
  void start(std::function<void()> on_input) override {
    on_input_ = std::move(on_input);
    thread_ = std::thread([this] { move_bytes(); });
  }
  std::vector<std::uint8_t> take() override {
    if (!any_input_) return {};
    std::vector<std::uint8_t> taken;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      taken = std::exchange(input_, {});
      any_input_ = false;
    }
    if (taken.size() >= kMostReceived) wake();  // the thread has paused reading
    return taken;
  }
  bool send(std::uint8_t byte) override {
    bool was_empty = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (goes_nowhere()) return true;
      if (output_.size() >= kMostPending) return false;
      was_empty = output_.empty();
      output_.push_back(byte);
    }
    if (was_empty) wake();
    return true;
  }
  bool wait_for_room(std::chrono::milliseconds limit) override {
    std::unique_lock<std::mutex> lock(mutex_);
    return output_moved_.wait_for(lock, limit, [this] { return goes_nowhere() || output_.size() < kMostPending; });
  }
  void drain() override {
    constexpr std::chrono::milliseconds kLook{5};
    constexpr unsigned kPatience = 60;  // looks without progress
    std::size_t before = 0;
    for (unsigned idle = 0; idle < kPatience;) {
      std::unique_lock<std::mutex> lock(mutex_);
      const std::size_t unread = output_.size() + unread_by_reader();
      if (!connected_ || (unread == 0 && before == 0 && idle != 0)) return;  // on its way through the terminal before
      idle = unread < before ? 0 : idle + 1;
      before = unread;
      output_moved_.wait_for(lock, kLook);
    }
  }

 private:
  bool goes_nowhere() const { return !connected_ && unread_ == WithoutClient::lost; }

  /// Bytes that lie in the pseudo-terminal, and would go with it.
  std::size_t unread_by_reader() const {
    int count = 0;
    return keep_open_ && ::ioctl(keep_open_.get(), FIONREAD, &count) == 0 ? static_cast<std::size_t>(count) : 0;
  }

  void wake() {
    const std::uint64_t one = 1;
    // A full counter wakes as well, so a failing write needs no attention.
    if (::write(wake_.get(), &one, sizeof one) < 0) return;
  }

  void move_bytes() {
    for (;;) {
      short events = 0;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (stop_) return;
        connected_ = static_cast<bool>(stream_);
        if (goes_nowhere()) forget_output();
        if (input_.size() < kMostReceived) events = POLLIN;
        if (!output_.empty()) events |= POLLOUT;
      }
      const int other = stream_ ? stream_.get() : listener_.get();
      // With nothing to wait for there, a hangup would still end every poll: leave it out.
      pollfd files[2] = {{wake_.get(), POLLIN, 0}, {events != 0 ? other : -1, events, 0}};
      if (::poll(files, 2, -1) < 0) continue;
      std::uint64_t count = 0;
      if ((files[0].revents & POLLIN) != 0 && ::read(wake_.get(), &count, sizeof count) < 0) continue;
      if (!stream_) {
        if ((files[1].revents & POLLIN) != 0) accept();
        continue;
      }
      if ((files[1].revents & POLLOUT) != 0) write_some();
      if ((events & POLLIN) != 0 && (files[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_some();
    }
  }

  void accept() {
    stream_ = File(::accept(listener_.get(), nullptr, nullptr));
    if (!stream_) return;
    set_non_blocking(stream_.get());
    const int yes = 1;
    ::setsockopt(stream_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }

  void read_some() {
    std::uint8_t bytes[4096];
    const ssize_t count = ::read(stream_.get(), bytes, sizeof bytes);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
      if (listener_) stream_ = File();  // the client has gone, wait for the next
      return;
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      input_.insert(input_.end(), bytes, bytes + count);
      any_input_ = true;
    }
    on_input_();
  }

  void write_some() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::vector<std::uint8_t> bytes(output_.begin(), output_.end());
    const ssize_t count = listener_ ? ::send(stream_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL)
                                    : ::write(stream_.get(), bytes.data(), bytes.size());
    if (count > 0) {
      output_.erase(output_.begin(), output_.begin() + count);
      output_moved_.notify_all();
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) forget_output();  // nobody is there any more to receive it
  }

  void forget_output() {
    output_.clear();
    output_moved_.notify_all();
  }

  const std::string address_;
  const WithoutClient unread_;
  File stream_, listener_, keep_open_, wake_;
  std::function<void()> on_input_;
  mutable std::mutex mutex_;
  std::condition_variable output_moved_;
  std::vector<std::uint8_t> input_;
  std::atomic<bool> any_input_{false};
  std::deque<std::uint8_t> output_;
  bool connected_ = true;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<HostLink> open_pseudo_terminal() {
  File stream(::posix_openpt(O_RDWR | O_NOCTTY));
  char name[128];
  if (!stream || ::grantpt(stream.get()) != 0 || ::unlockpt(stream.get()) != 0 ||
      ::ptsname_r(stream.get(), name, sizeof name) != 0) {
    fail("Cannot open a pseudo-terminal");
  }
  File other(::open(name, O_RDWR | O_NOCTTY));
  termios settings{};
  if (!other || ::tcgetattr(other.get(), &settings) != 0) fail("Cannot open the pseudo-terminal " + std::string(name));
  ::cfmakeraw(&settings);
  if (::tcsetattr(other.get(), TCSANOW, &settings) != 0) fail("Cannot set up the pseudo-terminal " + std::string(name));
  set_non_blocking(stream.get());
  return std::make_unique<PolledLink>(name, std::move(stream), File(), std::move(other), WithoutClient::kept);
}

std::unique_ptr<HostLink> open_tcp_port(std::uint16_t port, WithoutClient unread) {
  File listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener) fail("Cannot make a TCP socket");
  const int yes = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t length = sizeof address;
  if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(listener.get(), 1) != 0 ||
      ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    fail("Cannot listen on TCP port " + std::to_string(port));
  }
  set_non_blocking(listener.get());
  return std::make_unique<PolledLink>("127.0.0.1:" + std::to_string(ntohs(address.sin_port)), File(),
                                      std::move(listener), File(), unread);
}

std::unique_ptr<HostLink> open_host_link(const SerialTarget& target, WithoutClient unread) {
  return target.kind == SerialTarget::Kind::pty ? open_pseudo_terminal() : open_tcp_port(target.port, unread);
}

SerialTarget parse_serial_target(const std::string& text) {
  const std::string kTcp = "tcp:";
  if (text == "none") return {};
  if (text == "pty") return {SerialTarget::Kind::pty, 0, ""};
  if (text.compare(0, kTcp.size(), kTcp) == 0) {
    const std::uint64_t port = parse_integer(text.substr(kTcp.size()));
    if (port <= 65535) return {SerialTarget::Kind::tcp, static_cast<std::uint16_t>(port), ""};
  } else if (is_part_name(text)) {
    return {SerialTarget::Kind::part, 0, text};
  }
  throw UserError("The serial line leads to '" + text +
                  "', allowed are a UART such as uart1, pty, tcp:PORT (up to 65535) and none.");
}

}  // namespace vp
