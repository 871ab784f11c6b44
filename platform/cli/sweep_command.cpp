#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <thread>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/board/machine_settings.h"
#include "platform/cli/commands.h"
#include "platform/cli/options.h"
#include "platform/cli/run_parser.h"
#include "platform/cli/tensil_options.h"
#include "platform/common/exit_code.h"
#include "platform/config/configuration.h"
#include "platform/files/whole_file.h"
#include "platform/loader/elf_file.h"
#include "platform/run/tensil_machine.h"
#include "platform/run/tensil_run.h"
#include "platform/sweep/sweep.h"

namespace vp {

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostJobs = 1024;
constexpr std::uint64_t kMostChunk = 1'000'000;

OptionParser sweep_options() {
  OptionParser parser;
  parser.usage = "sweep [OPTION...] --set NAME=VALUE,VALUE,... -o DIR -- run ...";
  parser.about =
      "Runs a program at every point of a grid of parameters, one process a point, and gathers the results: one JSON "
      "a\n"
      "point in DIR/points, all of them in DIR/results.csv; 'tinytpu-vp report DIR' shows them. Every name and value "
      "is\n"
      "checked before anything runs. Started again, it repeats no finished point. A comma inside a value is '\\,'.\n";
  parser.options.add_options()("set", po::value<std::vector<std::string>>()->composing()->value_name("NAME=VALUE,..."),
                               "a swept parameter and its values; several make a grid");
  parser.options.add_options()("points", po::value<std::string>()->value_name("FILE"),
                               "points to run, one a line: 'NAME=VALUE NAME=VALUE ...'; combined with the grid");
  parser.options.add_options()("config", po::value<std::vector<std::string>>()->composing()->value_name("FILE.ini"),
                               "settings of all points from a file (repeatable)");
  parser.options.add_options()("machine", po::value<std::string>()->value_name("FILE.ini,..."),
                               "descriptions of machines instead of the default one; several are one more parameter");
  parser.options.add_options()("plugin", po::value<std::vector<std::string>>()->composing()->value_name("FILE.so"),
                               "a shared library that brings kinds of parts (repeatable)");
  parser.options.add_options()("output,o", po::value<std::string>()->value_name("DIR"), "folder of the results");
  parser.options.add_options()("jobs,j", po::value<std::string>()->value_name("N"),
                               "points run at the same time (default: one a core; on a cluster: as many as it gives)");
  parser.options.add_options()("engine", po::value<std::string>()->value_name("NAME")->default_value("local"),
                               "local, slurm (job arrays), parallel (GNU parallel, over ssh with --sshlogin)");
  parser.options.add_options()("chunk", po::value<std::string>()->value_name("N"),
                               "slurm: points a task of a job array runs (default: at most 1000 tasks)");
  parser.options.add_options()("sshlogin", po::value<std::vector<std::string>>()->composing()->value_name("HOST"),
                               "parallel: a machine that sees DIR and this program under the same paths");
  parser.options.add_options()("engine-option", po::value<std::vector<std::string>>()->composing()->value_name("WORD"),
                               "handed to sbatch or parallel as it is: --engine-option=--partition=long");
  parser.options.add_options()("program", po::value<std::string>()->value_name("FILE"),
                               "another build of tinytpu-vp to run the points with");
  parser.options.add_options()("worker", po::value<std::vector<std::string>>()->multitoken()->value_name("POINT..."),
                               "what a task on a cluster calls: run these points of the sweep in DIR");
  return parser;
}

std::uint64_t count_option(const po::variables_map& values, const std::string& name, std::uint64_t most) {
  const std::string text = value_of(values, name);
  if (text.empty()) return 0;
  std::uint64_t count = 0;
  try {
    count = parse_integer(text);
  } catch (const UserError& error) {
    throw UserError("--" + name + ": " + error.what());
  }
  if (count < 1 || count > most)
    throw UserError("--" + name + ": " + text + " is out of range (allowed: 1 to " + std::to_string(most) + ")");
  return count;
}

std::string own_path() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (length <= 0) throw UserError("sweep: cannot find the path of this program (/proc is not mounted)");
  return path.data();
}

std::string absolute(const std::string& path) { return path.empty() ? "" : fs::absolute(path).string(); }

/// Options of `run` that a sweep cannot hand on to its points, and why.
constexpr std::pair<const char*, const char*> kRefusedOptions[] = {
    {"help", "try 'tinytpu-vp run --help'"},
    {"config", "give it before '--'"},
    {"machine", "give it before '--'"},
    {"plugin", "give it before '--'"},
    {"dump-config", "a sweep has no single configuration"},
    {"stats", "each point gets its own file"},
    {"timeline", "all points would write the same file"},
    {"trace", "all points would write the same file"},
    {"log-file", "all points would write the same file; each has a log anyway"},
    {"widths", "sweep tpu.matrix_width instead: --set tpu.matrix_width=6,8,10"},
    {"signature", "all points would write the same file"},
    {"results", "all points would write the same file"},
    {"raw-output", "all points would write the same file"},
    {"uart-output", "all points would write the same file; each has a log anyway"}};

/// The command of the points, read as `run` reads it.
struct RunCommand {
  std::vector<std::string> words;
  std::vector<std::string> settings;  ///< of its --set
  std::vector<std::string> inputs;    ///< files it reads
  std::string tmodel;                 ///< the network on the Tensil TCU that it runs; empty: it runs something else
};

/// Checks all of the command that does not depend on a point.
RunCommand read_command(const std::vector<std::string>& words) {
  if (words.empty()) throw UserError("sweep: the command to run is missing: ... -- run PROGRAM.elf");
  if (words.front() != "run") throw UserError("sweep: only 'run' can be swept, not '" + words.front() + "'");
  const bool help = std::find(words.begin(), words.end(), "--help") != words.end();
  const auto values = help ? po::variables_map() : make_run_parser().parse({words.begin() + 1, words.end()});
  for (const auto& [option, why] : kRefusedOptions)
    if (values.count(option) || (help && option == std::string("help")))
      throw UserError("sweep: --" + std::string(option) + " behind '--': " + why);
  check_run_command(values);
  RunCommand command{words, values_of(values, "set"), operands(values), value_of(values, "tmodel")};
  for (const char* option : {"program", "weights", "inputs", "uart-input", "tmodel", "input", "classes"})
    if (const std::string path = value_of(values, option); !path.empty() && path != "-") command.inputs.push_back(path);
  const bool boots =
      !values.count("program") && !values.count("network") && !values.count("matmul") && !wants_tensil_model(values);
  if (boots && operands(values).empty()) throw UserError("run: no program given");
  if (boots) read_elf(operands(values).front());
  return command;
}

void refuse_swept_twice(const RunCommand& command, const std::vector<SweepAxis>& axes) {
  for (const std::string& assignment : command.settings)
    for (const SweepAxis& axis : axes)
      if (assignment.compare(0, axis.name.size() + 1, axis.name + "=") == 0)
        throw UserError("sweep: " + axis.name + " is swept and also set behind '--'");
}

/// The files of --machine, by absolute paths: workers may be elsewhere.
SweepAxis machine_axis(const std::string& files) {
  SweepAxis axis = parse_axis(std::string(kMachineAxis) + "=" + files);
  for (std::string& path : axis.values) path = absolute(path);
  return axis;
}

SweepRequest read_request(const po::variables_map& values, const RunCommand& command) {
  SweepRequest request;
  request.command = command.words;
  if (values.count("machine")) request.axes.push_back(machine_axis(value_of(values, "machine")));
  for (const std::string& text : values_of(values, "set")) {
    try {
      request.axes.push_back(parse_axis(text));
    } catch (const UserError& error) {
      throw UserError(std::string("--set ") + error.what());
    }
  }
  if (const std::string path = value_of(values, "points"); !path.empty())
    request.listed = parse_points(read_file(path), path);
  refuse_swept_twice(command, request.axes);
  return request;
}

/// Absolute paths of the files that an option names.
std::vector<std::string> files_of(const po::variables_map& values, const std::string& option) {
  std::vector<std::string> files;
  for (const std::string& path : values_of(values, option)) files.push_back(absolute(path));
  return files;
}

/// Settings that come from the environment, for processes that have another one.
Settings environment_settings() {
  Settings settings;
  for (const Setting& setting : read_environment(process_environment()))
    settings.emplace_back(setting.name, setting.value);
  return settings;
}

/// Every setting of a machine by name, parts that are left out as well.
std::map<std::string, std::string> all_settings(const ParameterTable& table) {
  std::map<std::string, std::string> settings;
  for (const Parameter& parameter : table.all()) settings.emplace(parameter.name, parameter.get());
  return settings;
}

/// What tells a machine from the default one, as the names of points do: settings that differ, and parts that it has
/// not.
Settings difference(const std::map<std::string, std::string>& machine,
                    const std::map<std::string, std::string>& default_machine) {
  Settings changed;
  for (const auto& [name, value] : machine)
    if (const auto usual = default_machine.find(name); usual == default_machine.end() || usual->second != value)
      changed.emplace_back(name, value);
  for (const auto& usual : default_machine)
    if (machine.count(usual.first) == 0) changed.emplace_back(usual.first, "");
  std::sort(changed.begin(), changed.end());
  return changed;
}

/// The files beside the network's model.
std::vector<std::string> model_files(const RunCommand& command, const tensil::Model& model) {
  const fs::path folder = fs::path(command.tmodel).parent_path();
  std::vector<std::string> files = {folder / model.program_file};
  for (const tensil::Model::Constants& constants : model.constants) files.push_back(folder / constants.file);
  return files;
}

/// The TCU as `run --tmodel` would build it, with what tells it from the model's own.
ResolvePoint make_tensil_resolver(const SweepJob& job, const RunCommand& command) {
  const tensil::Model model = read_tensil_model(command.tmodel);
  tensil::TensilConfig usual;
  usual.set_architecture(model.architecture);
  ParameterTable usual_table;
  usual.declare(ParameterGroup(usual_table, "tensil"));
  return [job, command, model, by_model = all_settings(usual_table)](const Settings& settings) {
    std::vector<std::string> assignments = command.settings;
    for (const auto& [name, value] : settings) assignments.push_back(name + "=" + value);
    const TensilSettings point(model, job.config_files, assignments);
    check_tensil_settings(point.config, model, command.tmodel);
    return ResolvedPoint{difference(all_settings(point.table), by_model), command.inputs};
  };
}

/// The machine as `run` would build it: description, files, environment, --set of the command, then the point.
ResolvePoint make_machine_resolver(const SweepJob& job, const RunCommand& command) {
  MachineSources base;
  base.plugins = job.plugins;
  base.config_files = job.config_files;
  base.environment = process_environment();
  base.assignments = command.settings;
  return [base, command, default_machine = all_settings(MachineSettings().table)](const Settings& settings) {
    MachineSources sources = base;
    for (const auto& [name, value] : settings)
      if (name == kMachineAxis)
        sources.machine = value;
      else
        sources.assignments.push_back(name + "=" + value);
    MachineSettings machine(sources);
    if (!command.tmodel.empty()) leave_processors_out(machine);
    machine.check();
    ResolvedPoint point;
    point.inputs = command.inputs;
    point.changed = difference(all_settings(machine.table), default_machine);
    return point;
  };
}

/// A network runs on a machine if the point names one.
ResolvePoint make_resolver(const SweepJob& job, RunCommand command) {
  if (command.tmodel.empty()) return make_machine_resolver(job, command);
  for (const std::string& file : model_files(command, read_tensil_model(command.tmodel))) command.inputs.push_back(file);
  return [alone = make_tensil_resolver(job, command),
          on_machine = make_machine_resolver(job, command)](const Settings& settings) {
    const bool has_machine =
        std::any_of(settings.begin(), settings.end(), [](const auto& one) { return one.first == kMachineAxis; });
    return has_machine ? on_machine(settings) : alone(settings);
  };
}

/// An option that the chosen engine would not look at is a mistake.
void refuse_foreign_options(const po::variables_map& values, const std::string& engine) {
  const std::vector<std::string> engines = {"local", "slurm", "parallel"};
  if (std::find(engines.begin(), engines.end(), engine) == engines.end()) {
    const std::string guess = nearest_word(engine, engines);
    throw UserError("--engine: '" + engine + "' is none of local, slurm, parallel" +
                    (guess.empty() ? "" : ": did you mean '" + guess + "'?"));
  }
  const std::pair<const char*, std::vector<std::string>> owners[] = {
      {"chunk", {"slurm"}}, {"sshlogin", {"parallel"}}, {"engine-option", {"slurm", "parallel"}}};
  for (const auto& [option, users] : owners)
    if (values.count(option) && std::find(users.begin(), users.end(), engine) == users.end())
      throw UserError("--" + std::string(option) + " has no meaning for --engine " + engine);
}

std::unique_ptr<SweepEngine> make_engine(const po::variables_map& values) {
  const std::string name = value_of(values, "engine");
  refuse_foreign_options(values, name);
  const auto jobs = static_cast<unsigned>(count_option(values, "jobs", kMostJobs));
  if (name == "local") return make_local_engine(jobs ? jobs : std::max(1u, std::thread::hardware_concurrency()));
  ClusterOptions options;
  options.worker = own_path();
  options.jobs = jobs;
  options.chunk = static_cast<unsigned>(count_option(values, "chunk", kMostChunk));
  for (const std::string& login : values_of(values, "sshlogin"))
    options.words.insert(options.words.end(), {"--sshlogin", login});
  for (const std::string& word : values_of(values, "engine-option")) options.words.push_back(word);
  return name == "slurm" ? make_slurm_engine(options) : make_parallel_engine(options);
}

int run_worker(const po::variables_map& values, const std::string& output) {
  const SweepFolder folder(output);
  return work_on_points(folder, values_of(values, "worker")) ? kExitSuccess : kExitInterrupted;
}

}  // namespace

int sweep_command(const std::vector<std::string>& arguments) {
  const auto split = std::find(arguments.begin(), arguments.end(), "--");
  const auto values = sweep_options().parse({arguments.begin(), split});
  if (values.count("help")) return kExitSuccess;
  const std::string output = absolute(value_of(values, "output"));
  if (output.empty()) throw UserError("sweep: no folder for the results given (-o DIR)");
  if (values.count("worker")) return run_worker(values, output);

  const RunCommand command = read_command({split == arguments.end() ? split : split + 1, arguments.end()});
  const SweepRequest request = read_request(values, command);
  SweepJob job;
  job.program = values.count("program") ? absolute(value_of(values, "program")) : own_path();
  job.directory = fs::current_path().string();
  job.plugins = files_of(values, "plugin");
  job.config_files = files_of(values, "config");
  job.environment = environment_settings();
  const std::unique_ptr<SweepEngine> engine = make_engine(values);
  job.plan = make_plan(request, make_resolver(job, command));
  SweepFolder folder(output);
  folder.create_and_lock();
  if (job.plan.duplicates > 0)
    std::cerr << "sweep: " << job.plan.duplicates << " points left out, because they describe a machine twice\n";
  const SweepOutcome outcome = run_sweep(job, folder, *engine, std::cout);
  if (outcome.interrupted) return kExitInterrupted;
  return outcome.failed == 0 ? kExitSuccess : kExitCheckFailed;
}

}  // namespace vp
