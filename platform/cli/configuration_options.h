#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <string>

#include "models/common/error.h"
#include "platform/board/machine_settings.h"

namespace vp {

/// Adds --machine, --config, --set, --plugin and, if `with_dump`, --dump-config.
void add_configuration_options(boost::program_options::options_description& options, bool with_dump);

/// Where the machine and its settings come from: these options, and the process's environment.
MachineSources machine_sources(const boost::program_options::variables_map& values);

/// The first part of a class of settings, for a command that is about one device; `device` names it in a UserError.
template <typename Settings>
const Settings& find_device(const MachineSettings& settings, const std::string& device) {
  const Settings* const found = settings.first<Settings>();
  if (!found) throw UserError("the machine has no " + device);
  return *found;
}

/// Writes the settings if --dump-config asks for it. They make the same machine as --config of the default machine:
/// parts of that one which this machine has not are left out of it. Throws UserError for a machine that no run would
/// take.
void dump_configuration(const MachineSettings& settings, const boost::program_options::variables_map& values);

}  // namespace vp
