#pragma once

#include <cstdint>
#include <string>

namespace vp::gdb {

/// Where clients connect.
struct Place {
  enum class Kind : std::uint8_t { tcp, standard_streams } kind = Kind::tcp;
  std::string host = "127.0.0.1";  ///< IPv4 address of this host on which it listens
  std::uint16_t port = 1234;       ///< 0: a free one
  bool only_this_host() const { return host.compare(0, 4, "127.") == 0; }
};

/// "1234", "stdio", "0.0.0.0:1234". Throws UserError.
Place parse_place(const std::string& text);

}  // namespace vp::gdb
