#pragma once

#include <string>
#include <vector>

#include "platform/report/run_tree.h"

namespace vp {

/// What stands as the command line in the figures of a copy of a process, which the kernel keeps the original's of. The
/// first word is the program.
void set_command_line(const std::vector<std::string>& words);

/// Where the figures of this process come from, to be asked for when the program has been read. `program`: path of what
/// is run; empty if it is no file. `stats_file`: where they are going to be written; nothing is found out for an empty
/// path.
ProvenanceFigures provenance_of(const std::string& program, const std::string& stats_file);

/// Writes the file that reports and sweeps read ('-': standard output): a run's statistics and where they come from.
/// Nothing for an empty path. Throws UserError.
void write_statistics_file(Statistics& statistics, const ProvenanceFigures& provenance, const std::string& path);

}  // namespace vp
