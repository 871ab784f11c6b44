#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

namespace vp {

// The part of `run` that runs a network compiled for the Tensil TCU without a CPU.

/// Adds --tmodel and what belongs to it.
void add_tensil_options(boost::program_options::options_description& options);
/// Whether --tmodel is given.
bool wants_tensil_model(const boost::program_options::variables_map& values);
/// Throws UserError if one of the others is given without it.
void refuse_tensil_options(const boost::program_options::variables_map& values);
/// Runs it; returns the exit code.
int run_tensil_command(const boost::program_options::variables_map& values);

}  // namespace vp
