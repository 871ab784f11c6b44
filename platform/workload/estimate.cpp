#include "platform/workload/estimate.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace vp::workload {
namespace {

using tinytpu::Wait;

/// The fastest AXI master: three words of 4 cycles.
constexpr std::uint64_t kFastestFeed = 12;

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double real(std::uint64_t number) { return static_cast<double>(number); }

double seconds_each(const MeasuredJob& job) { return real(job.time) * 1e-12 / real(job.count); }

/// Cycles of one step are counted once, whichever layers take it.
class StepTimes {
 public:
  StepTimes(const Plan& plan, std::uint64_t feed_gap, const std::function<bool()>& stopped)
      : config_(plan.config), feed_gap_(feed_gap), stopped_(stopped) {}

  ComputeTime operator()(const Step& step) {
    for (const auto& [known, time] : known_)
      if (known == step) return time;
    const ComputeTime time = time_stream(step_stream(step, config_.matrix_width), config_, feed_gap_, stopped_);
    known_.emplace_back(step, time);
    return time;
  }

 private:
  const tinytpu::TinyTpuConfig& config_;
  const std::uint64_t feed_gap_;
  const std::function<bool()>& stopped_;
  std::vector<std::pair<Step, ComputeTime>> known_;
};

class Estimate {
 public:
  Estimate(const Plan& plan, const std::vector<MeasuredJob>& jobs) : plan_(plan), jobs_(jobs) {}

  /// Movement and compute of a layer; shares and bounds are still to come.
  WorkFigures work(const Plan::Entry& entry, const ComputeTime& compute) const {
    const Layer& layer = entry.layer;
    const LayerMovement& movement = entry.movement;
    WorkFigures work;
    work.useful_macs = layer.macs();
    work.mapped_macs = entry.tiling.mapped_macs(plan_.config.matrix_width) * layer.repeats;
    work.cycles = compute.cycles;
    work.instructions = compute.instructions;
    work.steps = movement.steps;
    work.weight_bytes = movement.weight_bytes;
    work.activation_bytes = movement.activation_bytes;
    work.result_bytes = movement.result_bytes;
    work.im2col_bytes = movement.im2col_bytes;
    work.weights_time = seconds(movement.weights);
    work.activations_time = seconds(movement.activations);
    work.results_time = seconds(movement.results);
    const double round_trip = seconds_each(jobs_[plan_.jobs.synchronize_job()]);
    work.synchronize_time = round_trip * real(movement.steps);
    return work;
  }

  /// What follows from the rest. `compute`: where the cycles went.
  void complete(WorkFigures& work, const ComputeTime& compute) const {
    const double cells = real(plan_.config.matrix_width) * real(plan_.config.matrix_width);
    const double clock = real(plan_.config.clock_period) * 1e-12;
    work.mapping_efficiency = percent(real(work.useful_macs), real(work.mapped_macs));
    work.useful_utilisation = percent(real(work.useful_macs), real(work.cycles) * cells);
    work.mapped_utilisation = percent(real(work.mapped_macs), real(work.cycles) * cells);
    work.moved_bytes = work.weight_bytes + work.activation_bytes + work.result_bytes;
    work.compute_time = real(work.cycles) * clock;
    work.movement_time = work.weights_time + work.activations_time + work.results_time + work.synchronize_time;
    work.time = work.compute_time + work.movement_time;
    work.useful_of_peak = percent(real(work.useful_macs), work.time / clock * cells);
    work.bound = bound(work, compute, clock);
  }

 private:
  double seconds(const std::vector<Share>& shares) const {
    double sum = 0;
    for (const Share& share : shares) sum += real(jobs_[share.job].time) * 1e-12 * share.times;
    return sum;
  }

  static std::string bound(const WorkFigures& work, const ComputeTime& compute, double clock) {
    const auto waited = [&](std::initializer_list<Wait> causes) {
      std::uint64_t cycles = 0;
      for (const Wait cause : causes) cycles += compute.waiting[static_cast<unsigned>(cause)];
      return real(cycles) * clock;
    };
    const std::pair<const char*, double> parts[] = {
        {"moving weights", work.weights_time},
        {work.im2col_bytes != 0 ? "im2col" : "moving activations", work.activations_time},
        {"moving results", work.results_time},
        {"synchronize", work.synchronize_time + waited({Wait::synchronize})},
        {"host feed", waited({Wait::host, Wait::empty, Wait::fill, Wait::successor})},
        {"read_weights", waited({Wait::weights_busy})},
        {"activate", waited({Wait::activate_busy})},
        {"multiply", real(compute.busy) * clock + waited({Wait::multiply_busy})},
    };
    return std::max_element(std::begin(parts), std::end(parts),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

  const Plan& plan_;
  const std::vector<MeasuredJob>& jobs_;
};

void add(WorkFigures& total, const WorkFigures& layer) {
  for (const auto member : {&WorkFigures::useful_macs, &WorkFigures::mapped_macs, &WorkFigures::cycles,
                            &WorkFigures::instructions, &WorkFigures::steps, &WorkFigures::weight_bytes,
                            &WorkFigures::activation_bytes, &WorkFigures::result_bytes, &WorkFigures::im2col_bytes})
    total.*member += layer.*member;
  for (const auto member : {&WorkFigures::weights_time, &WorkFigures::activations_time, &WorkFigures::results_time,
                            &WorkFigures::synchronize_time})
    total.*member += layer.*member;
}

/// A name for the layer's group: by number, so that none comes twice, and without what means something in a path.
std::string group_name(std::size_t number, std::size_t count, std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  std::string digits = std::to_string(number);
  digits.insert(0, std::to_string(count).size() - digits.size(), '0');
  return digits + '_' + name;
}

}  // namespace

Plan::Plan(const Topology& topology, const tinytpu::TinyTpuConfig& its_config, Mover its_mover)
    : config(its_config), mover(its_mover), products(topology.products), jobs(its_config, its_mover) {
  for (const Layer& layer : topology.layers) {
    const Tiling tiling = tile(layer.product, config);
    layers.push_back({layer, tiling, jobs.add(layer, tiling)});
  }
}

std::uint64_t measured_feed_gap(const Plan& plan, const std::vector<MeasuredJob>& jobs) {
  const double push = seconds_each(jobs[plan.jobs.push_job()]) * 1e12;
  return std::max(kFastestFeed, static_cast<std::uint64_t>(std::llround(push / real(plan.config.clock_period))));
}

std::optional<WorkloadFigures> estimate(const Plan& plan, const std::vector<MeasuredJob>& jobs, std::uint64_t feed_gap,
                                        Picoseconds max_time, const std::function<bool()>& stopped) {
  const Estimate estimate(plan, jobs);
  StepTimes step_times(plan, feed_gap, stopped);
  WorkloadFigures figures;
  figures.mover = plan.mover == Mover::cpu ? "cpu" : "cdma";
  figures.feed_gap = feed_gap;
  figures.images = plan.products ? 0 : plan.layers.front().layer.batch;
  for (const MeasuredError& error : kMeasuredErrors)
    figures.movement_error = std::max(figures.movement_error, std::abs(error.percent));
  // A write of the tinyTPU's port takes 4 cycles (its README, timing) and brings 4 bytes.
  figures.port_bandwidth = 1e12 / real(plan.config.clock_period);
  figures.peak_macs_per_second =
      real(plan.config.matrix_width) * real(plan.config.matrix_width) * 1e12 / real(plan.config.clock_period);
  ComputeTime whole;
  double time = 0;
  for (const Plan::Entry& entry : plan.layers) {
    const Layer& layer = entry.layer;
    ComputeTime compute;
    for (const auto& [step, count] : entry.tiling.steps) compute.add(step_times(step), count * layer.repeats);
    if (stopped && stopped()) return std::nullopt;
    LayerFigures one{layer.name,    layer.product.vectors,        layer.product.inputs, layer.product.outputs,
                     layer.repeats, estimate.work(entry, compute)};
    estimate.complete(one.work, compute);
    time += one.work.time;
    if (max_time != kNever && time > real(max_time) * 1e-12) break;
    add(figures.total, one.work);
    whole.add(compute, 1);
    figures.layers.layers.emplace_back(group_name(figures.layers.layers.size() + 1, plan.layers.size(), layer.name),
                                       std::move(one));
  }
  estimate.complete(figures.total, whole);
  if (figures.images != 0) figures.time_per_image = figures.total.time / real(figures.images);
  return figures;
}

}  // namespace vp::workload
