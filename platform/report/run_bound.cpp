#include "platform/report/run_bound.h"

#include <algorithm>
#include <vector>

#include "models/common/number_text.h"

namespace vp {

namespace {

struct Candidate {
  std::string by;
  double time;       ///< ps
  std::string what;  ///< "the multiplies of tpu": what it was that was in use
};

double time_of(const ComputeUse& array, std::uint64_t cycles) {
  return static_cast<double>(cycles) * static_cast<double>(array.clock);
}

/// What one cause is to a person.
std::string activity_of(const ComputeUse& array, const std::string& cause) {
  struct Words {
    const char* cause;
    const char* words;
  };
  static constexpr Words kWords[] = {{"weights", "loading weights"},
                                     {"multiply", "multiplying"},
                                     {"activate", "activating"},
                                     {"synchronize", "draining before synchronizes"},
                                     {"issue", "issuing instructions"},
                                     {"array", "computing in its array"},
                                     {"simd", "computing in its SIMD ALUs"},
                                     {"accumulator_moves", "moving accumulators"},
                                     {"port_dram0", "moving data by port DRAM0"},
                                     {"port_dram1", "moving data by port DRAM1"},
                                     {"instructions", "decoding other instructions"},
                                     {"stream", "waiting for its instruction stream"}};
  for (const Words& one : kWords)
    if (cause == one.cause) return array.name + " " + one.words;
  return array.name + " (" + cause + ")";
}

/// A CPU that executes while no device works serves none.
bool a_device_worked(const Bounds& bounds) {
  return std::any_of(bounds.computes.begin(), bounds.computes.end(),
                     [](const ComputeUse& array) { return array.cycles != 0; }) ||
         std::any_of(bounds.engines.begin(), bounds.engines.end(),
                     [](const EngineUse& engine) { return engine.running != 0; }) ||
         std::any_of(bounds.movers.begin(), bounds.movers.end(), [](const MoverUse& mover) { return mover.busy != 0; });
}

void add_arrays(const Bounds& bounds, std::vector<Candidate>& candidates) {
  for (const ComputeUse& array : bounds.computes)
    for (const HeldUpBy& one : array.held_up_by) {
      // With a CPU the reason for a slow feed is what the CPU did.
      if (one.by_host && !bounds.hosts.empty()) continue;
      candidates.push_back({one.cause, time_of(array, one.cycles),
                            one.by_host ? array.name + " waiting for instructions" : activity_of(array, one.cause)});
    }
  for (const EngineUse& engine : bounds.engines) {
    if (engine.uses.empty())
      candidates.push_back({engine.name, static_cast<double>(engine.running), engine.name + " running its programs"});
    for (const EngineUse::Use& use : engine.uses)
      candidates.push_back({use.cause, static_cast<double>(use.time), engine.name + " " + use.words});
  }
  for (const MoverUse& mover : bounds.movers)
    candidates.push_back({mover.name, static_cast<double>(mover.busy), "transfers of " + mover.name});
}

void add_hosts(const Bounds& bounds, std::vector<Candidate>& candidates) {
  const bool feeds = a_device_worked(bounds);
  double others = 0;  // in use while a CPU may have slept
  for (const Candidate& one : candidates) others += one.time;
  for (const HostUse& host : bounds.hosts) {
    candidates.push_back(
        {feeds ? "host_feed" : "cpu", static_cast<double>(host.executing), host.name + " executing instructions"});
    candidates.push_back({"bus", static_cast<double>(host.bus), host.name + " waiting for the bus and devices"});
    candidates.push_back({"dram", static_cast<double>(host.memory), host.name + " waiting for memory"});
    candidates.push_back({"sleep", std::max(0.0, static_cast<double>(host.asleep) - others),
                          host.name + " asleep with nothing else at work"});
  }
}

/// How much of the time the arrays had programs, and waited in them.
std::string about_arrays(const Bounds& bounds) {
  std::string text;
  for (const ComputeUse& array : bounds.computes) {
    if (array.cycles == 0) continue;
    std::uint64_t waited = 0;
    for (const HeldUpBy& one : array.held_up_by)
      if (one.by_host) waited += one.cycles;
    text += "; " + array.name + " had a program under way " +
            share_text(std::min(1.0, time_of(array, array.cycles) / static_cast<double>(bounds.time())));
    if (waited != 0)
      text += " and waited for the host in " +
              share_text(static_cast<double>(waited) / static_cast<double>(array.cycles)) + " of that";
  }
  return text;
}

}  // namespace

std::optional<BoundFigures> bound_figures(const Bounds& bounds) {
  std::vector<Candidate> candidates;
  add_arrays(bounds, candidates);
  add_hosts(bounds, candidates);
  const auto largest = std::max_element(candidates.begin(), candidates.end(),
                                        [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
  if (largest == candidates.end() || largest->time <= 0 || bounds.time() == 0) return std::nullopt;
  // An access that was abandoned may have led an array beyond the end of the run.
  const double share = std::min(1.0, largest->time / static_cast<double>(bounds.time()));
  return BoundFigures{largest->by, largest->what + ", " + share_text(share) + " of the time" + about_arrays(bounds),
                      100 * share};
}

}  // namespace vp
