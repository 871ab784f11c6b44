#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <thread>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/check/check_runner.h"
#include "platform/check/formats.h"
#include "platform/cli/commands.h"
#include "platform/cli/options.h"
#include "platform/common/exit_code.h"

namespace vp {

namespace {

unsigned job_count(const std::string& text) {
  if (text.empty()) return std::max(1u, std::thread::hardware_concurrency());
  constexpr std::uint64_t kMost = 1024;
  std::uint64_t jobs = 0;
  try {
    jobs = parse_integer(text);
  } catch (const UserError& error) {
    throw UserError(std::string("--jobs: ") + error.what());
  }
  if (jobs < 1 || jobs > kMost) throw UserError("--jobs: " + text + " is out of range (allowed: 1 to 1024)");
  return static_cast<unsigned>(jobs);
}

}  // namespace

int check_command(const std::vector<std::string>& arguments) {
  OptionParser parser;
  parser.usage = "check [--jobs N] FILE|DIR...";
  parser.about =
      "Replays recorded hardware runs (golden cases) on the models and compares every field. Folders are searched\n"
      "recursively for *.json; the format is recognised by content. Ends with 'N passed, N failed, N skipped'.\n";
  parser.takes_operands = true;
  parser.options.add_options()("jobs,j", boost::program_options::value<std::string>()->value_name("N"),
                               "files replayed at the same time (default: one a core)");
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  const unsigned jobs = job_count(value_of(values, "jobs"));
  if (operands(values).empty()) throw UserError("check: no golden file or folder given");
  const CheckTotals totals = check_files(golden_files(operands(values)), golden_formats(), jobs, std::cout);
  return totals.failed == 0 ? kExitSuccess : kExitCheckFailed;
}

}  // namespace vp
