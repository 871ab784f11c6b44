#include <boost/program_options/value_semantic.hpp>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/cli/commands.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/disk_options.h"
#include "platform/cli/drra_options.h"
#include "platform/cli/effect.h"
#include "platform/cli/gdb_options.h"
#include "platform/cli/linux_options.h"
#include "platform/cli/log_options.h"
#include "platform/cli/option_values.h"
#include "platform/cli/options.h"
#include "platform/cli/program_options.h"
#include "platform/cli/run_parser.h"
#include "platform/cli/script_options.h"
#include "platform/cli/serial_options.h"
#include "platform/cli/tensil_options.h"
#include "platform/cli/workload_options.h"
#include "platform/common/exit_code.h"
#include "platform/files/standard_streams.h"
#include "platform/run/run.h"

namespace vp {

namespace {

namespace po = boost::program_options;

constexpr const char* kAbout =
    "Boots a RISC-V program (ELF, 32 or 64 bit, at any load address in memory) on the machine. UART0 is the console, "
    "on\n"
    "standard input and output; the report at the end goes to standard error. The exit code is the guest's, or tells "
    "why\n"
    "the run ended ('tinytpu-vp --help' lists the codes).\n";

void add_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add_configuration_options(options, true);
  auto add = options.add_options();
  add("max-cycles", text("N"), "end after so many cycles of the CPU's clock (exit code 4)");
  add("max-instructions", text("N"), "end after so many instructions (exit code 4)");
  add("max-time", text("TIME"), "end after so much simulated time, for example 5ms (exit code 4)");
  add("timeout", text("TIME"), "end after so much wall-clock time, for example 10s (exit code 4)");
  add("uart-input", text("FILE"),
      "input of the console ('-': standard input; empty: none); short for --set uart0.input");
  add("uart-output", text("FILE"), "output of the console ('-': standard output); short for --set uart0.output");
  add("log-level", text("LEVEL"), "silent, error, warning (default), info or debug");
  add("log-file", text("FILE"), "log there instead of standard error");
  add("load", po::value<std::vector<std::string>>()->value_name("FILE@ADDRESS"),
      "put the bytes of a file into memory before the program starts; may be repeated");
  add_log_options(options);
  add("stats", text("FILE.json"), "write the statistics as JSON ('-': standard output)");
  add("timeline", text("FILE.json"), "write what the units did when, for 'tinytpu-vp report'");
  add("signature", text("FILE"),
      "write the memory from begin_signature to end_signature, as riscv-arch-test compares it");
  add("on-input-end", text("stop|wait|ctrl-d"),
      "when the console's input has ended: end once the CPU only polls it for 10 ms (default, exit code 4), go on, or "
      "type Ctrl-D while the CPU idles (default with --linux)");
  add("trace", text("FILE"), "write one line an instruction ('-': standard error)");
  add("trace-format", text("text|spike"), "text (default), or as Spike writes its log of commits");
  add("trace-pc", text("FROM-TO|SYMBOL"), "trace these addresses only");
  add("trace-from", text("TIME"), "trace from this simulated time on");
  add("trace-to", text("TIME"), "trace up to this simulated time");
  add("report", text("DETAIL"),
      "report at the end: none (only a line if the guest did not end the run itself), brief (default), or full: with "
      "every figure on a line");
  add("quiet,q", "short for --report none");
}

RunOptions::LoadedFile parse_loaded_file(const std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0) throw UserError("--load: '" + text.substr(0, 80) + "' is not FILE@ADDRESS");
  return {text.substr(0, at), parse_integer(text.substr(at + 1))};
}

OnInputEnd parse_on_input_end(const std::string& word) {
  if (word == "stop") return OnInputEnd::stop;
  if (word == "wait") return OnInputEnd::wait;
  if (word == "ctrl-d") return OnInputEnd::type_end;
  throw UserError(quoted(word) + " is none of stop, wait, ctrl-d");
}

ReportDetail parse_report_detail(const std::string& word) {
  if (word == "none") return ReportDetail::none;
  if (word == "brief") return ReportDetail::brief;
  if (word == "full") return ReportDetail::full;
  throw UserError("'" + word + "' is none of none, brief and full");
}

TraceStyle parse_trace_style(const std::string& word) {
  if (word == "text") return TraceStyle::text;
  if (word == "spike") return TraceStyle::spike;
  throw UserError("'" + word.substr(0, 80) + "' is neither text nor spike");
}

RunOptions run_options(const po::variables_map& values) {
  RunOptions options;
  with_option(values, "max-cycles", parse_integer, [&](std::uint64_t cycles) { options.max_cycles = cycles; });
  with_option(values, "max-instructions", parse_integer,
              [&](std::uint64_t count) { options.max_instructions = count; });
  with_option(values, "max-time", parse_time, [&](Picoseconds time) { options.max_time = time; });
  options.timeout = timeout_of(values);
  with_option(values, "trace-from", parse_time, [&](Picoseconds time) { options.trace_from = time; });
  with_option(values, "trace-to", parse_time, [&](Picoseconds time) { options.trace_to = time; });
  if (values.count("log-level")) options.log_level = parse_log_level(value_of(values, "log-level"));
  for (const std::string& text : values_of(values, "load")) options.loaded_files.push_back(parse_loaded_file(text));
  options.log_file = value_of(values, "log-file");
  options.stats_file = value_of(values, "stats");
  options.timeline_file = value_of(values, "timeline");
  options.signature_file = value_of(values, "signature");
  if (wants_linux(values)) options.on_input_end = OnInputEnd::type_end;
  with_option(values, "on-input-end", parse_on_input_end, [&](OnInputEnd what) { options.on_input_end = what; });
  options.instruction_logs = instruction_logs(values);
  options.access_log = access_log(values);
  options.trace_file = value_of(values, "trace");
  with_option(values, "trace-format", parse_trace_style, [&](TraceStyle style) { options.trace_style = style; });
  options.trace_pc = value_of(values, "trace-pc");
  with_option(values, "report", parse_report_detail, [&](ReportDetail detail) { options.report = detail; });
  if (values.count("quiet")) options.report = ReportDetail::none;
  read_gdb_options(values, options);
  read_linux_options(values, options);
  for (const char* name : {"trace-format", "trace-pc", "trace-from", "trace-to"})
    if (values.count(name) && options.trace_file.empty())
      throw UserError("--" + std::string(name) + " needs --trace FILE");
  return options;
}

bool runs_program_of_cpu(const po::variables_map& values) {
  return !wants_workload(values) && !wants_tensil_model(values) && !wants_drra_program(values) &&
         !wants_scripts(values) && !wants_tpu_program(values) && (!operands(values).empty() || wants_linux(values));
}

/// What boots on the CPU; empty: nothing is given.
std::string program_of(const po::variables_map& values) {
  const std::vector<std::string> programs = operands(values);
  if (programs.size() > 1) throw UserError("run: more than one program given");
  return programs.empty() ? value_of(values, "linux") : programs.front();
}

}  // namespace

OptionParser make_run_parser() {
  OptionParser parser;
  parser.usage =
      "run [OPTION...] PROGRAM.elf  or  run [OPTION...] --program FILE.tpu  or  run [OPTION...] --network LAYERS\n"
      "  or  run [OPTION...] --linux IMAGE [--initrd FILE] [--append TEXT]\n"
      "  or  run [OPTION...] --workload FILE.csv\n"
      "  or  run [OPTION...] --matmul SCRIPT...  or  run [OPTION...] --serial matmul=pty|tcp:PORT\n"
      "  or  run [OPTION...] --tmodel FILE --input FILE  or  run [OPTION...] --drra FILE";
  parser.about = kAbout;
  parser.takes_operands = true;
  add_options(parser.options);
  add_linux_options(parser.options);
  add_disk_options(parser.options);
  add_gdb_options(parser);
  add_program_options(parser.options);
  add_script_options(parser.options);
  add_serial_options(parser.options);
  add_drra_options(parser.options);
  add_tensil_options(parser.options);
  add_workload_options(parser.options);
  return parser;
}

void check_run_command(const po::variables_map& values) {
  check_linux_options(values);
  check_disk_options(values, runs_program_of_cpu(values));
  if (!runs_program_of_cpu(values)) {
    refuse_access_log(values);
    refuse_gdb_options(values);
  }
  if (wants_workload(values)) return check_workload_options(values);
  refuse_workload_options(values);
  if (wants_tensil_model(values)) return check_tensil_options(values);
  refuse_tensil_options(values);
  if (wants_scripts(values)) return check_script_options(values);
  if (wants_tpu_program(values)) return check_tpu_program_options(values);
  refuse_program_options(values);
  run_options(values);
}

int run_command(const std::vector<std::string>& arguments) {
  const auto values = make_run_parser().parse(arguments);
  if (values.count("help")) return kExitSuccess;
  check_linux_options(values);
  check_disk_options(values, runs_program_of_cpu(values));
  if (!runs_program_of_cpu(values)) {
    refuse_access_log(values);
    refuse_gdb_options(values);
  }
  StandardStreams::give_up_after(timeout_of(values));
  if (wants_workload(values)) return run_workload_command(values);
  refuse_workload_options(values);
  if (wants_tensil_model(values)) return run_tensil_command(values);
  refuse_tensil_options(values);
  if (wants_drra_program(values)) return run_drra_command(values);
  if (wants_scripts(values)) return run_scripts_command(values);
  if (wants_tpu_program(values)) return run_tpu_program_command(values);
  refuse_program_options(values);
  RunOptions options = run_options(values);
  MachineSources sources = machine_sources(values);
  const std::unique_ptr<ShareImage> share = make_share_image(values);
  add_disks(values, share.get(), sources);
  MachineSettings settings(sources);
  for (const char* side : {"input", "output"})
    if (values.count(std::string("uart-") + side))
      settings.table.set(std::string("uart0.") + side, value_of(values, std::string("uart-") + side),
                         std::string("--uart-") + side);
  apply_serial_options(settings.table, values);
  apply_linux_options(settings.table, values);
  options.program = program_of(values);
  if (options.program.empty()) refuse_gdb_options(values);
  if (options.program.empty() && values.count("serial") && wants_serial_device(settings))
    return run_serial_device_command(options, settings, values);
  if (options.program.empty()) {
    if (!values.count("dump-config")) throw UserError("run: no program given");
    dump_configuration(settings, values);  // nothing to run: only the settings are wanted
    return kExitSuccess;
  }
  check_gdb_streams(options, settings);
  return run_machine(options, settings, [&] {
    dump_configuration(settings, values);
    if (options.log_level >= LogLevel::warning) warn_of_settings_without_effect(values, settings);
  });
}

}  // namespace vp
