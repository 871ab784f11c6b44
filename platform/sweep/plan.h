#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/sweep/axis.h"
#include "platform/sweep/sample.h"

namespace vp {

/// Parameters by name with their values as text.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// The name under which a point has its machine's file, beside its parameters; runs get it with --machine.
inline constexpr const char* kMachineAxis = "machine";
/// The same for the program that it boots, which runs get as their operand.
inline constexpr const char* kProgramAxis = "program";

/// Whether a point's setting is no parameter but an option of `run`: "machine", "network", …
bool is_option_axis(const std::string& name);

/// The words with which a point is run: those of the command, with the option axes of its settings among them.
/// Parameters are not.
std::vector<std::string> words_of_point(const std::vector<std::string>& command, const Settings& settings);

/// What the user asked for.
struct SweepRequest {
  std::vector<SweepAxis> axes;
  std::vector<Settings> listed;      ///< points of a --points file; each is combined with every point of the grid
  std::vector<std::string> command;  ///< words behind "--", the first is the subcommand: "run", "digits64.elf"
  std::optional<Sampling> sampling;  ///< not all points of the grid
};

/// Which simulator runs the points: another one may give other figures.
struct SimulatorIdentity {
  std::string version;  ///< "0.1.0"
  std::string build;    ///< digest of the program's file
};

/// The machine of one point, as the program itself would understand it.
struct ResolvedPoint {
  Settings changed;                 ///< every parameter that differs from its default, sorted, values in canonical form
  std::vector<std::string> inputs;  ///< files whose content the result depends on: programs, and what parameters name
  bool excluded = false;            ///< by a constraint
  Settings without_effect;          ///< swept parameters that can change nothing here, each with the reason
};

/// Turns the settings of one point, on top of the base configuration, into the machine. Throws UserError for whatever
/// `run` would refuse.
using ResolvePoint = std::function<ResolvedPoint(const Settings&)>;

/// One run of a sweep.
struct SweepPoint {
  std::string hash;    ///< 16 hexadecimal digits over simulator, command, machine and inputs; names the point's files
  Settings settings;   ///< the swept parameters, values as given
  std::string inputs;  ///< digest of the contents of its files, empty without any
};

/// All runs of a sweep: every point valid, none twice, in the order of the grid (the last axis changes fastest) or of
/// the sample.
struct SweepPlan {
  std::vector<std::string> command;
  std::vector<SweepPoint> points;
  std::size_t duplicates = 0;  ///< combinations left out because an earlier one describes the same machine
  std::size_t excluded = 0;    ///< combinations left out by a constraint
};

/// The content of a --points file: one point a line, "name=value name=value …" with shell-like quotes and # comments.
/// `source` names the file in errors, which also give the line. Throws UserError.
std::vector<Settings> parse_points(const std::string& text, const std::string& source);

/// Expands and validates everything. Throws UserError: a parameter swept twice, more than a million points, whatever
/// `resolve` refuses (with the point's settings), no point left, a parameter that has no effect at any point.
SweepPlan make_plan(const SweepRequest& request, const SimulatorIdentity& simulator, const ResolvePoint& resolve);

/// The name of a point: a digest over the simulator, the words of the command, the machine, and its input files.
std::string point_hash(const SimulatorIdentity& simulator, const std::vector<std::string>& command,
                       const Settings& changed, const std::string& inputs);

/// "a=1 b=x", for messages.
std::string describe(const Settings& settings);

}  // namespace vp
