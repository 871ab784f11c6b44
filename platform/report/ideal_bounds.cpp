#include "platform/report/ideal_bounds.h"

#include <algorithm>

#include "platform/report/cost_figures.h"
#include "platform/report/run_tree.h"

namespace vp {

namespace {

double per_second(std::uint64_t amount, Picoseconds time) {
  return time == 0 ? 0.0 : static_cast<double>(amount) * 1e12 / static_cast<double>(time);
}

double percent(double part, double whole) { return whole > 0 ? 100.0 * part / whole : 0.0; }

/// Work of one array or of several.
struct Work {
  double peak = 0;  ///< multiply-accumulates a second
  std::uint64_t mapped = 0;
  std::optional<std::uint64_t> useful;
};

ComputeFigures compute_figures(const Work& work, const ComputeUse& slowest, Picoseconds time) {
  ComputeFigures figures;
  figures.peak_macs_per_second = work.peak;
  figures.mapped_macs = work.mapped;
  figures.mapped_macs_per_second = per_second(work.mapped, time);
  figures.mapped_of_peak = percent(figures.mapped_macs_per_second, work.peak);
  if (work.useful) {
    figures.useful_macs = work.useful;
    figures.useful_macs_per_second = per_second(*work.useful, time);
    figures.useful_of_peak = percent(*figures.useful_macs_per_second, work.peak);
    figures.mapping_efficiency = percent(static_cast<double>(*work.useful), static_cast<double>(work.mapped));
  }
  if (slowest.minimum_cycles == 0) return figures;
  figures.minimum_cycles = slowest.minimum_cycles;
  figures.cycles = slowest.cycles;
  figures.cycles_of_minimum = percent(static_cast<double>(slowest.cycles), static_cast<double>(slowest.minimum_cycles));
  return figures;
}

/// The arrays work side by side: their peaks and their work add up, and the one that takes longest tells the time.
void add_computes(const Bounds& bounds, IdealFigures& ideal) {
  if (bounds.computes.empty()) return;
  Work all;
  all.useful = 0;
  const ComputeUse* slowest = &bounds.computes.front();
  for (const ComputeUse& use : bounds.computes) {
    all.peak += use.peak_macs_per_second;
    all.mapped += use.mapped_macs;
    all.useful = all.useful && use.useful_macs ? std::optional(*all.useful + *use.useful_macs) : std::nullopt;
    if (use.cycles * use.clock > slowest->cycles * slowest->clock) slowest = &use;
  }
  ideal.compute = compute_figures(all, *slowest, bounds.time());
  if (bounds.computes.size() == 1) return;
  ideal.units.emplace();
  for (const ComputeUse& use : bounds.computes)
    ideal.units->parts.push_back(
        {use.name,
         {compute_figures({use.peak_macs_per_second, use.mapped_macs, use.useful_macs}, use, bounds.time())}});
}

bool is_background(const Bounds& bounds, const std::string& initiator) {
  return std::find(bounds.background.begin(), bounds.background.end(), initiator) != bounds.background.end();
}

/// Bytes that the program's initiators moved to and from `target`; all of them for none.
std::uint64_t carried(const Bounds& bounds, const BusUse& bus, const std::string* target) {
  std::uint64_t bytes = 0;
  for (const BusUse::Carried& one : bus.carried)
    if (!is_background(bounds, one.initiator) && (!target || one.target == *target)) bytes += one.bytes;
  return bytes;
}

LinkFigures link_figures(double peak, std::uint64_t bytes, const Bounds& bounds, const IdealFigures& ideal) {
  LinkFigures figures;
  figures.peak_bandwidth = peak;
  figures.bytes = bytes;
  const double reached = per_second(bytes, bounds.time());
  if (reached > peak && bounds.functional_time != 0) {
    figures.beyond_peak = "in functional mode accesses do not wait for each other";
  } else {
    figures.reached_bandwidth = reached;
    figures.of_peak = percent(reached, peak);
  }
  const std::uint64_t macs = ideal.compute ? ideal.compute->useful_macs.value_or(ideal.compute->mapped_macs) : 0;
  figures.intensity = bytes ? static_cast<double>(macs) / static_cast<double>(bytes) : 0.0;
  return figures;
}

void add_links(const Bounds& bounds, IdealFigures& ideal) {
  if (bounds.memories.empty() && bounds.buses.empty()) return;
  ideal.links.emplace();
  for (const MemoryUse& memory : bounds.memories) {
    std::uint64_t bytes = 0;
    for (const BusUse& bus : bounds.buses) bytes += carried(bounds, bus, &memory.name);
    ideal.links->parts.push_back({memory.name, {link_figures(memory.peak_bytes_per_second, bytes, bounds, ideal)}});
  }
  for (const BusUse& bus : bounds.buses) {
    double peak = bus.peak_bytes_per_second;
    const auto working = std::count_if(bus.initiators.begin(), bus.initiators.end(),
                                       [&](const std::string& name) { return !is_background(bounds, name); });
    if (bus.port_each) peak *= static_cast<double>(std::max<std::ptrdiff_t>(1, working));
    ideal.links->parts.push_back({bus.name, {link_figures(peak, carried(bounds, bus, nullptr), bounds, ideal)}});
  }
}

void add_movers(const Bounds& bounds, IdealFigures& ideal) {
  if (bounds.movers.empty()) return;
  ideal.movers.emplace();
  for (const MoverUse& use : bounds.movers) {
    MoverFigures figures;
    figures.peak_bandwidth = use.peak_bytes_per_second;
    figures.bytes = use.bytes;
    figures.reached_bandwidth = per_second(use.bytes, use.busy);
    figures.of_peak = percent(figures.reached_bandwidth, use.peak_bytes_per_second);
    figures.busy_time = use.busy;
    figures.moving_time = use.moving();
    figures.waiting_time = use.busy - use.moving();
    figures.share_of_run = percent(static_cast<double>(use.busy), static_cast<double>(bounds.time()));
    ideal.movers->parts.push_back({use.name, {figures}});
  }
}

}  // namespace

std::optional<IdealFigures> ideal_figures(const Bounds& bounds) {
  if (bounds.computes.empty() && bounds.movers.empty()) return std::nullopt;
  IdealFigures ideal;
  add_computes(bounds, ideal);
  add_links(bounds, ideal);
  add_movers(bounds, ideal);
  return ideal;
}

void report_bounds(const Bounds& bounds, Statistics& root) {
  RunTree tree;
  tree.ideal = ideal_figures(bounds);
  tree.bound = bound_figures(bounds);
  write_figures(tree, root);
  report_cost(bounds.cost, root);
}

}  // namespace vp
