#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/bus/bus_config.h"
#include "models/common/device_tree.h"
#include "models/common/fidelity.h"
#include "models/common/parameters.h"
#include "models/common/part.h"
#include "platform/board/kinds.h"
#include "platform/config/configuration.h"

namespace vp {

/// Where a machine's description and its settings come from, weakest first.
struct MachineSources {
  std::vector<std::string> plugins;       ///< shared libraries that bring kinds of parts
  std::string machine;                    ///< file with the machine's description; empty: the default machine
  std::vector<std::string> config_files;  ///< in their order
  std::vector<std::string> environment;   ///< "NAME=value"
  std::vector<std::string> assignments;   ///< "name=value" of --set
};

/// A part of a machine that may not be built yet.
struct DescribedPart {
  const PartKind* kind;
  std::unique_ptr<PartSettings> settings;
};

/// A machine as it is described: its parts, the bus between them, and their settings by name. A part is there because
/// some source has a setting "NAME.kind = KIND"; parts stand in the order in which they are first named. Neither copied
/// nor moved, since the table refers to the settings.
class MachineSettings {
 public:
  /// Throws UserError for whatever a source has wrong by itself: unknown kinds and parameters, values out of range.
  explicit MachineSettings(const MachineSources& sources = {});
  MachineSettings(const MachineSettings&) = delete;
  MachineSettings& operator=(const MachineSettings&) = delete;

  /// Throws UserError for what no single setting shows to be wrong: windows that overlap, wires that lead nowhere,
  /// settings of a part that do not go together.
  void check() const;

  const Kinds& kinds() const { return kinds_; }
  /// All parts, also those that are left out (PartSettings::present).
  const std::vector<DescribedPart>& parts() const { return parts_; }
  const DescribedPart* find(const std::string& part) const;
  /// The first part's settings of that class, left out or not; nullptr if there are none.
  template <typename Settings>
  const Settings* first() const {
    for (const DescribedPart& part : parts_)
      if (const auto* settings = dynamic_cast<const Settings*>(part.settings.get())) return settings;
    return nullptr;
  }
  /// Before which part the bus stands in reports.
  std::size_t bus_position() const { return bus_position_; }

  /// What the parts that are present are to each other.
  Outline outline() const;
  DeviceTreeNode device_tree() const;

  BusConfig bus;
  Fidelity fidelity = Fidelity::timed;  ///< at the start; the guest may change it
  ParameterTable table;

 private:
  void add_parts(const std::vector<Setting>& settings);
  void add_part(const std::string& name, const Setting& setting);
  void declare();
  void declare_part(const DescribedPart& part);
  void apply_machine(const std::vector<Setting>& settings, bool is_default);

  const Kinds kinds_;
  std::vector<DescribedPart> parts_;
  std::size_t bus_position_ = 1;
};

}  // namespace vp
