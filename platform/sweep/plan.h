#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace vp {

/// The name under which a point has its machine's file, beside its parameters; runs get it with --machine.
inline constexpr const char* kMachineAxis = "machine";

/// Parameters by name with their values as text.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// One swept parameter: its name and the values it takes.
struct SweepAxis {
  std::string name;
  std::vector<std::string> values;
};

/// What the user asked for.
struct SweepRequest {
  std::vector<SweepAxis> axes;
  std::vector<Settings> listed;      ///< points of a --points file; each is combined with every point of the grid
  std::vector<std::string> command;  ///< words behind "--", the first is the subcommand: "run", "digits64.elf"
};

/// The machine of one point, as the program itself would understand it.
struct ResolvedPoint {
  Settings changed;                 ///< every parameter that differs from its default, sorted, values in canonical form
  std::vector<std::string> inputs;  ///< files whose content the result depends on (the program to be run)
  Settings without_effect;          ///< swept parameters that can change nothing here, each with the reason
};

/// Turns the settings of one point, on top of the base configuration, into the machine. Throws UserError for whatever
/// `run` would refuse.
using ResolvePoint = std::function<ResolvedPoint(const Settings&)>;

/// One run of a sweep.
struct SweepPoint {
  std::string hash;   ///< 16 hexadecimal digits over the command and `ResolvedPoint`; names the point's files
  Settings settings;  ///< the swept parameters, values as given
};

/// All runs of a sweep: every point valid, none twice, in the order of the grid (the last axis changes fastest).
struct SweepPlan {
  std::vector<std::string> command;
  std::vector<SweepPoint> points;
  std::size_t duplicates = 0;  ///< combinations left out because an earlier one describes the same machine
};

/// "name=value,value,…" of a --set option. Throws UserError.
SweepAxis parse_axis(const std::string& text);

/// The content of a --points file: one point a line, "name=value name=value …" with shell-like quotes and # comments.
/// `source` names the file in errors, which also give the line. Throws UserError.
std::vector<Settings> parse_points(const std::string& text, const std::string& source);

/// Expands and validates everything. Throws UserError: a parameter swept twice, more than a million points, whatever
/// `resolve` refuses (with the point's settings), a parameter that has no effect at any point.
SweepPlan make_plan(const SweepRequest& request, const ResolvePoint& resolve);

/// The name of a point: a hash over the words of the command, the machine, and the contents of the input files.
std::string point_hash(const std::vector<std::string>& command, const Settings& changed,
                       const std::vector<std::string>& input_contents);

/// "a=1 b=x", for messages.
std::string describe(const Settings& settings);

}  // namespace vp
