#include "platform/gdb/place.h"

#include <arpa/inet.h>

#include "models/common/error.h"

namespace vp::gdb {

Place parse_place(const std::string& text) {
  Place place;
  if (text == "stdio") {
    place.kind = Place::Kind::standard_streams;
    return place;
  }
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) place.host = text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  const bool digits = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos;
  in_addr address{};
  if (!digits || std::stoul(port) > 65535 || ::inet_pton(AF_INET, place.host.c_str(), &address) != 1)
    throw UserError("'" + text.substr(0, 80) + "' is none of PORT (0 to 65535), ADDRESS:PORT and stdio");
  place.port = static_cast<std::uint16_t>(std::stoul(port));
  return place;
}

}  // namespace vp::gdb
