#pragma once

namespace vp {

/// Takes the kernel's messages off standard output, which belongs to the guest: nothing for information, a line on
/// standard error for a warning. An error, also SC_REPORT_FATAL of a model, leaves sc_start() as an exception
/// (sc_core::sc_report).
void tame_kernel_messages();

}  // namespace vp
