#include "platform/common/fork_server.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace vp {

namespace {

bool is_copy = false;  // as global as the process

/// Memory that nearly every copy comes to use of its heap.
constexpr std::size_t kHeapPart = std::size_t{512} << 10;
constexpr std::size_t kHeapParts = 3;

/// Memory at the top of the heap, which has not been used yet. All pages of it at once cost a copy a fraction of what
/// they cost one by one.
class FreshHeap {
 public:
  FreshHeap() {
    std::array<void*, kHeapParts> parts{};
    for (void*& part : parts) part = std::malloc(kHeapPart);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    start_ = (reinterpret_cast<std::uintptr_t>(parts.front()) / page + 1) * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(parts.back()) + kHeapPart) / page * page;
    // Else they are not neighbours.
    if (end > start_ && end - start_ <= (kHeapParts + 1) * kHeapPart) size_ = end - start_;
    for (void* part : parts) std::free(part);
  }
  /// A system that cannot does it page by page.
  void populate() const {
#ifdef MADV_POPULATE_WRITE
    (void)::madvise(reinterpret_cast<void*>(start_), size_, MADV_POPULATE_WRITE);
#endif
  }

 private:
  std::uintptr_t start_ = 0;
  std::size_t size_ = 0;
};

/// A copy of the calling process whose parent is the caller's. The C library has no function for it; since the caller
/// has one thread, nothing that fork() does beside it is needed.
pid_t fork_sibling() { return static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)); }

/// Each text behind its length.
void append(std::string& message, const std::string& text) {
  const std::size_t size = text.size();
  message.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
}

std::string written(const ChildSetup& setup) {
  std::string message;
  for (const std::string* text : {&setup.directory, &setup.input, &setup.output}) append(message, *text);
  for (const std::string& word : setup.command) append(message, word);
  return message;
}

ChildSetup read(const std::string& message) {
  ChildSetup setup;
  std::vector<std::string> texts;
  for (std::size_t at = 0, size = 0; at < message.size(); at += size) {
    std::memcpy(&size, &message[at], sizeof size);
    at += sizeof size;
    texts.push_back(message.substr(at, size));
  }
  setup.directory = texts[0];
  setup.input = texts[1];
  setup.output = texts[2];
  setup.command.assign(texts.begin() + 3, texts.end());
  return setup;
}

/// False: the process that asks is gone.
bool receive(int socket, std::string& message) {
  const ssize_t size = ::recv(socket, nullptr, 0, MSG_PEEK | MSG_TRUNC);
  if (size <= 0) return false;
  message.resize(static_cast<std::size_t>(size));
  return ::recv(socket, message.data(), message.size(), 0) == size;
}

[[noreturn]] void serve(int socket, pid_t parent, const ForkServer::Work& work) {
  ::setpgid(0, 0);  // Ctrl-C is for the parent
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const FreshHeap heap;
  std::string message;
  while (::getppid() == parent && receive(socket, message)) {
    const ChildSetup setup = read(message);
    const StartedChild started = start_child(setup, parent, fork_sibling, [&] {
      is_copy = true;
      heap.populate();
      return work(setup.command);
    });
    if (::send(socket, &started, sizeof started, MSG_NOSIGNAL) != sizeof started) break;
  }
  ::_exit(0);
}

}  // namespace

ForkServer::ForkServer(const Work& work) {
  std::array<int, 2> sockets{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) return;
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::close(sockets[0]);
    serve(sockets[1], parent, work);
  }
  ::close(sockets[1]);
  socket_ = sockets[0];
}

ForkServer::~ForkServer() {
  if (socket_ >= 0) ::close(socket_);
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

StartedChild ForkServer::start(const ChildSetup& setup) {
  StartedChild started;
  const std::string message = written(setup);
  if (pid_ <= 0 || ::send(socket_, message.data(), message.size(), MSG_NOSIGNAL) < 0) return started;
  if (::recv(socket_, &started, sizeof started, 0) != sizeof started) return {};
  return started;
}

bool ForkServer::in_copy() { return is_copy; }

}  // namespace vp
