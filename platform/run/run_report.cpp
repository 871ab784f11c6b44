#include "platform/run/run_report.h"

#include <algorithm>
#include <ostream>

#include "models/common/number_text.h"
#include "platform/report/run_bound.h"
#include "platform/report/run_tree.h"
#include "platform/run/run_log.h"

namespace vp {

namespace {

std::string name_of(EndCause cause) {
  switch (cause) {
    case EndCause::guest_exit:
      return "guest_exit";
    case EndCause::unhandled_trap:
      return "unhandled_trap";
    case EndCause::bus_hang:
      return "bus_hang";
    case EndCause::asleep:
      return "asleep";
    case EndCause::time_limit:
      return "time_limit";
    case EndCause::instruction_limit:
      return "instruction_limit";
    case EndCause::timeout:
      return "timeout";
    case EndCause::interrupted:
      return "interrupted";
    case EndCause::input_ended:
      return "input_ended";
    case EndCause::lost_program:
      return "lost_program";
  }
  return "";
}

/// Functional mode is for bringing up drivers: nobody may take its times for the machine's.
void print_fidelity(const FidelityFigures& fidelity, std::ostream& out) {
  if (fidelity.functional_time == 0) return;
  if (fidelity.timed_time == 0)
    out << "-- fidelity=functional:";
  else
    out << "-- functional for " << readable_time(fidelity.functional_time) << " of it:";
  out << " CPU times are without caches and no estimate\n";
}

std::string share_of(double part, double whole) { return share_text(whole > 0 ? part / whole : 0); }

void print_hosts(const Bounds& bounds, std::ostream& out) {
  for (const HostUse& host : bounds.hosts) {
    const auto share = [&host](Picoseconds part) {
      return share_of(static_cast<double>(part), static_cast<double>(host.total));
    };
    out << "-- " << host.name << ": busy " << share(host.executing) << ", waiting for the bus " << share(host.bus)
        << ", for memory " << share(host.memory) << ", asleep " << share(host.asleep) << "; "
        << number_text(host.instructions) << " instructions\n";
  }
}

/// Of one array: its units at work, waiting for the host, and the rest of the time without a program.
void print_array(const ComputeUse& array, Picoseconds time, std::ostream& out) {
  // An access that was abandoned may have led it beyond the end of the run.
  const double cycles =
      std::max(static_cast<double>(time) / static_cast<double>(array.clock), static_cast<double>(array.cycles));
  out << "-- " << array.name << ": ";
  if (array.cycles == 0) {
    out << "no program\n";
    return;
  }
  std::uint64_t waited = 0;
  for (const HeldUpBy& one : array.held_up_by)
    if (one.by_host) waited += one.cycles;
  const auto share = [cycles](std::uint64_t part) { return share_of(static_cast<double>(part), cycles); };
  out << "busy " << share(array.cycles - waited) << ", waiting for the host " << share(waited) << ", idle "
      << share_of(cycles - static_cast<double>(array.cycles), cycles) << "; " << number_text(array.cycles)
      << " cycles of programs\n";
}

void print_arrays(const Bounds& bounds, std::ostream& out) {
  constexpr std::size_t kArrays = 4;
  for (std::size_t i = 0; i < std::min(bounds.computes.size(), kArrays); ++i)
    print_array(bounds.computes[i], bounds.time(), out);
  if (bounds.computes.size() > kArrays) out << "-- " << bounds.computes.size() - kArrays << " more arrays\n";
}

/// ", of that computing 30.0 %, moving data 1.0 %"
std::string uses_of(const EngineUse& engine) {
  std::string text;
  for (const EngineUse::Use& use : engine.uses)
    if (use.time != 0)
      text += (text.empty() ? ", of that " : ", ") + use.words + " " +
              share_of(static_cast<double>(use.time), static_cast<double>(engine.running));
  return text;
}

/// Of a fabric with a DMA of its own both: they work side by side.
void print_movers(const Bounds& bounds, std::ostream& out) {
  const auto share = [&bounds](Picoseconds part) {
    return share_of(static_cast<double>(part), static_cast<double>(bounds.time()));
  };
  for (const MoverUse& mover : bounds.movers) {
    const auto engine = std::find_if(bounds.engines.begin(), bounds.engines.end(),
                                     [&mover](const EngineUse& one) { return one.name == mover.name; });
    out << "-- " << mover.name << ": ";
    if (engine != bounds.engines.end()) out << "running " << share(engine->running) << uses_of(*engine) << "; DMA ";
    out << "moving data " << share(mover.moving()) << ", waiting for bus and memory "
        << share(mover.busy - mover.moving()) << ", idle " << share(bounds.time() - std::min(mover.busy, bounds.time()))
        << "; " << number_text(mover.bytes) << " bytes moved\n";
  }
}

/// "host_feed" as a person writes it.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

void print_regions(const RunText& run, std::ostream& out) {
  constexpr std::size_t kRegions = 8;
  for (std::size_t i = 0; i < std::min(run.regions.size(), kRegions); ++i) {
    const RegionAccount::Region& region = run.regions[i];
    out << "-- region " << region.name << ": " << readable_time(region.use.time()) << ", "
        << share_of(static_cast<double>(region.use.time()), static_cast<double>(run.bounds.time())) << " of the run";
    if (const auto bound = bound_figures(region.use))
      out << "; bounded by " << spaced(bound->by) << ": " << bound->sentence;
    out << '\n';
  }
  if (run.regions.size() > kRegions) out << "-- " << run.regions.size() - kRegions << " more regions\n";
}

/// Hazards first, each with its time; then what works, but only by timing, of which a few show what it is.
void print_findings(const RunText& run, ReportDetail detail, std::ostream& out) {
  constexpr std::size_t kListed = 20, kListedBriefly = 3;
  const auto list = [&](bool by_timing, const char* title, std::size_t most, const std::string& more) {
    std::size_t count = 0;
    for (const Finding& finding : run.findings) {
      if ((finding.kind == kWorksOnlyByTiming) != by_timing || ++count > most) continue;
      out << "-- " << title << ": " << finding.text;
      if (finding.time != kNever) out << ", at " << readable_time(finding.time);
      out << '\n';
    }
    if (count > most) out << "-- " << count - most << more << '\n';
    return count;
  };
  const std::size_t hazards = list(false, "hazard", kListed, " more findings on hazards");
  list(true, "works only by timing", detail == ReportDetail::full ? kListed : kListedBriefly,
       " more findings on what works only by timing");
  if (hazards == 0 && !run.bounds.computes.empty()) out << "-- hazards: none\n";
}

HostAccountFigures account_of(const HostUse& host) {
  return {host.total, host.executing, host.bus, host.memory, host.asleep};
}

ArrayAccountFigures account_of(const ComputeUse& array, Picoseconds time) {
  ArrayAccountFigures figures;
  figures.total = static_cast<double>(time) / static_cast<double>(array.clock);
  for (const HeldUpBy& one : array.held_up_by) {
    figures.held_up_by.causes.emplace_back(one.cause, one.cycles);
    (one.by_host ? figures.host_feed : figures.busy) += static_cast<double>(one.cycles);
  }
  // The ends of a region are no clock edges of the array.
  figures.idle = std::max(0.0, figures.total - figures.busy - figures.host_feed);
  figures.total = figures.busy + figures.host_feed + figures.idle;
  return figures;
}

RegionFigures figures_of(const RegionAccount::Region& region) {
  RegionFigures figures;
  figures.entries = region.entries;
  figures.first_entered = region.first_entered;
  figures.simulated_time = region.use.time();
  for (const HostUse& host : region.use.hosts) {
    figures.instructions += host.instructions;
    figures.hosts.emplace_back(host.name, account_of(host));
  }
  for (const ComputeUse& array : region.use.computes)
    figures.arrays.emplace_back(array.name, account_of(array, region.use.time()));
  figures.bound = bound_figures(region.use);
  figures.ideal = ideal_figures(region.use);
  return figures;
}

}  // namespace

void report_run(const MachineRun& machine, const MachineEnd& end, double wall_seconds, Statistics& root) {
  MachineRunFigures run;
  run.end = name_of(end.cause);
  run.sentence = end.sentence;
  run.exit_code = static_cast<std::uint64_t>(end.exit_code);
  run.simulated_time = end.time;
  run.instructions = machine.cpu().core().retired();
  run.wall_time = wall_seconds;
  if (wall_seconds > 0) run.mips = static_cast<double>(run.instructions) / wall_seconds / 1e6;
  RunTree tree;
  tree.machine_run = std::move(run);
  tree.fidelity = machine.fidelity();
  write_figures(tree, root);
}

void report_regions(const MachineRun& machine, Statistics& root) {
  if (machine.regions().regions().empty()) return;
  RunTree tree;
  tree.regions.emplace();
  for (const RegionAccount::Region& region : machine.regions().regions())
    tree.regions->regions.emplace_back(region.name, figures_of(region));
  write_figures(tree, root);
}

void print_report(const RunText& run, const Statistics& statistics, ReportDetail detail, std::ostream& out) {
  const MachineEnd& end = run.end;
  out << "-- " << end.sentence << " (exit code " << end.exit_code << ") after " << readable_time(end.time) << '\n';
  for (std::size_t i = 0; i < end.places.size(); ++i)
    out << (i == 0 ? "-- at " : "--   called from ") << end.places[i] << '\n';
  print_fidelity(run.fidelity, out);
  print_hosts(run.bounds, out);
  print_arrays(run.bounds, out);
  print_movers(run.bounds, out);
  if (const auto bound = bound_figures(run.bounds))
    out << "-- bounded by " << spaced(bound->by) << ": " << bound->sentence << '\n';
  print_regions(run, out);
  print_findings(run, detail, out);
  out << "-- " << number_text(run.wall_seconds, 3) << " s of wall time";
  if (run.wall_seconds > 0)
    out << ", " << number_text(static_cast<double>(run.instructions) / run.wall_seconds / 1e6, 3) << " MIPS"
        << (run.generated_code ? " by generated code" : " interpreted");
  if (detail == ReportDetail::full) {
    out << '\n';
    statistics.write_text(out, Statistics::Zeros::hidden);
  } else {
    out << "; every figure: --report full, --stats FILE.json\n";
  }
}

}  // namespace vp
