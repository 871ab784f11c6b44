#include <boost/program_options/value_semantic.hpp>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "models/common/error.h"
#include "platform/board/machine_picture.h"
#include "platform/board/machine_table.h"
#include "platform/board/machine_text.h"
#include "platform/cli/commands.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/options.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace {

void print_kinds(const Kinds& kinds) {
  for (const PartKind* kind : kinds.all())
    std::cout << std::left << std::setw(16) << kind->name << kind->summary << '\n';
}

}  // namespace

int machine_command(const std::vector<std::string>& arguments) {
  OptionParser parser;
  parser.usage =
      "machine [--table | --svg FILE | --dtb FILE | --kinds] [--machine FILE.ini] [--config FILE.ini] [--set "
      "NAME=VALUE]";
  parser.about =
      "Prints the machine that 'run' would build with these options, as a file for --machine; or as a table, or as a\n"
      "picture. A section with a line 'kind = ...' is a part of the machine.\n";
  namespace po = boost::program_options;
  parser.options.add_options()("table", "a part a line: kind, window, interrupt, bus port");
  parser.options.add_options()("svg", po::value<std::string>()->value_name("FILE|-"), "a picture of parts and wires");
  parser.options.add_options()("dtb", po::value<std::string>()->value_name("FILE|-"),
                               "the device tree in the boot ROM, flattened, for 'dtc -I dtb' or another simulator");
  parser.options.add_options()("kinds", "the kinds of parts that there are");
  add_configuration_options(parser.options, false);
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  if (values.count("table") + values.count("svg") + values.count("dtb") + values.count("kinds") > 1)
    throw UserError("machine: --table, --svg, --dtb and --kinds exclude each other");
  const MachineSettings machine(machine_sources(values));
  if (values.count("kinds")) {
    print_kinds(machine.kinds());
    return kExitSuccess;
  }
  machine.check();
  if (values.count("dtb")) {
    const std::vector<std::uint8_t> tree = flatten(machine.device_tree());
    write_file(value_of(values, "dtb"), {tree.begin(), tree.end()});
    return kExitSuccess;
  }
  std::ostringstream text;
  if (values.count("svg"))
    draw_machine(machine, text);
  else if (values.count("table"))
    print_machine_table(machine, text);
  else
    write_machine(machine, text);
  write_file(values.count("svg") ? value_of(values, "svg") : "-", text.str());
  return kExitSuccess;
}

}  // namespace vp
