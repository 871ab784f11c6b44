#pragma once

#include <cstdint>
#include <string>

namespace vp::workload {

/// A matrix product: `vectors` × `inputs` times `inputs` × `outputs`, as a layer becomes one.
struct Product {
  std::uint64_t vectors = 1;  ///< M: rows of activations
  std::uint64_t inputs = 1;   ///< K
  std::uint64_t outputs = 1;  ///< N, columns of weights

  std::uint64_t macs() const { return vectors * inputs * outputs; }
};

/// A convolution's feature map and window, without a batch. Sizes are with the padding that is used.
struct Convolution {
  std::uint64_t height = 1, width = 1;
  std::uint64_t filter_height = 1, filter_width = 1;
  std::uint64_t channels = 1;
  std::uint64_t stride_down = 1, stride_across = 1;
  std::uint64_t output_height = 1, output_width = 1;

  std::uint64_t map_bytes() const { return height * width * channels; }
  /// The windows are not simply the map's own rows, so somebody has to gather them: im2col.
  bool gathers() const { return filter_height != 1 || filter_width != 1 || stride_down != 1 || stride_across != 1; }
};

/// One line of a workload.
struct Layer {
  std::string name;
  Product product;            ///< of one of `repeats`; a convolution's with the batch
  Convolution convolution;    ///< of an item of a list of products: a map of one vector, nothing to gather
  std::uint64_t batch = 1;    ///< images whose positions are in product.vectors
  std::uint64_t repeats = 1;  ///< a depthwise convolution is one product a channel

  std::uint64_t macs() const { return product.macs() * repeats; }
};

}  // namespace vp::workload
