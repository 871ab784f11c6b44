#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include "platform/board/machine_settings.h"
#include "platform/run/run_options.h"

namespace vp {

// The part of `run` that boots a Linux kernel.

/// Adds --linux and what belongs to it.
void add_linux_options(boost::program_options::options_description& options);
/// Whether --linux is given.
bool wants_linux(const boost::program_options::variables_map& values);
/// Throws UserError if one of the others is given without it, or --linux together with what means nothing beside it.
void check_linux_options(const boost::program_options::variables_map& values);
/// Enters what boots; nothing without --linux.
void read_linux_options(const boost::program_options::variables_map& values, RunOptions& options);
/// --append: the boot arguments of the machine's device tree. Throws UserError: the machine has none.
void apply_linux_options(ParameterTable& table, const boost::program_options::variables_map& values);

}  // namespace vp
