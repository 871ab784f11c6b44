#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/run/access_filter.h"
#include "platform/run/instruction_file.h"

namespace vp {

/// Adds --log-instructions and --log-access with what belongs to it.
void add_log_options(boost::program_options::options_description& options);
/// What it asks for. Throws UserError for a value without a part, and for a part or a file that comes twice.
std::vector<InstructionLogRequest> instruction_logs(const boost::program_options::variables_map& values);
/// The same of a run of this part alone. Throws UserError for another part.
std::optional<InstructionLogRequest> instruction_log_of(const boost::program_options::variables_map& values,
                                                        const std::string& part);

/// What --log-access and its filters ask for. Throws UserError, also for a filter without it.
std::optional<AccessLogRequest> access_log(const boost::program_options::variables_map& values);
/// Throws UserError if they are given: the run is none of a CPU's program.
void refuse_access_log(const boost::program_options::variables_map& values);

}  // namespace vp
