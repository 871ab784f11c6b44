#include "platform/cli/gdb_options.h"

#include <boost/program_options/value_semantic.hpp>
#include <string>

#include "models/common/error.h"
#include "platform/cli/option_values.h"

namespace vp {

namespace po = boost::program_options;

namespace {

constexpr const char* kUsualPort = "1234";

/// What nobody calls a program.
bool is_place(const std::string& word) {
  return word == "stdio" || (!word.empty() && word.find_first_not_of("0123456789.:") == std::string::npos);
}

bool on_standard_streams(const RunOptions& options) {
  return options.gdb && options.gdb->kind == gdb::Place::Kind::standard_streams;
}

}  // namespace

void add_gdb_options(OptionParser& parser) {
  parser.options.add_options()(
      "gdb", po::value<std::string>()->value_name("[PORT|stdio]"),
      "let debuggers connect by GDB's remote protocol: on this TCP port of this host (default 1234; 0: a free one), on "
      "ADDRESS:PORT, or on standard input and output")("gdb-wait",
                                                       "with --gdb: wait for a debugger before the first instruction");
  parser.optional_values.push_back({"--gdb", kUsualPort, is_place});
}

void refuse_gdb_options(const po::variables_map& values) {
  for (const char* name : {"gdb", "gdb-wait"})
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
}

void read_gdb_options(const po::variables_map& values, RunOptions& options) {
  with_option(values, "gdb", gdb::parse_place, [&](const gdb::Place& place) { options.gdb = place; });
  options.gdb_wait = values.count("gdb-wait") != 0;
  if (options.gdb_wait && !options.gdb) throw UserError("--gdb-wait needs --gdb");
  if (on_standard_streams(options) && options.stats_file == "-")
    throw UserError("--gdb stdio: standard output is the debugger's, so --stats needs a file");
}

void check_gdb_streams(const RunOptions& options, const MachineSettings& settings) {
  if (!on_standard_streams(options)) return;
  for (const Outline::SerialPort& port : settings.outline().serial_ports)
    for (const char* side : {"input", "output"}) {
      const std::string name = port.part + "." + side;
      const Parameter* const parameter = settings.table.find(name);
      if (port.console.find(name) != std::string::npos && parameter && parameter->get() == "-")
        throw UserError("--gdb stdio: standard input and output are the debugger's, so " + name +
                        " has to be a file, or --serial " + port.part + "=pty (or tcp:PORT) has to lead elsewhere");
    }
}

}  // namespace vp
