#pragma once

#include <iosfwd>

#include "platform/board/machine_settings.h"

namespace vp {

/// The machine for a person: the bus, then a part a line with its kind, window, interrupt, and how it is connected.
void print_machine_table(const MachineSettings& machine, std::ostream& out);

/// "plic:10" of an interrupt line, with "rising edge" where it is one; "not connected" if its controller is left out.
std::string interrupt_text(const Outline& machine, const Outline::Interrupt& line);

/// "64 bit, 100 MHz, crossbar"
std::string bus_text(const BusConfig& bus);

}  // namespace vp
