#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <systemc>

#include "platform/cli/command.h"

namespace {

/// A standard stream that the caller has closed would be the next file that is opened: what is written to it would land
/// there.
void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
}

}  // namespace

/// Called by the SystemC kernel, whose rules want modules made from here.
int sc_main(int argc, char** argv) { return vp::run_process({argv + 1, argv + argc}); }

int main(int argc, char** argv) {
  open_standard_streams();
  signal(SIGXFSZ, SIG_IGN);                             // a file that grows too large is a failing write, not the end
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);  // standard output belongs to results and guests
  return sc_core::sc_elab_and_sim(argc, argv);
}
