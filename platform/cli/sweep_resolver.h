#pragma once

#include <string>
#include <vector>

#include "platform/sweep/constraint.h"
#include "platform/sweep/sweep_folder.h"

namespace vp {

/// Options and settings of a sweep that hold at all points.
struct SweepBase {
  std::vector<std::string> plugins;       ///< shared libraries with kinds of parts
  std::vector<std::string> config_files;  ///< weakest first
  std::vector<std::string> command;       ///< words behind "--"
  std::vector<std::string> swept;         ///< names of the axes
  std::vector<Constraint> constraints;    ///< points for which one does not hold are left out
};

/// Understands points as `run` would, and refuses what it would refuse: checks the command with the options of the
/// point, builds its machine's settings, fits its program into memory. Throws UserError at once for what is wrong with
/// the command whatever the point is.
ResolvePoint make_resolver(SweepBase base);

}  // namespace vp
