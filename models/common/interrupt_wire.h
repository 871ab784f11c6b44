#pragma once

#include <string>

#include "models/common/parameters.h"

namespace vp {

/// Where an interrupt line of a part leads: to an input of an interrupt controller, or nowhere.
struct InterruptWire {
  std::string controller;  ///< the controller's part; empty: the first one of the machine
  unsigned number = 0;     ///< of its input; 0: the line leads nowhere

  bool connected() const { return number != 0; }
  /// "20", "plic1:20" or "none", as parse_interrupt_wire() takes it.
  std::string text() const;
};

/// Throws UserError saying what is allowed.
InterruptWire parse_interrupt_wire(const std::string& text);

/// Declares a parameter that says where a line leads.
void declare_interrupt(const ParameterGroup& group, const std::string& name, InterruptWire& wire,
                       const std::string& help = "input of an interrupt controller that its line leads to");

}  // namespace vp
