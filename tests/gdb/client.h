#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace vp::gdb {

/// A TCP connection to "127.0.0.1:PORT". It waits at most ten seconds for what it reads.
class TcpClient {
 public:
  explicit TcpClient(const std::string& address) : file_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const std::size_t colon = address.find(':');
    sockaddr_in place{};
    place.sin_family = AF_INET;
    ::inet_pton(AF_INET, address.substr(0, colon).c_str(), &place.sin_addr);
    place.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
    if (::connect(file_, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0)
      throw std::runtime_error("cannot connect to " + address + ": " + std::strerror(errno));
  }
  ~TcpClient() { ::close(file_); }
  TcpClient(const TcpClient&) = delete;
  TcpClient& operator=(const TcpClient&) = delete;

  void send(const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count = ::send(file_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (count < 0) throw std::runtime_error("the server is gone");
      done += static_cast<std::size_t>(count);
    }
  }
  /// So many bytes, or fewer if no more come.
  std::string read(std::size_t count) {
    std::string text;
    while (text.size() < count && read_more(text, count - text.size())) continue;
    return text;
  }
  std::string read_until_closed() {
    std::string text;
    while (read_more(text, 4096)) continue;
    return text;
  }

 private:
  bool read_more(std::string& text, std::size_t most) {
    char bytes[4096];
    pollfd ready{file_, POLLIN, 0};
    if (::poll(&ready, 1, 10'000) <= 0) return false;
    const ssize_t count = ::recv(file_, bytes, std::min(most, sizeof bytes), 0);
    if (count <= 0) return false;
    text.append(bytes, static_cast<std::size_t>(count));
    return true;
  }
  int file_;
};

}  // namespace vp::gdb
