#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include "models/common/parameters.h"

namespace vp {

/// Adds --config, --set and, if `with_dump`, --dump-config.
void add_configuration_options(boost::program_options::options_description& options, bool with_dump);

/// Applies all sources of settings, weakest first: --config files in their order, the environment, --set.
void apply_configuration(ParameterTable& table, const boost::program_options::variables_map& values);

/// Writes the settings if --dump-config asks for it.
void dump_configuration(const ParameterTable& table, const boost::program_options::variables_map& values);

}  // namespace vp
