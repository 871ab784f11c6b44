#include "platform/cli/configuration_options.h"

#include <boost/program_options/value_semantic.hpp>
#include <sstream>

#include "platform/cli/options.h"
#include "platform/config/configuration.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace po = boost::program_options;

void add_configuration_options(po::options_description& options, bool with_dump) {
  auto add = options.add_options();
  add("machine", po::value<std::string>()->value_name("FILE.ini"),
      "the machine's description instead of the default one ('tinytpu-vp machine' prints it)");
  add("config", po::value<std::vector<std::string>>()->composing()->value_name("FILE.ini"),
      "settings from a file (repeatable; weaker than the environment and --set)");
  add("set", po::value<std::vector<std::string>>()->composing()->value_name("NAME=VALUE"),
      "one setting (repeatable; 'tinytpu-vp params' lists them); NAME.kind=KIND adds a part to the machine");
  add("plugin", po::value<std::vector<std::string>>()->composing()->value_name("FILE.so"),
      "a shared library that brings kinds of parts (repeatable)");
  if (with_dump)
    add("dump-config", po::value<std::string>()->value_name("FILE|-"),
        "write the settings of this run as a file for --config");
}

MachineSources machine_sources(const po::variables_map& values) {
  MachineSources sources;
  sources.plugins = values_of(values, "plugin");
  sources.machine = value_of(values, "machine");
  sources.config_files = values_of(values, "config");
  sources.environment = process_environment();
  sources.assignments = values_of(values, "set");
  return sources;
}

void dump_configuration(const MachineSettings& settings, const po::variables_map& values) {
  const std::string path = value_of(values, "dump-config");
  if (path.empty()) return;
  settings.check();
  std::ostringstream text;
  write_ini(settings.table, text);
  const MachineSettings default_machine;
  for (const DescribedPart& part : default_machine.parts())
    if (const std::string& name = part.settings->name(); !settings.find(name))
      text << "# not in this machine\n[" << name << "]\nkind = " << part.kind->name << "\npresent = false\n\n";
  write_file(path, text.str());
}

}  // namespace vp
