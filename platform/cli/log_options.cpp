#include "platform/cli/log_options.h"

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>

#include "models/common/error.h"
#include "platform/cli/options.h"

namespace vp {

namespace {

namespace po = boost::program_options;

constexpr const char* kOption = "log-instructions";

bool to_file(const InstructionLogRequest& request) { return !request.file.empty() && request.file != "-"; }

}  // namespace

void add_log_options(po::options_description& options) {
  options.add_options()(kOption, po::value<std::vector<std::string>>()->composing()->value_name("PART[=FILE]"),
                        "write one line an instruction of this accelerator: when it was pushed and by whom, issued, "
                        "done (standard error without FILE)");
}

std::vector<InstructionLogRequest> instruction_logs(const po::variables_map& values) {
  std::vector<InstructionLogRequest> requests;
  for (const std::string& value : values_of(values, kOption)) {
    const std::size_t equals = std::min(value.find('='), value.size());
    const InstructionLogRequest request{value.substr(0, equals), value.substr(std::min(equals + 1, value.size()))};
    if (request.part.empty()) throw UserError("--log-instructions: '" + value + "' names no part: PART or PART=FILE");
    for (const InstructionLogRequest& other : requests) {
      if (other.part == request.part) throw UserError("--log-instructions: '" + request.part + "' is given twice");
      if (to_file(request) && other.file == request.file)
        throw UserError("--log-instructions: two parts would write to '" + request.file + "'");
    }
    requests.push_back(request);
  }
  return requests;
}

std::optional<InstructionLogRequest> instruction_log_of(const po::variables_map& values, const std::string& part) {
  std::optional<InstructionLogRequest> found;
  for (const InstructionLogRequest& request : instruction_logs(values)) {
    if (request.part != part)
      throw UserError("--log-instructions: this run has no part '" + request.part + "', only '" + part + "'");
    found = request;
  }
  return found;
}

}  // namespace vp
