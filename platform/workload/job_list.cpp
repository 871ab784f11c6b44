#include "platform/workload/job_list.h"

#include <algorithm>
#include <cstring>

#include "models/common/ceil_div.h"
#include "models/common/error.h"
#include "models/tinytpu/memory_map.h"

namespace vp::workload {
namespace {

/// Rows of a sample, about: enough to be in a steady state, few enough for a network in seconds.
constexpr std::uint64_t kRows = 2048;
/// The same where rows lie one behind the other: for the CDMA one command and many bursts.
constexpr std::uint64_t kPackedRows = 4096;
/// Where a line of the cache begins must not change with what is cut off.
constexpr std::uint64_t kLine = 256;

/// A distance that keeps `count` pieces so far apart inside the source's memory, with the same place in a line.
std::uint64_t fitting_pitch(std::uint64_t pitch, std::uint64_t count, std::uint64_t room) {
  const std::uint64_t most = room / std::max<std::uint64_t>(1, count);
  if (pitch <= most || most < 2 * kLine) return std::min(pitch, most);
  return (most / kLine - 1) * kLine + pitch % kLine;
}

mover_job job_of(mover_kind kind) {
  mover_job job{};
  job.kind = kind;
  return job;
}

}  // namespace

JobList::JobList(const tinytpu::TinyTpuConfig& config, Mover mover)
    : config_(config), mover_(mover), width_(config.matrix_width), stride_(tinytpu::MemoryMap(config).stride()) {
  mover_job first = job_of(MOVER_SYNCHRONIZE);  // brings the code into the caches
  first.count = 1;
  add(first);
  mover_job job = job_of(MOVER_PUSH);
  job.count = 16;
  push_ = add(job);
  job = job_of(MOVER_SYNCHRONIZE);
  job.count = 16;
  synchronize_ = add(job);
}

std::size_t JobList::add(const mover_job& job) {
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    if (std::memcmp(&jobs_[i], &job, sizeof job) == 0) return i;
  if (jobs_.size() == MOVER_MAX_JOBS) throw UserError("the workload has too many different layers");
  jobs_.push_back(job);
  return jobs_.size() - 1;
}

Share JobList::whole(std::size_t job, std::uint64_t all, std::uint64_t sample) const {
  return {job, static_cast<double>(all) / static_cast<double>(sample)};
}

/// Over the device's port: the CPU writes whole words, the CDMA whole rows with what pads them.
std::uint64_t JobList::row_bytes() const { return mover_ == Mover::cpu ? ceil_div(width_, 4) * 4 : stride_; }

LayerMovement JobList::add(const Layer& layer, const Tiling& tiling) {
  LayerMovement movement;
  movement.steps = tiling.step_count() * layer.repeats;
  add_weights(layer, tiling, movement);
  add_activations(layer, tiling, movement);
  add_results(layer, tiling, movement);
  return movement;
}

void JobList::add_weights(const Layer& layer, const Tiling& tiling, LayerMovement& movement) {
  const std::uint64_t rows = tiling.weight_rows(config_.matrix_width) * layer.repeats;
  movement.weight_bytes = rows * row_bytes();
  mover_job job = job_of(mover_ == Mover::cpu ? MOVER_WEIGHTS : MOVER_CARRY);
  const std::uint64_t in_memory = (mover_ == Mover::cpu ? MOVER_SOURCE_BYTES : MOVER_STAGE_BYTES) / stride_;
  job.count = std::min({tiling.step_tiles * tiling.step_blocks * width_, kPackedRows, in_memory});
  movement.weights.push_back(whole(add(job), rows, job.count));
}

void JobList::add_activations(const Layer& layer, const Tiling& tiling, LayerMovement& movement) {
  const std::uint64_t rows = tiling.activation_rows(layer.product) * layer.repeats;
  const Convolution& shape = layer.convolution;
  movement.activation_bytes = rows * row_bytes();
  mover_job job = job_of(shape.gathers() ? MOVER_WINDOWS : MOVER_VECTORS);
  job.staged = mover_ == Mover::cdma;
  job.tiles =
      std::min({tiling.step_tiles, std::max<std::uint64_t>(1, kRows / tiling.group), MOVER_MAX_WINDOW / width_});
  job.vectors = std::min({layer.product.vectors, tiling.step_groups * tiling.group,
                          std::max<std::uint64_t>(tiling.group, kRows / job.tiles)});
  job.group = tiling.group;
  job.inputs = std::min(layer.product.inputs, job.tiles * width_);
  if (shape.gathers()) {
    movement.im2col_bytes = tiling.activation_loads * layer.product.vectors * layer.product.inputs * layer.repeats;
    job.runs = ceil_div(job.inputs, shape.filter_width * shape.channels);
    job.run = job.inputs / job.runs;  // of a part of the inputs, as many bytes as these
    job.across = shape.output_width;
    job.step_across = shape.stride_across * shape.channels;
    const std::uint64_t lines = ceil_div(job.vectors, job.across) * shape.stride_down + job.runs;
    job.step_across = fitting_pitch(job.step_across, std::min(job.vectors, job.across), MOVER_SOURCE_BYTES / 2 / lines);
    job.line = fitting_pitch(shape.width * shape.channels, lines, MOVER_SOURCE_BYTES / 2);
    job.step_down = shape.stride_down * job.line;
  } else {
    job.pitch = fitting_pitch(layer.product.inputs, job.vectors, MOVER_SOURCE_BYTES / 2);
  }
  const std::uint64_t sample = job.tiles * job.vectors;
  movement.activations.push_back(whole(add(job), rows, sample));
  if (mover_ == Mover::cpu) return;
  const std::uint64_t all_rows = tiling.activation_loads * tiling.tiles * tiling.mapped_vectors * layer.repeats;
  movement.activation_bytes = all_rows * row_bytes();  // a transfer takes the rows between along
  mover_job carried = job_of(MOVER_CARRY);
  carried.staged = 1;
  carried.count = std::min({tiling.step_tiles * std::min(tiling.mapped_vectors, tiling.step_groups * tiling.group),
                            kPackedRows, MOVER_STAGE_BYTES / stride_});
  movement.activations.push_back(whole(add(carried), all_rows, carried.count));
}

void JobList::add_results(const Layer& layer, const Tiling& tiling, LayerMovement& movement) {
  const std::uint64_t rows = tiling.result_rows(layer.product) * layer.repeats;
  movement.result_bytes = rows * ceil_div(width_, 4) * 4;
  mover_job job = job_of(MOVER_RESULTS);
  job.blocks = std::min(tiling.step_blocks, std::max<std::uint64_t>(1, kRows / tiling.group));
  job.vectors = std::min({layer.product.vectors, tiling.step_groups * tiling.group,
                          std::max<std::uint64_t>(tiling.group, kRows / job.blocks)});
  job.group = tiling.group;
  job.outputs = std::min(layer.product.outputs, job.blocks * width_);
  job.pitch = fitting_pitch(layer.product.outputs, job.vectors, MOVER_STAGE_BYTES / 2);
  movement.results.push_back(whole(add(job), rows, job.blocks * job.vectors));
}

}  // namespace vp::workload
