#include "platform/gdb/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp::gdb {

namespace {

/// Bytes of the client that wait to be taken.
constexpr std::size_t kMostInput = std::size_t{64} << 10;
/// Bytes for the client beyond which it is not listened to.
constexpr std::size_t kMostOutput = std::size_t{256} << 10;
/// So long the last bytes may take.
constexpr std::chrono::seconds kPatience{1};

[[noreturn]] void fail(const std::string& what) { throw UserError(what + ": " + std::strerror(errno)); }

}  // namespace

Connection::Connection(const Place& place) {
  wake_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_ < 0) fail("gdb: cannot make an event file");
  if (place.kind == Place::Kind::tcp)
    listen(place);
  else
    take_standard_streams();
}

Connection::~Connection() {
  {
    std::unique_lock lock(mutex_);
    if (thread_.joinable())
      changed_.wait_for(lock, kPatience, [this] { return output_.empty() || client_ != Client::here; });
    ending_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
  for (const int file : {listener_, wake_, in_, socket_ ? -1 : out_})
    if (file >= 0) ::close(file);
}

void Connection::listen(const Place& place) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0) fail("gdb: cannot make a TCP socket");
  const int yes = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  ::inet_pton(AF_INET, place.host.c_str(), &address.sin_addr);
  address.sin_port = htons(place.port);
  socklen_t length = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(listener_, 4) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    const int reason = errno;
    ::close(listener_);
    ::close(wake_);
    errno = reason;
    fail("gdb: cannot listen on " + place.host + ":" + std::to_string(place.port));
  }
  address_ = place.host + ":" + std::to_string(ntohs(address.sin_port));
}

void Connection::take_standard_streams() {
  in_ = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  out_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (in_ < 0 || out_ < 0) fail("gdb: cannot take standard input and output");
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  if (const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
  address_ = "standard input and output";
  socket_ = false;
  client_ = Client::arrived;
}

void Connection::start(std::function<void()> on_event) {
  on_event_ = std::move(on_event);
  thread_ = std::thread([this] { move_bytes(); });
}

Connection::Event Connection::take() {
  Event event;
  {
    const std::lock_guard lock(mutex_);
    if (!event_there()) return event;
    if (client_ == Client::arrived) {
      client_ = Client::here;
      event.kind = Event::Kind::connected;
    } else if (!input_.empty()) {
      event.kind = Event::Kind::bytes;
      event.bytes = std::exchange(input_, {});
    } else {
      client_ = Client::none;
      event.kind = Event::Kind::disconnected;
    }
  }
  wake();  // the thread may have paused
  return event;
}

/// A client that does not read its answers gets no others.
bool Connection::event_there() const {
  return client_ == Client::arrived || (!input_.empty() && output_.size() - written_ < kMostOutput) ||
         (client_ == Client::gone && input_.empty());
}

bool Connection::has_event() const {
  const std::lock_guard lock(mutex_);
  return event_there();
}

void Connection::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return given_up_ || event_there(); });
}

void Connection::give_up() {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
  }
  changed_.notify_all();
}

bool Connection::given_up() const {
  const std::lock_guard lock(mutex_);
  return given_up_;
}

void Connection::send(const std::string& bytes) {
  if (bytes.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (client_ != Client::here) return;
    output_ += bytes;
  }
  wake();
}

void Connection::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);  // a full counter wakes as well
}

void Connection::move_bytes() {
  // A client that is gone is noticed by what write() returns.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  for (;;) {
    std::array<pollfd, 4> files{{{wake_, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLOUT, 0}}};
    auto& [woken, listening, reading, writing] = files;
    {
      const std::lock_guard lock(mutex_);
      if (ending_) return;
      const bool here = client_ == Client::here || client_ == Client::arrived;
      const bool reads = here && input_.size() < kMostInput;
      // While its bytes wait, nobody can see whether the client has left behind them.
      if (reads || client_ == Client::none) listening.fd = listener_;
      if (reads) reading.fd = in_;
      if (here && !output_.empty()) writing.fd = out_;
    }
    if (::poll(files.data(), files.size(), -1) < 0) continue;
    std::uint64_t count = 0;
    if (woken.revents != 0 && ::read(wake_, &count, sizeof count) < 0) continue;
    if (writing.revents != 0) write_some();
    if (reading.revents != 0 && in_ >= 0) read_some();
    if (listening.revents != 0) accept();
  }
}

void Connection::accept() {
  bool busy = false;
  {
    const std::lock_guard lock(mutex_);
    if (client_ == Client::gone) return;  // the next one waits until that has been noticed
    busy = client_ != Client::none;
  }
  if (busy && leaving()) return;
  const int file = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (file < 0) return;
  if (busy) {
    ::close(file);
    return;
  }
  const int yes = 1;
  ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  {
    const std::lock_guard lock(mutex_);
    in_ = out_ = file;
    output_.clear();
    written_ = 0;
    client_ = Client::arrived;
  }
  changed_.notify_all();
  on_event_();
}

/// The client has closed its end, or may have behind bytes that have not been read yet.
bool Connection::leaving() const {
  int unread = 0;
  if (::ioctl(in_, FIONREAD, &unread) == 0 && unread > 0) return true;
  pollfd client{in_, POLLRDHUP, 0};
  return ::poll(&client, 1, 0) > 0;
}

void Connection::read_some() {
  std::array<char, 4096> bytes;
  const ssize_t count = ::read(in_, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return lose_client();
  {
    const std::lock_guard lock(mutex_);
    input_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  changed_.notify_all();
  on_event_();
}

void Connection::write_some() {
  ssize_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    // A pipe that is ready takes 4096 bytes without waiting.
    const std::size_t size = std::min<std::size_t>(output_.size() - written_, socket_ ? 65536 : 4096);
    const char* const bytes = output_.data() + written_;
    count = socket_ ? ::send(out_, bytes, size, MSG_NOSIGNAL) : ::write(out_, bytes, size);
    if (count > 0) written_ += static_cast<std::size_t>(count);
    if (written_ == output_.size()) {
      output_.clear();
      written_ = 0;
    }
  }
  if (count < 0 && errno != EAGAIN && errno != EINTR) return lose_client();
  changed_.notify_all();
}

void Connection::lose_client() {
  {
    const std::lock_guard lock(mutex_);
    if (client_ != Client::here && client_ != Client::arrived) return;
    if (socket_) {
      ::close(in_);
      in_ = out_ = -1;
    }
    output_.clear();
    written_ = 0;
    // One that came and went unnoticed is noticed all the same, with its bytes.
    client_ = client_ == Client::arrived && input_.empty() ? Client::none : Client::gone;
  }
  changed_.notify_all();
  on_event_();
}

}  // namespace vp::gdb
