#include "platform/run/run_report.h"

#include <algorithm>
#include <ostream>

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

void print_report(const MachineEnd& end, const FidelityFigures& fidelity, const std::vector<Finding>& findings,
                  const Statistics& statistics, ReportDetail detail, std::ostream& out) {
  constexpr std::size_t kListed = 20;
  out << "-- " << end.sentence << " (exit code " << end.exit_code << ") after " << readable_time(end.time) << '\n';
  for (std::size_t i = 0; i < end.places.size(); ++i)
    out << (i == 0 ? "-- at " : "--   called from ") << end.places[i] << '\n';
  print_fidelity(fidelity, out);
  for (std::size_t i = 0; i < std::min(findings.size(), kListed); ++i) {
    out << (findings[i].kind == kWorksOnlyByTiming ? "-- works only by timing: " : "-- hazard: ") << findings[i].text;
    if (findings[i].time != kNever) out << ", at " << readable_time(findings[i].time);
    out << '\n';
  }
  if (findings.size() > kListed) out << "-- " << findings.size() - kListed << " more findings on hazards\n";
  if (detail == ReportDetail::full)
    statistics.write_text(out, Statistics::Zeros::hidden);
  else
    statistics.write_summary(out);
}

}  // namespace vp
