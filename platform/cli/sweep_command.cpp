#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <iostream>
#include <thread>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/common/version.h"
#include "models/common/wording.h"
#include "platform/cli/command.h"
#include "platform/cli/commands.h"
#include "platform/cli/option_values.h"
#include "platform/cli/options.h"
#include "platform/cli/sweep_resolver.h"
#include "platform/common/child_process.h"
#include "platform/common/exit_code.h"
#include "platform/config/configuration.h"
#include "platform/files/whole_file.h"
#include "platform/run/provenance.h"
#include "platform/sweep/digest.h"
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
                               "a swept parameter and its values (8:64:8 is a range, 8:64:*2 a geometric one); several "
                               "make a grid; also program=FILE,... network=LAYERS,... batch=N,... feed-gap=N,...");
  parser.options.add_options()("where", po::value<std::vector<std::string>>()->composing()->value_name("CONDITION"),
                               "only points for which it holds, such as 'tpu.matrix_width * 8 <= 256' (repeatable)");
  parser.options.add_options()("sample", po::value<std::string>()->value_name("N"),
                               "not the whole grid, but N points of it");
  parser.options.add_options()("sampling", po::value<std::string>()->value_name("METHOD"),
                               "latin-hypercube (default: each axis evenly) or random");
  parser.options.add_options()("seed", po::value<std::string>()->value_name("N"),
                               "of the sample (default 1): the same one draws the same points");
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

/// The files of --machine, by absolute paths: workers may be elsewhere.
SweepAxis machine_axis(const std::string& files) {
  SweepAxis axis = parse_axis(std::string(kMachineAxis) + "=" + files);
  for (std::string& path : axis.values) path = absolute(path);
  return axis;
}

std::optional<Sampling> sampling_of(const po::variables_map& values) {
  Sampling sampling;
  sampling.count = count_option(values, "sample", kMostPoints);
  if (sampling.count == 0) {
    for (const char* name : {"seed", "sampling"})
      if (values.count(name)) throw UserError("--" + std::string(name) + " needs --sample N");
    return std::nullopt;
  }
  if (const std::string method = value_of(values, "sampling"); method == "random")
    sampling.method = Sampling::Method::random;
  else if (!method.empty() && method != "latin-hypercube")
    throw UserError("--sampling: '" + method.substr(0, 80) + "' is neither latin-hypercube nor random");
  with_option(values, "seed", parse_integer, [&](std::uint64_t seed) { sampling.seed = seed; });
  return sampling;
}

SweepRequest read_request(const po::variables_map& values, std::vector<std::string> command) {
  SweepRequest request;
  request.command = std::move(command);
  request.sampling = sampling_of(values);
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

/// Version and content of the program that runs the points.
SimulatorIdentity identify(const std::string& program) {
  std::string version;
  if (program == own_path()) {
    version = VP_VERSION;
  } else {
    if (!run_captured({program, "--version"}, version).success()) version.clear();
    version = version.substr(0, version.find('\n'));
    version = version.substr(version.rfind(' ') + 1);
  }
  FileDigests digests;
  return {version, digests.of(program)};
}

std::vector<Constraint> constraints_of(const po::variables_map& values) {
  std::vector<Constraint> constraints;
  for (const std::string& text : values_of(values, "where")) {
    try {
      constraints.emplace_back(text);
    } catch (const UserError& error) {
      throw UserError(std::string("--where ") + error.what());
    }
  }
  return constraints;
}

SweepBase base_of(const po::variables_map& values, const SweepJob& job, const SweepRequest& request) {
  SweepBase base;
  base.plugins = job.plugins;
  base.config_files = job.config_files;
  base.command = request.command;
  for (const SweepAxis& axis : request.axes) base.swept.push_back(axis.name);
  for (const Settings& point : request.listed)
    for (const auto& setting : point) base.swept.push_back(setting.first);
  base.constraints = constraints_of(values);
  return base;
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

/// This program, which can run points in copies of what it is now: it has elaborated nothing, holds little and has one
/// thread.
OwnProgram own_program() {
  const auto work = [](const std::vector<std::string>& words) {
    set_command_line(words);
    return run_process({words.begin() + 1, words.end()});
  };
  return {own_path(), std::make_shared<ForkServer>(work)};
}

/// What one point needs and gives back serves the next one; given to the system, it would come back page by page.
void keep_memory() {
  constexpr int kKept = 64 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TOP_PAD, 1 << 20);
}

std::unique_ptr<SweepEngine> make_engine(const po::variables_map& values, const std::string& program) {
  const std::string name = value_of(values, "engine");
  refuse_foreign_options(values, name);
  const auto jobs = static_cast<unsigned>(count_option(values, "jobs", kMostJobs));
  if (name == "local")
    return make_local_engine(jobs ? jobs : std::max(1u, std::thread::hardware_concurrency()),
                             program == own_path() ? own_program() : OwnProgram());
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
  const OwnProgram own = own_program();
  const SweepFolder folder(output);
  return work_on_points(folder, values_of(values, "worker"), own) ? kExitSuccess : kExitInterrupted;
}

}  // namespace

int sweep_command(const std::vector<std::string>& arguments) {
  keep_memory();
  const auto split = std::find(arguments.begin(), arguments.end(), "--");
  const auto values = sweep_options().parse({arguments.begin(), split});
  if (values.count("help")) return kExitSuccess;
  const std::string output = absolute(value_of(values, "output"));
  if (output.empty()) throw UserError("sweep: no folder for the results given (-o DIR)");
  if (values.count("worker")) return run_worker(values, output);

  SweepJob job;
  job.program = values.count("program") ? absolute(value_of(values, "program")) : own_path();
  const std::unique_ptr<SweepEngine> engine = make_engine(values, job.program);
  const SweepRequest request = read_request(values, {split == arguments.end() ? split : split + 1, arguments.end()});
  job.directory = fs::current_path().string();
  job.plugins = files_of(values, "plugin");
  job.config_files = files_of(values, "config");
  job.environment = environment_settings();
  const ResolvePoint resolve = make_resolver(base_of(values, job, request));
  job.simulator = identify(job.program);
  job.plan = make_plan(request, job.simulator, resolve);
  SweepFolder folder(output);
  folder.create_and_lock();
  if (job.plan.duplicates > 0)
    std::cerr << "sweep: " << counted(job.plan.duplicates, "point")
              << " left out, because they describe a machine twice\n";
  if (job.plan.excluded > 0) std::cerr << "sweep: " << counted(job.plan.excluded, "point") << " left out by --where\n";
  if (request.sampling && job.plan.points.size() < request.sampling->count)
    std::cerr << "sweep: only " << counted(job.plan.points.size(), "point") << " found for --sample "
              << request.sampling->count << '\n';
  const SweepOutcome outcome = run_sweep(job, folder, *engine, std::cout);
  if (outcome.interrupted) return kExitInterrupted;
  return outcome.failed == 0 ? kExitSuccess : kExitCheckFailed;
}

}  // namespace vp
