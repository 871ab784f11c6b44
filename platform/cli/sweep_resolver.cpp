#include "platform/cli/sweep_resolver.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "models/common/ends_with.h"
#include "models/common/error.h"
#include "platform/board/machine_settings.h"
#include "platform/cli/disk_options.h"
#include "platform/cli/effect.h"
#include "platform/cli/linux_options.h"
#include "platform/cli/options.h"
#include "platform/cli/program_options.h"
#include "platform/cli/run_parser.h"
#include "platform/cli/tensil_options.h"
#include "platform/config/configuration.h"
#include "platform/linux/placement.h"
#include "platform/loader/elf_file.h"
#include "platform/run/run.h"
#include "platform/run/tensil_machine.h"
#include "platform/run/tensil_run.h"

namespace vp {

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace {

constexpr const char* kOneFile = "all points would write the same file";

/// Options of `run` that a sweep cannot hand on to its points, and why.
constexpr std::pair<const char*, const char*> kRefusedOptions[] = {
    {"help", "try 'tinytpu-vp run --help'"},
    {"config", "give it before '--'"},
    {"machine", "give it before '--'"},
    {"plugin", "give it before '--'"},
    {"share", "each point would make an image of its own: make one with 'mke2fs -d', and give it to --disk"},
    {"dump-config", "a sweep has no single configuration"},
    {"stats", "each point gets its own file"},
    {"gdb", "nobody is there to debug the points"},
    {"gdb-wait", "nobody is there to debug the points"},
    {"timeline", kOneFile},
    {"trace", kOneFile},
    {"log-access", kOneFile},
    {"log-file", "all points would write the same file; each has a log anyway"},
    {"widths", "sweep tpu.matrix_width instead: --set tpu.matrix_width=6,8,10"},
    {"signature", kOneFile},
    {"results", kOneFile},
    {"raw-output", kOneFile},
    {"uart-output", "all points would write the same file; each has a log anyway"}};

/// Options whose value is a file that `run` reads; what other options name counts if it is a file.
constexpr const char* kInputOptions[] = {"operand", "program",  "weights", "inputs", "uart-input", "tmodel", "input",
                                         "classes", "workload", "linux",   "initrd", "firmware",   "symbols"};

/// The words of a run, read as `run` reads them.
struct RunCommand {
  po::variables_map values;
  std::vector<std::string> settings;  ///< of its --set
  std::vector<std::string> inputs;    ///< files it reads
  std::string tmodel;                 ///< the network on the Tensil TCU that it runs; empty: it runs something else
  std::string program;                ///< that it boots; empty: it boots none
  RunOptions linux_run;               ///< the Linux kernel that it boots, with what belongs to it
};

bool is_regular_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::vector<std::string> texts_of(const po::variables_map& values, const std::string& option) {
  const auto& value = values[option].value();
  if (const auto* text = boost::any_cast<std::string>(&value)) return {*text};
  if (const auto* texts = boost::any_cast<std::vector<std::string>>(&value)) return *texts;
  return {};
}

/// What is read must be there; so that a change of it is seen, its content is part of the point's identity.
std::vector<std::string> input_files(const po::variables_map& values) {
  std::vector<std::string> files;
  for (const auto& entry : values) {
    const bool is_input =
        std::find(std::begin(kInputOptions), std::end(kInputOptions), entry.first) != std::end(kInputOptions);
    for (const std::string& text : texts_of(values, entry.first))
      if ((is_input && !text.empty() && text != "-") || is_regular_file(text)) files.push_back(text);
  }
  return files;
}

void refuse_options(const po::variables_map& values) {
  for (const auto& [option, why] : kRefusedOptions)
    if (values.count(option)) throw UserError("sweep: --" + std::string(option) + " behind '--': " + why);
  for (const std::string& disk : values_of(values, "disk"))
    if (writes_file_of_disk(disk)) throw UserError("sweep: --disk behind '--': " + std::string(kOneFile));
  for (const std::string& log : values_of(values, "log-instructions"))
    if (log.find('=') != std::string::npos)
      throw UserError("sweep: --log-instructions behind '--': " + std::string(kOneFile) +
                      "; without =FILE each log has its own");
}

/// Checks all of the words that does not depend on the machine.
RunCommand read_command(const std::vector<std::string>& words) {
  RunCommand command;
  command.values = make_run_parser().parse({words.begin() + 1, words.end()});
  refuse_options(command.values);
  check_run_command(command.values);
  command.settings = values_of(command.values, "set");
  command.inputs = input_files(command.values);
  command.tmodel = value_of(command.values, "tmodel");
  for (const char* other : {"program", "network", "workload", "matmul", "drra"})
    if (command.values.count(other)) return command;
  if (wants_tensil_model(command.values)) return command;
  if (wants_linux(command.values)) {
    read_linux_options(command.values, command.linux_run);
    if (command.linux_run.linux_boot->firmware.empty()) command.inputs.emplace_back(linux_boot::kDebianFirmware);
    return command;
  }
  const std::vector<std::string> programs = operands(command.values);
  if (programs.empty()) throw UserError("run: no program given");
  if (programs.size() > 1) throw UserError("run: more than one program given");
  command.program = programs.front();
  return command;
}

/// What is wrong with the words behind "--" before any point is looked at.
void check_words(const SweepBase& base) {
  const std::vector<std::string>& words = base.command;
  if (words.empty()) throw UserError("sweep: the command to run is missing: ... -- run PROGRAM.elf");
  if (words.front() != "run") throw UserError("sweep: only 'run' can be swept, not '" + words.front() + "'");
  if (std::find(words.begin(), words.end(), "--help") != words.end())
    throw UserError("sweep: --help behind '--': try 'tinytpu-vp run --help'");
  const auto values = make_run_parser().parse({words.begin() + 1, words.end()});
  refuse_options(values);
  for (const std::string& name : base.swept) {
    for (const std::string& assignment : values_of(values, "set"))
      if (assignment.compare(0, name.size() + 1, name + "=") == 0)
        throw UserError("sweep: " + name + " is swept and also set behind '--'");
    if (is_option_axis(name) && name != kProgramAxis && values.count(name))
      throw UserError("sweep: " + name + " is swept and also given behind '--'");
  }
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

std::string text_of(const Settings& settings, const std::string& name) {
  for (const auto& [one, value] : settings)
    if (one == name) return value;
  return "";
}

/// The files that parameters name, which a point reads. One that all points would write is refused.
std::vector<std::string> files_of_parameters(const ParameterTable& table, const Settings& settings) {
  std::vector<std::string> files;
  for (const Parameter& parameter : table.all()) {
    if (parameter.type != "text") continue;
    const std::string value = parameter.get();
    if (value.empty() || value == "-") continue;
    std::error_code error;
    if (ends_with(parameter.name, ".output")) {
      if (text_of(settings, parameter.name).empty())
        throw UserError(parameter.name + ": all points would write the same file; each has a log anyway");
    } else if (is_regular_file(value)) {
      files.push_back(value);
    } else if (ends_with(parameter.name, ".input") && !fs::exists(value, error)) {
      throw UserError(parameter.name + ": there is no file '" + value.substr(0, 80) + "'");
    }
  }
  return files;
}

/// The TCU as `run --tmodel` would build it, with what tells it from the model's own.
class TensilResolver {
 public:
  explicit TensilResolver(const std::string& path) : path_(path), model_(read_tensil_model(path)) {
    tensil::TensilConfig usual;
    usual.set_architecture(model_.architecture);
    ParameterTable table;
    usual.declare(ParameterGroup(table, "tensil"));
    usual_ = all_settings(table);
    const fs::path folder = fs::path(path).parent_path();
    files_.push_back(folder / model_.program_file);
    for (const tensil::Model::Constants& constants : model_.constants) files_.push_back(folder / constants.file);
  }

  ResolvedPoint operator()(const SweepBase& base, const RunCommand& command, const Settings& settings) const {
    std::vector<std::string> assignments = command.settings;
    for (const auto& [name, value] : settings) assignments.push_back(name + "=" + value);
    const TensilSettings point(model_, base.config_files, assignments);
    ResolvedPoint resolved;
    for (const Constraint& constraint : base.constraints)
      resolved.excluded |= !constraint.holds([&](const std::string& name) -> std::optional<std::string> {
        const Parameter* const parameter = point.table.find(name);
        return parameter ? std::optional(parameter->get()) : std::nullopt;
      });
    if (resolved.excluded) return resolved;
    check_tensil_settings(point.config, model_, path_);
    resolved.changed = difference(all_settings(point.table), usual_);
    resolved.inputs = command.inputs;
    resolved.inputs.insert(resolved.inputs.end(), files_.begin(), files_.end());
    return resolved;
  }
  /// Beside the model.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::string path_;
  tensil::Model model_;
  std::map<std::string, std::string> usual_;
  std::vector<std::string> files_;
};

/// The swept parameters that can change nothing in a run of the command on this machine, with the reasons.
Settings without_effect_of(const Settings& swept, const RunCommand& command, const MachineSettings& machine) {
  const WithoutEffect why_of = make_without_effect(command.values, machine);
  Settings idle;
  for (const auto& [name, value] : swept)
    if (const Parameter* parameter = is_option_axis(name) ? nullptr : machine.table.find(name))
      if (std::string why = why_of(*parameter); !why.empty()) idle.emplace_back(name, std::move(why));
  return idle;
}

/// Keeps what is the same at many points.
class Resolver {
 public:
  explicit Resolver(SweepBase base) : base_(std::move(base)), default_machine_(all_settings(MachineSettings().table)) {
    check_words(base_);
  }

  ResolvedPoint operator()(const Settings& settings) {
    const RunCommand& command = command_of(settings);
    if (command.tmodel.empty()) return resolve_machine(command, settings);
    if (!tensil_) tensil_ = std::make_unique<TensilResolver>(command.tmodel);
    if (text_of(settings, kMachineAxis).empty()) return (*tensil_)(base_, command, settings);
    ResolvedPoint point = resolve_machine(command, settings);
    point.inputs.insert(point.inputs.end(), tensil_->files().begin(), tensil_->files().end());
    return point;
  }

 private:
  const RunCommand& command_of(const Settings& settings) {
    Settings options;
    for (const auto& setting : settings)
      if (is_option_axis(setting.first) && setting.first != kMachineAxis) options.push_back(setting);
    const std::vector<std::string> words = words_of_point(base_.command, options);
    const auto known = commands_.find(words);
    return known != commands_.end() ? known->second : commands_.emplace(words, read_command(words)).first->second;
  }

  /// The machine as `run` would build it: description, files, environment, --set of the command, then the point.
  ResolvedPoint resolve_machine(const RunCommand& command, const Settings& settings) {
    MachineSources sources;
    sources.plugins = base_.plugins;
    sources.config_files = base_.config_files;
    sources.environment = process_environment();
    sources.assignments = command.settings;
    sources.machine = text_of(settings, kMachineAxis);
    for (const auto& [name, value] : settings)
      if (!is_option_axis(name)) sources.assignments.push_back(name + "=" + value);
    add_disks(command.values, nullptr, sources);
    MachineSettings machine(sources);
    if (!command.tmodel.empty()) leave_processors_out(machine);
    ResolvedPoint point;
    point.excluded = is_excluded(machine, settings);
    if (point.excluded) return point;
    machine.check();
    if (wants_tpu_program(command.values)) check_tpu_program(command.values, machine);
    point.without_effect = without_effect_of(settings, command, machine);
    point.inputs = command.inputs;
    for (std::string& file : files_of_parameters(machine.table, settings)) point.inputs.push_back(std::move(file));
    point.inputs.insert(point.inputs.end(), base_.plugins.begin(), base_.plugins.end());
    if (!sources.machine.empty()) point.inputs.push_back(sources.machine);
    if (!command.program.empty()) {
      ElfProgram fitted = program(command.program);
      fit_program(fitted, command.program, machine);
    }
    if (command.linux_run.linux_boot) place_linux(command.linux_run.program, *command.linux_run.linux_boot, machine);
    point.changed = difference(all_settings(machine.table), default_machine_);
    // Reports, resets and the device tree have the parts in this order.
    for (const DescribedPart& part : machine.parts()) point.changed.emplace_back("part", part.settings->name());
    return point;
  }

  bool is_excluded(const MachineSettings& machine, const Settings& settings) const {
    const auto lookup = [&](const std::string& name) -> std::optional<std::string> {
      if (is_option_axis(name)) return text_of(settings, name);
      if (const Parameter* const parameter = machine.table.find(name)) return parameter->get();
      const std::string nearest = machine.table.nearest(name);
      if (nearest.empty()) return std::nullopt;
      throw UserError("there is no parameter '" + name + "': did you mean '" + nearest + "'?");
    };
    return !std::all_of(base_.constraints.begin(), base_.constraints.end(),
                        [&](const Constraint& constraint) { return constraint.holds(lookup); });
  }

  const ElfProgram& program(const std::string& path) {
    const auto known = programs_.find(path);
    return known != programs_.end() ? known->second : programs_.emplace(path, read_elf(path)).first->second;
  }

  SweepBase base_;
  std::map<std::string, std::string> default_machine_;
  std::map<std::vector<std::string>, RunCommand> commands_;
  std::map<std::string, ElfProgram> programs_;
  std::unique_ptr<TensilResolver> tensil_;
};

}  // namespace

ResolvePoint make_resolver(SweepBase base) {
  // std::function wants to be copied.
  return [resolver = std::make_shared<Resolver>(std::move(base))](const Settings& settings) {
    return (*resolver)(settings);
  };
}

}  // namespace vp
