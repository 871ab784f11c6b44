#pragma once

#include <cstdint>
#include <vector>

#include "models/common/clock.h"
#include "models/tinytpu/config.h"
#include "platform/workload/layer.h"
#include "platform/workload/mover_jobs.h"
#include "platform/workload/tiling.h"

namespace vp::workload {

/// A job when it is done.
struct MeasuredJob {
  Picoseconds time = 0;
  std::uint64_t count = 0;  ///< mover_job::count
};

/// Who brings the rows.
enum class Mover : std::uint8_t {
  cpu,   ///< the CPU's own stores, as the driver copies
  cdma,  ///< the AXI CDMA, in bursts; the CPU lays the rows of activations out for it and fetches the results
};

/// Part of what a layer moves: a sample of it is a job that is measured, the rest takes as long in proportion.
struct Share {
  std::size_t job = 0;
  double times = 0;  ///< the whole over the sample
};

/// What one layer moves, all repeats and loads of it.
struct LayerMovement {
  std::vector<Share> weights;
  std::vector<Share> activations;  ///< im2col included
  std::vector<Share> results;
  std::uint64_t steps = 0;             ///< synchronizes
  std::uint64_t weight_bytes = 0;      ///< written into the weight buffer, padding and reloads included
  std::uint64_t activation_bytes = 0;  ///< written into the unified buffer, likewise
  std::uint64_t result_bytes = 0;      ///< read from the unified buffer
  std::uint64_t im2col_bytes = 0;      ///< that im2col copied in memory to make rows of windows; not over the port
};

/// The jobs of a workload. Samples of at most about two thousand rows, from the beginning of a step; layers that ask
/// for the same have one job.
class JobList {
 public:
  JobList(const tinytpu::TinyTpuConfig& config, Mover mover);

  LayerMovement add(const Layer& layer, const Tiling& tiling);

  /// What a push and the round trip of a synchronize take is measured by these.
  std::size_t push_job() const { return push_; }
  std::size_t synchronize_job() const { return synchronize_; }

  const std::vector<mover_job>& jobs() const { return jobs_; }

 private:
  std::size_t add(const mover_job& job);
  Share whole(std::size_t job, std::uint64_t all, std::uint64_t sample) const;
  void add_weights(const Layer& layer, const Tiling& tiling, LayerMovement& movement);
  void add_activations(const Layer& layer, const Tiling& tiling, LayerMovement& movement);
  void add_results(const Layer& layer, const Tiling& tiling, LayerMovement& movement);
  std::uint64_t row_bytes() const;

  const tinytpu::TinyTpuConfig config_;
  const Mover mover_;
  const std::uint64_t width_;
  const std::uint64_t stride_;
  std::vector<mover_job> jobs_;
  std::size_t push_ = 0;
  std::size_t synchronize_ = 0;
};

}  // namespace vp::workload
