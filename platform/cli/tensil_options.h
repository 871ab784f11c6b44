#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/tensil/config.h"
#include "models/tensil/model_file.h"

namespace vp {

// The part of `run` that runs a network compiled for the Tensil TCU without a CPU.

/// Adds --tmodel and what belongs to it.
void add_tensil_options(boost::program_options::options_description& options);
/// Whether --tmodel is given.
bool wants_tensil_model(const boost::program_options::variables_map& values);
/// Throws UserError if one of the others is given without it.
void refuse_tensil_options(const boost::program_options::variables_map& values);
/// Throws UserError for options that mean nothing here, and for values that no model makes right.
void check_tensil_options(const boost::program_options::variables_map& values);
/// Runs it; returns the exit code.
int run_tensil_command(const boost::program_options::variables_map& values);

/// A TCU's settings for one model: its architecture, then files, environment and --set, weakest first. Neither copied
/// nor moved, since the table refers to the settings.
struct TensilSettings {
  /// Files and environment may hold settings of a whole machine; those that are not the TCU's are left alone.
  TensilSettings(const tensil::Model& model, const std::vector<std::string>& config_files,
                 const std::vector<std::string>& assignments);
  TensilSettings(const TensilSettings&) = delete;
  TensilSettings& operator=(const TensilSettings&) = delete;

  tensil::TensilConfig config;
  ParameterTable table;
};

}  // namespace vp
