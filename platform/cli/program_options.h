#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

namespace vp {

// The part of `run` that runs a tinyTPU program without a CPU.

/// Adds --program, --network and what belongs to them.
void add_program_options(boost::program_options::options_description& options);
/// Whether --program or --network is given.
bool wants_tpu_program(const boost::program_options::variables_map& values);
/// Throws UserError if one of the others is given without them.
void refuse_program_options(const boost::program_options::variables_map& values);
/// Throws UserError for options that mean nothing together, and for values that no machine makes right.
void check_tpu_program_options(const boost::program_options::variables_map& values);
/// Runs it; returns the exit code.
int run_tpu_program_command(const boost::program_options::variables_map& values);

}  // namespace vp
