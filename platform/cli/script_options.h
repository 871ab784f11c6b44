#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

namespace vp {

// The part of `run` that runs scripts on the MatMul device without a CPU.

/// Adds --matmul.
void add_script_options(boost::program_options::options_description& options);
/// Whether --matmul is given.
bool wants_scripts(const boost::program_options::variables_map& values);
/// Throws UserError for options that mean nothing here, and for values that no machine makes right.
void check_script_options(const boost::program_options::variables_map& values);
/// Runs them; returns the exit code. Throws UserError.
int run_scripts_command(const boost::program_options::variables_map& values);

}  // namespace vp
