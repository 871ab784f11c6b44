#include "platform/run/kernel_messages.h"

#include <iostream>
#include <string>
#include <systemc>

namespace vp {

namespace {

void report_kernel_message(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  using namespace sc_core;
  if (report.get_severity() >= SC_ERROR) throw report;
  // Expected whenever a guest waits for console input.
  const bool idle_start = std::string(report.get_msg_type()) == SC_ID_NO_SC_START_ACTIVITY_;
  if (report.get_severity() == SC_WARNING && !idle_start && (actions & SC_DISPLAY))
    std::cerr << "tinytpu-vp: warning: " << report.get_msg_type() << ": " << report.get_msg() << '\n';
}

}  // namespace

void tame_kernel_messages() { sc_core::sc_report_handler::set_handler(report_kernel_message); }

}  // namespace vp
