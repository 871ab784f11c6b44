#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

namespace vp {

// The part of `run` that runs programs of the DRRA fabric without a CPU.

/// Adds --drra.
void add_drra_options(boost::program_options::options_description& options);
/// Whether --drra is given.
bool wants_drra_program(const boost::program_options::variables_map& values);
/// Runs it; returns the exit code. Throws UserError, also for options that mean nothing here.
int run_drra_command(const boost::program_options::variables_map& values);

}  // namespace vp
