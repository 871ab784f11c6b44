#pragma once

#include <boost/program_options/variables_map.hpp>
#include <functional>
#include <string>

#include "platform/board/machine_settings.h"

namespace vp {

/// Why a parameter can change nothing in a run; empty if it can.
using WithoutEffect = std::function<std::string(const Parameter&)>;

/// The answer for one form of `run` on this machine: what its parts say of their settings as they are
/// (Parameter::without_effect), and, where one device runs alone, that nothing else is looked at. The machine has to
/// outlive the answer.
WithoutEffect make_without_effect(const boost::program_options::variables_map& values, const MachineSettings& machine);

/// Names every setting that somebody changed (not the machine's own description) although it can change nothing in this
/// run, in one warning on standard error.
void warn_of_settings_without_effect(const boost::program_options::variables_map& values,
                                     const MachineSettings& machine);

}  // namespace vp
