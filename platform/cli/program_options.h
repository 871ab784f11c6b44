#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <optional>

#include "platform/board/machine_settings.h"

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
/// Throws UserError for what this machine's tinyTPU cannot run: a network that does not fit its buffers.
void check_tpu_program(const boost::program_options::variables_map& values, const MachineSettings& machine);
/// --batch: input vectors of a network; nothing if it is not given. Throws UserError.
std::optional<std::uint64_t> batch_of(const boost::program_options::variables_map& values);
/// Runs it; returns the exit code.
int run_tpu_program_command(const boost::program_options::variables_map& values);

}  // namespace vp
