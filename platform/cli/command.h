#pragma once

#include <string>
#include <vector>

namespace vp {

/// One subcommand of tinytpu-vp. run() gets the words behind the subcommand's name, prints its results on stdout and
/// returns the exit code; it throws UserError for what the user did wrong.
struct Command {
  const char* name;
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments);
};

/// All subcommands, in the order in which --help lists them.
const std::vector<Command>& commands();

/// The whole program: picks the subcommand, turns exceptions into one sentence on stderr and an exit code, and notices
/// output that could not be written. arguments: the words behind the program's name.
int run_command_line(const std::vector<std::string>& arguments);

/// The same with the standard streams as the process has them: what `main` does.
int run_process(const std::vector<std::string>& arguments);

}  // namespace vp
