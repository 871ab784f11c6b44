#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/common/fidelity.h"
#include "models/common/finding.h"
#include "models/common/origin.h"
#include "models/common/outline.h"
#include "models/common/parameters.h"

namespace vp {

class Archive;
class DeviceTree;
class InstructionSource;
class RegisterBank;
class Site;
class Statistics;
class TimelineSink;
struct Bounds;

/// A part of a machine as it stands and works: it owns its SystemC modules. A kind overrides what it has to say; the
/// defaults do nothing. Calls come between sc_start() calls or, where said, from within an access.
class Part {
 public:
  explicit Part(std::string name) : name_(std::move(name)) {}
  virtual ~Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  /// In the machine: "tpu". Group of its figures, first part of its parameters' names.
  const std::string& name() const { return name_; }

  /// All parts are built and have offered their roles: finds those of others (Site::roles). Before the simulation
  /// starts.
  virtual void connect(Site&) {}
  /// Reset of the machine at the present time. From within an access.
  virtual void reset() {}
  /// At first functional; called once with the mode of the start, later from within an access.
  virtual void set_fidelity(Fidelity) {}

  /// Adds its figures: root.group(name(), …). A part without figures adds no group.
  virtual void report(Statistics& /*root*/) const {}
  /// Adds what it contributes to the question what bounds the run.
  virtual void bounds(Bounds&) const {}
  /// Hazards of the program and defects that struck. `origin` names who is behind an access.
  virtual std::vector<Finding> findings(const OriginText& /*origin*/) { return {}; }
  /// Empty, or what is wrong with the model's own figures after a run.
  virtual std::string broken_conservation() const { return ""; }
  /// What waits in its queues and what each of its units does now, a line each, for a person at a debugger; nothing if
  /// it has neither. No result of the run changes. While the simulation stands still.
  virtual std::vector<std::string> work() { return {}; }
  /// Its registers by name, nullptr if it has none of this form.
  virtual const RegisterBank* registers() const { return nullptr; }
  /// The log of the instructions that it executes, nullptr if it executes none of its own.
  virtual InstructionSource* instructions() { return nullptr; }
  /// Draws what its units do into a timeline from now on. Before the simulation starts.
  virtual void trace(TimelineSink&) {}
  /// Lists its state, for saving, loading and comparing. Every kind has to say: one that listed nothing would be
  /// restored wrongly without a word. Throws UserError where it cannot be saved now, or never.
  virtual void persist(Archive&) = 0;

 private:
  std::string name_;
};

/// The settings of one part, before and whether it is built; needs no SystemC to be made, declared, checked, outlined
/// and described.
class PartSettings {
 public:
  explicit PartSettings(std::string name) : name_(std::move(name)) {}
  virtual ~PartSettings() = default;
  PartSettings(const PartSettings&) = delete;
  PartSettings& operator=(const PartSettings&) = delete;

  /// In the machine: "tpu".
  const std::string& name() const { return name_; }
  /// What the parameter `present`, which the board declares for every part, calls it.
  virtual std::string noun() const { return "device"; }

  /// Binds its members to parameters in the order in which a user reads them: base, interrupts, serial lines, its own.
  virtual void declare(const ParameterGroup& group) = 0;
  /// Throws UserError for what no single parameter shows to be wrong, naming the part. Windows that overlap, interrupts
  /// and serial lines are the board's to check. `machine` has all parts that are present.
  virtual void check(const Outline& /*machine*/) const {}
  /// Adds its windows, masters, interrupt lines and so on.
  virtual void outline(Outline& outline) const = 0;
  /// Adds its nodes to the device tree.
  virtual void describe(DeviceTree&) const {}
  /// Makes the part. Throws UserError for what the host refuses (a file, a port, memory).
  virtual std::unique_ptr<Part> build(Site& site) const = 0;

  bool present = true;  ///< a parameter of every part

 private:
  std::string name_;
};

/// A kind of part. The built-in ones are listed in platform/board/kinds.def, which expects
/// `const PartKind& <name>_kind();` of each.
struct PartKind {
  const char* name;     ///< "tinytpu"
  const char* summary;  ///< for a list of kinds, a few words
  std::unique_ptr<PartSettings> (*make)(std::string part);
};

/// PartKind::make of a kind whose settings are of this class.
template <typename Settings>
std::unique_ptr<PartSettings> make_settings(std::string part) {
  return std::make_unique<Settings>(std::move(part));
}

}  // namespace vp
