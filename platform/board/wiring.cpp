#include "platform/board/wiring.h"

#include <algorithm>
#include <map>

#include "models/bus/address_map.h"
#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/board/machine_settings.h"

namespace vp {

namespace {

/// "; did you mean 'plic'?" for the name of a part that does not exist.
std::string guess(const MachineSettings& machine, const std::string& part) {
  std::vector<std::string> names;
  for (const DescribedPart& one : machine.parts()) names.push_back(one.settings->name());
  const std::string nearest = nearest_word(part, names);
  return nearest.empty() ? "" : ": did you mean '" + nearest + "'?";
}

void check_windows(const Outline& outline) {
  std::vector<BusWindow> windows;
  for (const Outline::Window& one : outline.windows) {
    if (one.window.base == kNoBase)
      throw UserError(one.part + " has no place in the address space: set " + one.part + ".base");
    windows.push_back(one.window);
  }
  const AddressMap overlap_is_an_error(std::move(windows));
}

/// The other end of a line that leads to a part which is not there; it may have been left out.
void check_absent(const MachineSettings& machine, const std::string& parameter, const std::string& target,
                  const std::string& part, const std::string& sort) {
  const DescribedPart* const known = machine.find(part);
  if (!known)
    throw UserError(parameter + " leads to " + target + ", but the machine has no part " + part + guess(machine, part));
  if (known->settings->present) throw UserError(parameter + " leads to " + target + ", but " + part + " is no " + sort);
}

void check_interrupts(const MachineSettings& machine, const Outline& outline) {
  std::map<std::pair<std::string, unsigned>, std::string> taken;  // parameter by controller and number
  for (const Outline::Interrupt& line : outline.interrupts) {
    if (!line.wire.connected()) continue;
    const std::string parameter = line.part + "." + line.parameter;
    const Outline::Controller* const controller = outline.controller_of(line.wire);
    if (!controller) {
      if (!line.wire.controller.empty())
        check_absent(machine, parameter, line.wire.text(), line.wire.controller, "interrupt controller");
      continue;
    }
    if (line.wire.number > controller->inputs)
      throw UserError(parameter + " is " + line.wire.text() + ", but the inputs of " + controller->part +
                      " end with number " + std::to_string(controller->inputs) + " (" + controller->part + "." +
                      controller->parameter + ")");
    const auto [other, is_new] = taken.try_emplace({controller->part, line.wire.number}, parameter);
    if (!is_new)
      throw UserError(other->second + " and " + parameter + " both lead to input " + std::to_string(line.wire.number) +
                      " of " + controller->part);
  }
}

void check_serial_lines(const MachineSettings& machine, const Outline& outline) {
  std::map<std::string, std::string> taken;  // parameter by port
  for (const Outline::SerialWire& line : outline.serial_wires) {
    const std::string parameter = line.part + "." + line.parameter;
    const auto port = std::find_if(outline.serial_ports.begin(), outline.serial_ports.end(),
                                   [&](const Outline::SerialPort& one) { return one.part == line.port; });
    if (port == outline.serial_ports.end()) {
      check_absent(machine, parameter, line.port, line.port, "serial port");
      continue;
    }
    if (!port->console.empty())
      throw UserError(port->part + " has a console (" + port->console + ") and " + line.part +
                      " at its other end: set " + parameter);
    const auto [other, is_new] = taken.try_emplace(port->part, parameter);
    if (!is_new) throw UserError(other->second + " and " + parameter + " both lead to " + port->part);
  }
}

void check_streams(const MachineSettings& machine, const Outline& outline) {
  std::map<std::pair<std::string, bool>, std::string> taken;  // parameter by part and direction
  for (const Outline::StreamWire& wire : outline.stream_wires) {
    const std::string parameter = wire.part + "." + wire.parameter;
    const auto end =
        std::find_if(outline.stream_ends.begin(), outline.stream_ends.end(),
                     [&](const Outline::StreamEnd& one) { return one.part == wire.other && one.takes == wire.into; });
    if (end == outline.stream_ends.end()) {
      check_absent(machine, parameter, wire.other, wire.other,
                   wire.into ? "part that takes a stream" : "part that makes a stream");
      continue;
    }
    const auto [other, is_new] = taken.try_emplace({wire.other, wire.into}, parameter);
    if (!is_new) throw UserError(other->second + " and " + parameter + " both lead to " + wire.other);
  }
}

}  // namespace

void check_wiring(const MachineSettings& machine, const Outline& outline) {
  check_windows(outline);
  check_interrupts(machine, outline);
  check_serial_lines(machine, outline);
  check_streams(machine, outline);
}

}  // namespace vp
