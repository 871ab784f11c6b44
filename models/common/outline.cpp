#include "models/common/outline.h"

#include <algorithm>

namespace vp {

void declare_base(const ParameterGroup& group, std::uint64_t& base, const std::string& help) {
  group.custom(
      "base", "integer", "0x0 to 0xffffffffffffffff", help,
      [&base] { return base == kNoBase ? std::string("none") : hexadecimal(base); },
      [&base](const std::string& text) { base = parse_integer(text); });
}

const Outline::Controller* Outline::controller_of(const InterruptWire& wire) const {
  if (wire.controller.empty()) return controllers.empty() ? nullptr : &controllers.front();
  const auto found = std::find_if(controllers.begin(), controllers.end(),
                                  [&](const Controller& one) { return one.part == wire.controller; });
  return found == controllers.end() ? nullptr : &*found;
}

const Outline::SerialWire* Outline::wire_to(const std::string& port) const {
  const auto found =
      std::find_if(serial_wires.begin(), serial_wires.end(), [&](const SerialWire& one) { return one.port == port; });
  return found == serial_wires.end() ? nullptr : &*found;
}

}  // namespace vp
