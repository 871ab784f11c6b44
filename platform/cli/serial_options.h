#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include "platform/board/machine_settings.h"
#include "platform/run/run_options.h"

namespace vp {

// The part of `run` that leads devices' serial lines elsewhere, and that serves one without a CPU.

/// Adds --serial.
void add_serial_options(boost::program_options::options_description& options);
/// --serial PART=TARGET is the short form of --set PART.serial=TARGET. Throws UserError.
void apply_serial_options(ParameterTable& table, const boost::program_options::variables_map& values);
/// The MatMul device's line leads to this host, so that it is worth serving without a CPU.
bool wants_serial_device(const MachineSettings& settings);
/// Serves it; returns the exit code. Throws UserError, also for options that mean nothing here.
int run_serial_device_command(const RunOptions& run, const MachineSettings& settings,
                              const boost::program_options::variables_map& values);

}  // namespace vp
