#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

namespace vp {

// The part of `run` that estimates a network's layers on the tinyTPU.

/// Adds --workload and what belongs to it.
void add_workload_options(boost::program_options::options_description& options);
/// Whether --workload is given.
bool wants_workload(const boost::program_options::variables_map& values);
/// Throws UserError if one of the others is given without it.
void refuse_workload_options(const boost::program_options::variables_map& values);
/// Throws UserError for options that mean nothing together, and for values that no machine makes right.
void check_workload_options(const boost::program_options::variables_map& values);
/// Runs it; returns the exit code.
int run_workload_command(const boost::program_options::variables_map& values);

}  // namespace vp
