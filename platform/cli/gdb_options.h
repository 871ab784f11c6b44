#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include "platform/board/machine_settings.h"
#include "platform/cli/options.h"
#include "platform/run/run_options.h"

namespace vp {

// The part of `run` that puts a program of the CPU under a debugger.

/// Adds --gdb and --gdb-wait.
void add_gdb_options(OptionParser& parser);
/// Throws UserError if one of them is given: this run has no CPU.
void refuse_gdb_options(const boost::program_options::variables_map& values);
/// Takes them over. Throws UserError.
void read_gdb_options(const boost::program_options::variables_map& values, RunOptions& options);
/// Throws UserError if a debugger on the standard streams would meet the machine's console there.
void check_gdb_streams(const RunOptions& options, const MachineSettings& settings);

}  // namespace vp
