#include "platform/board/machine_settings.h"

#include <algorithm>

#include "models/common/error.h"
#include "models/common/part_name.h"
#include "platform/board/default_machine.h"
#include "platform/board/wiring.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace {

constexpr const char* kKind = ".kind";
/// Groups of a report that are no parts.
constexpr const char* kReserved[] = {"bus", "configuration", "cost", "ideal", "machine", "metric", "run"};

/// "tpu1" of "tpu1.kind"; empty if the name is none of a part's kind.
std::string part_of_kind(const std::string& name) {
  const std::string suffix = kKind;
  if (name.size() <= suffix.size() || name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0) return "";
  const std::string part = name.substr(0, name.size() - suffix.size());
  return part.find('.') == std::string::npos ? part : "";
}

void check_name(const std::string& part, const Setting& setting) {
  if (!is_part_name(part))
    throw UserError(setting.source + ": '" + part +
                    "' cannot be the name of a part (allowed are lower-case letters, digits and single underscores, a "
                    "letter first)");
  if (std::find(std::begin(kReserved), std::end(kReserved), part) != std::end(kReserved))
    throw UserError(setting.source + ": a part cannot be called " + part + ", which is the name of something else");
}

}  // namespace

MachineSettings::MachineSettings(const MachineSources& sources) : kinds_(sources.plugins) {
  const bool is_default = sources.machine.empty();
  const std::vector<Setting> machine = is_default ? read_ini(kDefaultMachine, "the default machine")
                                                  : read_ini(read_file(sources.machine), sources.machine);
  const auto bus_settings = std::find_if(machine.begin(), machine.end(),
                                         [](const Setting& one) { return one.name.compare(0, 4, "bus.") == 0; });
  add_parts({machine.begin(), bus_settings});
  if (bus_settings != machine.end()) bus_position_ = parts_.size();
  add_parts({bus_settings, machine.end()});
  std::vector<std::vector<Setting>> files;
  for (const std::string& path : sources.config_files) files.push_back(read_ini(read_file(path), path));
  const std::vector<Setting> assignments = read_assignments(sources.assignments);
  for (const std::vector<Setting>& file : files) add_parts(file);
  add_parts(read_environment(sources.environment));
  add_parts(assignments);
  bus_position_ = std::min(bus_position_, parts_.size());

  declare();
  apply_machine(machine, is_default);
  for (const std::vector<Setting>& file : files) apply_settings(table, file);
  apply_environment(table, sources.environment);
  apply_settings(table, assignments);
}

void MachineSettings::add_parts(const std::vector<Setting>& settings) {
  for (const Setting& setting : settings)
    if (const std::string part = part_of_kind(setting.name); !part.empty()) add_part(part, setting);
}

void MachineSettings::add_part(const std::string& part, const Setting& setting) {
  check_name(part, setting);
  const PartKind* const kind = kinds_.find(setting.value);
  if (!kind) {
    const std::string guess = kinds_.nearest(setting.value);
    throw UserError(setting.source + ": " + setting.name + ": there is no kind of part called '" + setting.value + "'" +
                    (guess.empty() ? " ('tinytpu-vp machine --kinds' lists them)" : ": did you mean '" + guess + "'?"));
  }
  if (const DescribedPart* earlier = find(part)) {
    if (earlier->kind != kind)
      throw UserError(setting.source + ": " + setting.name + ": the machine has a part " + part + " of the kind " +
                      earlier->kind->name + " already, which cannot become a " + kind->name +
                      ": give another name, or describe the whole machine in a file for --machine");
    return;
  }
  parts_.push_back({kind, kind->make(part)});
}

const DescribedPart* MachineSettings::find(const std::string& part) const {
  for (const DescribedPart& one : parts_)
    if (one.settings->name() == part) return &one;
  return nullptr;
}

void MachineSettings::declare() {
  const ParameterGroup root(table);
  root.choice("fidelity", fidelity, {{"functional", Fidelity::functional}, {"timed", Fidelity::timed}},
              "caches, occupied links and the state of the DRAM; or fixed latencies, fast, whose CPU times are no "
              "estimate; a guest may switch");
  for (std::size_t i = 0; i <= parts_.size(); ++i) {
    if (i == bus_position_) bus.declare(root.group("bus"));
    if (i < parts_.size()) declare_part(parts_[i]);
  }
}

void MachineSettings::declare_part(const DescribedPart& part) {
  const ParameterGroup group = ParameterGroup(table).group(part.settings->name());
  const std::string kind = part.kind->name;
  group.custom(
      "kind", "text", kind, "what the part is", [kind] { return kind; },
      [](const std::string&) {});  // a kind that is not this one has been refused before the part was made
  group.boolean("present", part.settings->present, "whether the machine has this " + part.settings->noun());
  part.settings->declare(
      group.effective([&settings = *part.settings] { return settings.present; }, group.full("present") + " is false"));
}

/// The default machine's settings are the defaults that a user sees.
void MachineSettings::apply_machine(const std::vector<Setting>& settings, bool is_default) {
  for (const Setting& setting : settings) {
    const std::string section = setting.name.substr(0, setting.name.find('.'));
    if (section != setting.name && section != "bus" && !find(section))
      throw UserError(setting.source + ": " + section + " is no part, because no line 'kind = ...' of a section [" +
                      section + "] says what it is");
    table.set(setting.name, setting.value, setting.source);
  }
  if (is_default) table.adopt_defaults();
}

Outline MachineSettings::outline() const {
  Outline outline;
  for (const DescribedPart& part : parts_)
    if (part.settings->present) part.settings->outline(outline);
  return outline;
}

void MachineSettings::check() const {
  const Outline machine = outline();
  for (const DescribedPart& part : parts_)
    if (part.settings->present) part.settings->check(machine);
  check_wiring(*this, machine);
}

DeviceTreeNode MachineSettings::device_tree() const {
  const Outline machine = outline();
  DeviceTree tree(machine);
  for (const DescribedPart& part : parts_)
    if (part.settings->present) part.settings->describe(tree);
  return tree.root();
}

}  // namespace vp
