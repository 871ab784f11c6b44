#include <cstdlib>
#include <systemc>

#include "platform/cli/command.h"

/// Called by the SystemC kernel, whose rules want modules made from here.
int sc_main(int argc, char** argv) { return vp::run_command_line({argv + 1, argv + argc}); }

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);  // standard output belongs to results and guests
  return sc_core::sc_elab_and_sim(argc, argv);
}
