#include "platform/cli/log_options.h"

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>

#include "models/common/error.h"
#include "platform/cli/options.h"

namespace vp {

namespace {

namespace po = boost::program_options;

constexpr const char* kOption = "log-instructions";
constexpr const char* kAccess = "log-access";
constexpr const char* kAccessFilters[] = {"log-access-format", "log-access-direction", "log-access-pc"};

bool to_file(const InstructionLogRequest& request) { return !request.file.empty() && request.file != "-"; }

}  // namespace

void add_log_options(po::options_description& options) {
  options.add_options()(kOption, po::value<std::vector<std::string>>()->composing()->value_name("PART[=FILE]"),
                        "write one line an instruction of this accelerator: when it was pushed and by whom, issued, "
                        "done (standard error without FILE)");
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = options.add_options();
  add(kAccess, text("PART[.REGISTER],...[=FILE]"),
      "write one line an access to these parts or registers ('all': all parts but memories), with their interrupts "
      "(standard error without FILE)");
  add("log-access-format", text("text|json"), "with it: text (default), or an object a line (default for *.jsonl)");
  add("log-access-direction", text("read|write"), "with it: accesses of this direction only");
  add("log-access-pc", text("FROM-TO|SYMBOL"), "with it: accesses of these instructions only");
}

std::optional<AccessLogRequest> access_log(const po::variables_map& values) {
  for (const char* name : kAccessFilters)
    if (values.count(name) && !values.count(kAccess)) throw UserError("--" + std::string(name) + " needs --log-access");
  if (!values.count(kAccess)) return std::nullopt;
  AccessLogRequest request = parse_access_log(value_of(values, kAccess));
  const auto one_of = [&values](const char* name, const char* first, const char* second) -> std::optional<bool> {
    if (!values.count(name)) return std::nullopt;
    const std::string word = value_of(values, name);
    if (word != first && word != second)
      throw UserError("--" + std::string(name) + ": '" + word.substr(0, 80) + "' is neither " + first + " nor " +
                      second);
    return word == second;
  };
  request.writes = one_of("log-access-direction", "read", "write");
  if (const auto json = one_of("log-access-format", "text", "json"))
    request.format = *json ? AccessLogFormat::json_lines : AccessLogFormat::text;
  request.pc = value_of(values, "log-access-pc");
  return request;
}

void refuse_access_log(const po::variables_map& values) {
  access_log(values);
  if (values.count(kAccess)) throw UserError("run: --log-access is for programs of the CPU");
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
