#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "models/common/clock.h"
#include "models/tinytpu/config.h"
#include "platform/report/workload_figures.h"
#include "platform/workload/compute.h"
#include "platform/workload/job_list.h"
#include "platform/workload/topology.h"

namespace vp::workload {

/// A workload cut to fit a machine, with the jobs that tell what moving it takes.
struct Plan {
  Plan(const Topology& topology, const tinytpu::TinyTpuConfig& config, Mover mover);

  struct Entry {
    Layer layer;
    Tiling tiling;
    LayerMovement movement;
  };
  tinytpu::TinyTpuConfig config;
  Mover mover;
  bool products;
  JobList jobs;
  std::vector<Entry> layers;
};

/// Cycles of the TPU between two pushes of the host, as measured; at least what an AXI master needs.
std::uint64_t measured_feed_gap(const Plan& plan, const std::vector<MeasuredJob>& jobs);

/// What each layer and all of them take, from exact cycles at this feed and the measured jobs: of the first layers, as
/// far as they end within `max_time`. Nothing if `stopped` said so on the way.
std::optional<WorkloadFigures> estimate(const Plan& plan, const std::vector<MeasuredJob>& jobs, std::uint64_t feed_gap,
                                        Picoseconds max_time = kNever, const std::function<bool()>& stopped = {});

}  // namespace vp::workload
