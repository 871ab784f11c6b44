#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/gdb/target.h"
#include "platform/run/machine_run.h"

namespace vp {

/// What a person at a debugger asks the machine itself, in words: `monitor irq`. It knows no kind of part. Commands,
/// parts and registers may be shortened as long as one only begins so.
class Monitor {
 public:
  explicit Monitor(MachineRun& run) : run_(run) {}

  /// Switches the instruction trace on or off; without it there is none.
  void on_trace(std::function<void(bool on)> callback) { on_trace_ = std::move(callback); }

  /// Never throws: what cannot be is said in the answer's text.
  gdb::MonitorAnswer run(const std::string& command);
  /// What the hart does: "in machine mode at 0x80000012 (main+0x12)".
  std::string hart_text() const;

 private:
  using Words = std::vector<std::string>;
  struct Command {
    const char* name;
    const char* arguments;
    const char* help;
    std::string (Monitor::*run)(const Words& arguments);
  };
  static const std::vector<Command>& commands();

  std::string help(const Words&);
  std::string info(const Words& arguments);
  std::string registers(const Words& arguments);
  std::string interrupts(const Words&);
  std::string queue(const Words& arguments);
  std::string hazards(const Words&);
  std::string time(const Words&);
  std::string trace(const Words& arguments);
  std::string reset(const Words&);
  std::string part_named(const std::string& word) const;
  std::string hart_interrupts() const;

  MachineRun& run_;
  std::function<void(bool)> on_trace_;
  bool restart_ = false;
};

}  // namespace vp
