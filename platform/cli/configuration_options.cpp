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
  add("config", po::value<std::vector<std::string>>()->composing()->value_name("FILE.ini"),
      "settings from a file (repeatable; weaker than the environment and --set)");
  add("set", po::value<std::vector<std::string>>()->composing()->value_name("NAME=VALUE"),
      "one setting (repeatable; 'tinytpu-vp params' lists them)");
  if (with_dump)
    add("dump-config", po::value<std::string>()->value_name("FILE|-"),
        "write the settings of this run as a file for --config");
}

void apply_configuration(ParameterTable& table, const po::variables_map& values) {
  for (const std::string& path : values_of(values, "config")) apply_ini(table, read_file(path), path);
  apply_environment(table, process_environment());
  apply_assignments(table, values_of(values, "set"));
}

void dump_configuration(const ParameterTable& table, const po::variables_map& values) {
  const std::string path = value_of(values, "dump-config");
  if (path.empty()) return;
  std::ostringstream text;
  write_ini(table, text);
  write_file(path, text.str());
}

}  // namespace vp
