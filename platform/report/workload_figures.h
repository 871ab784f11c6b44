#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/figures.h"

namespace vp {

/// A program that was run both ways, as it is and as a workload: how far the estimate of its movement was off, in
/// percent of what it took. tests/workload/both_ways_test.cpp measures it.
struct MeasuredError {
  const char* program;
  double percent;
};
inline constexpr MeasuredError kMeasuredErrors[] = {{"digits", -8}, {"simple_net", -12}};

/// What a layer, or all of them, takes.
struct WorkFigures {
  std::uint64_t useful_macs = 0;
  std::uint64_t mapped_macs = 0;
  double mapping_efficiency = 0;  ///< percent
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::uint64_t steps = 0;
  double useful_utilisation = 0;  ///< percent
  double mapped_utilisation = 0;  ///< percent
  std::uint64_t weight_bytes = 0;
  std::uint64_t activation_bytes = 0;
  std::uint64_t result_bytes = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t im2col_bytes = 0;
  double compute_time = 0;  ///< seconds, as all times here
  double weights_time = 0;
  double activations_time = 0;
  double results_time = 0;
  double synchronize_time = 0;
  double movement_time = 0;
  double time = 0;
  double useful_of_peak = 0;  ///< percent
  std::string bound;

  template <typename List>
  void list(List& list) const {
    list.figure("useful_macs", useful_macs, "MAC", "multiply-accumulates of the layer itself, without padding");
    list.figure("mapped_macs", mapped_macs, "MAC", "multiply-accumulates done by the array, padding included");
    list.figure("mapping_efficiency", mapping_efficiency, "%", "useful over mapped");
    list.figure("cycles", cycles, "cycles", "of the tinyTPU from first fetch to synchronize, all steps: exact");
    list.figure("instructions", instructions, "1", "pushed to the tinyTPU");
    list.figure("steps", steps, "1", "pieces that fit the buffers, with a synchronize behind each");
    list.figure("useful_utilisation", useful_utilisation, "%", "useful multiply-accumulates over cycles × width²");
    list.figure("mapped_utilisation", mapped_utilisation, "%", "mapped multiply-accumulates over cycles × width²");
    list.figure("weight_bytes", weight_bytes, "bytes", "written into the weight buffer, padding and reloads included");
    list.figure("activation_bytes", activation_bytes, "bytes",
                "written into the unified buffer, padding and reloads included");
    list.figure("result_bytes", result_bytes, "bytes", "read from the unified buffer");
    list.figure("moved_bytes", moved_bytes, "bytes", "over the tinyTPU's port: weights, activations and results");
    list.figure("im2col_bytes", im2col_bytes, "bytes", "copied in memory to make rows of a convolution's windows");
    list.figure("compute_time", compute_time, "s", "cycles × clock: exact");
    list.figure("weights_time", weights_time, "s", "to bring the weights: an estimate");
    list.figure("activations_time", activations_time, "s", "to bring the activations, im2col included: an estimate");
    list.figure("results_time", results_time, "s", "to fetch the results: an estimate");
    list.figure("synchronize_time", synchronize_time, "s", "of the host's round trips at synchronizes: an estimate");
    list.figure("movement_time", movement_time, "s", "all that is no compute: an estimate");
    list.figure("time", time, "s", "compute and movement, which take turns: an estimate");
    list.figure("useful_of_peak", useful_of_peak, "%", "useful multiply-accumulates over the peak in all this time");
    list.figure("bound", bound, "", "what takes the largest part of the time");
  }
};

/// One layer.
struct LayerFigures {
  std::string layer;
  std::uint64_t vectors = 0;
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
  std::uint64_t repeats = 1;
  WorkFigures work;

  template <typename List>
  void list(List& list) const {
    list.figure("layer", layer, "", "name in the workload");
    list.figure("vectors", vectors, "1", "rows of activations, M of the product");
    list.figure("inputs", inputs, "1", "K of the product");
    list.figure("outputs", outputs, "1", "N of the product");
    list.figure("repeats", repeats, "1", "products of this size: channels of a depthwise convolution");
    work.list(list);
  }
};

/// A whole workload.
struct WorkloadFigures {
  struct Layers {
    NamedGroups<LayerFigures> layers;  ///< by number and name, in the workload's order

    template <typename List>
    void list(List& list) const {
      list.groups("a layer of the workload", layers);
    }
  };
  std::string mover;
  std::uint64_t feed_gap = 0;
  std::uint64_t images = 0;
  double time_per_image = 0;  ///< seconds
  double movement_error = 0;  ///< percent
  double peak_macs_per_second = 0;
  double port_bandwidth = 0;  ///< bytes a second
  WorkFigures total;
  Layers layers;

  template <typename List>
  void list(List& list) const {
    list.figure("mover", mover, "", "who brings weights and activations");
    list.figure("feed_gap", feed_gap, "cycles", "between two pushes of instructions, of the tinyTPU's clock");
    if (images != 0) {
      list.figure("images", images, "1", "that go through each layer together");
      list.figure("time_per_image", time_per_image, "s", "time over images: an estimate");
    }
    list.figure("movement_error", movement_error, "%",
                "measured error of movement, at most, of programs run both ways");
    list.figure("peak_macs_per_second", peak_macs_per_second, "MAC/s", "matrix width squared × clock");
    list.figure("port_bandwidth", port_bandwidth, "bytes/s",
                "that the tinyTPU's port takes at most: a word of 4 bytes every 4 cycles");
    total.list(list);
    list.group("layers", "each layer", layers);
  }
};

}  // namespace vp
