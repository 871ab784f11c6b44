#include "platform/cli/linux_options.h"

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <string>

#include "models/common/error.h"
#include "platform/cli/options.h"

namespace vp {

namespace po = boost::program_options;

namespace {

/// Meaningful with --linux only.
constexpr const char* kOnlyWithLinux[] = {"initrd", "append", "firmware", "symbols"};
/// What else would run, and what needs symbols that no kernel has.
constexpr const char* kForeignToLinux[] = {"program", "network", "workload", "matmul", "drra", "tmodel", "signature"};
/// More than any kernel for RISC-V takes (COMMAND_LINE_SIZE).
constexpr std::size_t kLongestCommandLine = 1023;

constexpr const char* kBootArguments = ".boot_arguments";

/// Of the first boot ROM; nullptr without one.
const Parameter* boot_arguments(const ParameterTable& table) {
  const std::string suffix = kBootArguments;
  for (const Parameter& parameter : table.all())
    if (parameter.name.size() > suffix.size() &&
        parameter.name.compare(parameter.name.size() - suffix.size(), suffix.size(), suffix) == 0)
      return &parameter;
  return nullptr;
}

}  // namespace

void add_linux_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = options.add_options();
  add("linux", text("IMAGE"), "boot this Linux kernel (uncompressed Image) with OpenSBI and the machine's device tree");
  add("initrd", text("FILE"), "with it: the initial file system (cpio, compressed or not)");
  add("append", text("TEXT"), "with it: the kernel's command line; short for --set bootrom.boot_arguments");
  add("firmware", text("FILE"),
      "with it: what runs in machine mode, raw or ELF (default: fw_dynamic of Debian's package opensbi)");
  add("symbols", text("FILE"),
      "with it: the kernel's vmlinux or System.map, or what its /proc/kallsyms said: diagnoses and traces then name "
      "its "
      "addresses");
}

bool wants_linux(const po::variables_map& values) { return values.count("linux") != 0; }

void check_linux_options(const po::variables_map& values) {
  if (!wants_linux(values)) {
    for (const char* name : kOnlyWithLinux)
      if (values.count(name)) throw UserError("run: --" + std::string(name) + " needs --linux");
    return;
  }
  if (!operands(values).empty()) throw UserError("run: a CPU program and --linux exclude each other");
  for (const char* name : kForeignToLinux)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " and --linux exclude each other");
  if (value_of(values, "append").size() > kLongestCommandLine)
    throw UserError("--append: a kernel takes a command line of " + std::to_string(kLongestCommandLine) +
                    " characters at most, and this one has " + std::to_string(value_of(values, "append").size()));
}

void read_linux_options(const po::variables_map& values, RunOptions& options) {
  if (!wants_linux(values)) return;
  options.program = value_of(values, "linux");
  options.linux_boot =
      RunOptions::LinuxBoot{value_of(values, "firmware"), value_of(values, "initrd"), value_of(values, "symbols")};
}

void apply_linux_options(ParameterTable& table, const po::variables_map& values) {
  if (!values.count("append")) return;
  const Parameter* const parameter = boot_arguments(table);
  if (!parameter) throw UserError("--append: the machine has no boot ROM, whose device tree would hold it");
  table.set(parameter->name, value_of(values, "append"), "--append");
}

}  // namespace vp
