#pragma once

#include <string>

#include "models/common/interrupt_line.h"
#include "models/common/machine_roles.h"

namespace vp {

class AccessObserver;
class RegisterBank;

/// Is told of what passes between the parts of a machine. A machine without one has nothing in it that costs time.
class MachineObserver {
 public:
  virtual ~MachineObserver() = default;

  /// Who watches the accesses to a window that is no plain memory; asked once a window while the machine is built.
  /// bank: its registers, nullptr if it has none of this form.
  virtual AccessObserver& watch_window(const std::string& part, const std::string& window,
                                       const RegisterBank* bank) = 0;
  /// A receiver that does what `receiver` does, and may watch the line. Ends are called "tpu.interrupt", "plic:1",
  /// "cpu.MEIP".
  virtual InterruptLine::Receiver watch_line(const std::string& from, const std::string& to,
                                             InterruptLine::Receiver receiver) = 0;
  /// A hart has claimed a source of the controller, or completed it.
  virtual void serviced(const std::string& controller, const InterruptService& service) = 0;
};

}  // namespace vp
