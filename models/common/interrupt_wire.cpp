#include "models/common/interrupt_wire.h"

#include <limits>

#include "models/common/error.h"

namespace vp {

std::string InterruptWire::text() const {
  if (!connected()) return "none";
  return (controller.empty() ? "" : controller + ":") + std::to_string(number);
}

InterruptWire parse_interrupt_wire(const std::string& text) {
  if (text == "none") return {};
  const std::string allowed =
      "'" + text + "' is no interrupt (a number such as 20, one of a named controller such as plic1:20, or none)";
  const std::size_t colon = text.find(':');
  InterruptWire wire;
  if (colon != std::string::npos) wire.controller = text.substr(0, colon);
  if (colon == 0) throw UserError(allowed);
  std::uint64_t number = 0;
  try {
    number = parse_integer(colon == std::string::npos ? text : text.substr(colon + 1));
  } catch (const UserError&) {
    throw UserError(allowed);
  }
  if (number == 0 || number > std::numeric_limits<unsigned>::max()) throw UserError(allowed);
  wire.number = static_cast<unsigned>(number);
  return wire;
}

void declare_interrupt(const ParameterGroup& group, const std::string& name, InterruptWire& wire,
                       const std::string& help) {
  group.custom(
      name, "interrupt", "a number, CONTROLLER:NUMBER, none", help, [&wire] { return wire.text(); },
      [&wire](const std::string& text) { wire = parse_interrupt_wire(text); });
}

}  // namespace vp
