#include "models/tinytpu/network.h"

#include <algorithm>
#include <utility>

#include "models/common/ceil_div.h"
#include "models/common/error.h"

namespace vp::tinytpu {
namespace {

constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 24;
/// From here on an accumulating multiply of several tiles is safe: the rows of one instruction come round after N
/// vectors, and a sum is written 6 cycles after its addend was read.
constexpr std::uint64_t kStreamingWidth = 7;

Instruction load(std::uint64_t address, std::uint64_t length) {
  Instruction in;
  in.opcode = read_weights_opcode(true);
  in.length = static_cast<std::uint32_t>(length);
  in.set_weight_address(address);
  return in;
}

Instruction transfer(std::uint8_t opcode, std::uint64_t buffer, std::uint64_t accumulator, std::uint64_t length) {
  Instruction in;
  in.opcode = opcode;
  in.buffer = static_cast<std::uint32_t>(buffer);
  in.accumulator = static_cast<std::uint16_t>(accumulator % kAccumulatorRows);
  in.length = static_cast<std::uint32_t>(length);
  return in;
}

Instruction synchronize() { return transfer(kSynchronizeOpcode, 0, 0, 0); }

Instruction sigmoid(std::uint64_t buffer, std::uint64_t accumulator, std::uint64_t length) {
  return transfer(activate_opcode(true, static_cast<unsigned>(ActivationFunction::sigmoid)), buffer, accumulator,
                  length);
}

/// One layer on the array; rows are those of the first pass, column block and tile.
struct Placement {
  std::uint64_t tiles = 0;   ///< of N inputs
  std::uint64_t blocks = 0;  ///< of N outputs
  std::uint64_t weights = 0, input = 0, output = 0;
};

std::vector<Placement> place(std::uint64_t n, const Network& network, std::uint64_t passes) {
  std::vector<Placement> placements;
  std::uint64_t weights = 0, input = 0;
  for (std::size_t layer = 0; layer + 1 < network.layers.size(); ++layer) {
    Placement one{ceil_div(network.layers[layer], n), ceil_div(network.layers[layer + 1], n), weights, input, 0};
    weights += one.tiles * one.blocks * n;
    input += passes * one.tiles * n;
    one.output = input;
    placements.push_back(one);
  }
  return placements;
}

/// Instructions of one column block in one pass, its activate included.
std::uint64_t block_instructions(std::uint64_t n, const Network& network, std::uint64_t tiles) {
  if (network.layout == NetworkLayout::original) return 5;
  if (n >= kStreamingWidth) return tiles > 1 ? 5 : 3;
  return 2 * tiles + (n == 2 ? tiles - 1 : 0) + 1;
}

/// Writes the stream of a network, in the order in which a host pushes it.
class Generator {
 public:
  Generator(std::uint64_t n, const Network& network, const NetworkSize& size)
      : n_(n), passes_(size.passes), placements_(place(n, network, size.passes)) {
    out_.reserve(size.instructions);
  }

  /// Pass after pass through all layers.
  std::vector<Instruction> original() {
    for (std::uint64_t pass = 0; pass < passes_; ++pass) {
      for (const Placement& layer : placements_)
        for (std::uint64_t block = 0; block < layer.blocks; ++block) original_block(layer, pass, block);
      out_.push_back(synchronize());
    }
    return std::move(out_);
  }

  /// Layer after layer with all passes.
  std::vector<Instruction> synchronized() {
    for (const Placement& layer : placements_) {
      for (std::uint64_t pass = 0; pass < passes_; ++pass)
        for (std::uint64_t block = 0; block < layer.blocks; ++block) block_of(layer, pass, block);
      out_.push_back(synchronize());
    }
    return std::move(out_);
  }

 private:
  std::uint64_t weights(const Placement& layer, std::uint64_t block) const {
    return layer.weights + block * layer.tiles * n_;
  }
  std::uint64_t input(const Placement& layer, std::uint64_t pass) const {
    return layer.input + pass * layer.tiles * n_;
  }
  std::uint64_t output(const Placement& layer, std::uint64_t pass, std::uint64_t block) const {
    return layer.output + (pass * layer.blocks + block) * n_;
  }

  void multiply(std::uint64_t weights, std::uint64_t input, std::uint64_t accumulator, std::uint64_t rows,
                bool accumulate) {
    out_.push_back(load(weights, rows));
    out_.push_back(transfer(matrix_multiply_opcode(true, accumulate), input, accumulator, rows));
  }

  void original_block(const Placement& layer, std::uint64_t pass, std::uint64_t block) {
    const std::uint64_t row = weights(layer, block), from = input(layer, pass), rest = (layer.tiles - 1) * n_;
    multiply(row, from, block * n_, n_, false);
    multiply(row + n_, from + n_, block * n_, rest, true);
    out_.push_back(sigmoid(output(layer, pass, block), block * n_, n_));
  }

  void block_of(const Placement& layer, std::uint64_t pass, std::uint64_t block) {
    const std::uint64_t row = weights(layer, block), from = input(layer, pass);
    // Other rows than the activate before still reads, and none beyond the end of the accumulators.
    const std::uint64_t accumulator = blocks_++ % (kAccumulatorRows / n_) * n_;
    multiply(row, from, accumulator, n_, false);
    const std::uint64_t step = n_ < kStreamingWidth ? 1 : layer.tiles - 1;
    for (std::uint64_t tile = 1; tile < layer.tiles; tile += step) {
      // At N = 2 the tile before is 6 cycles ahead, as many as a sum takes: no rows of weights hold this one for 4
      // more.
      if (n_ == 2) out_.push_back(load(0, 0));
      multiply(row + tile * n_, from + tile * n_, accumulator, step * n_, true);
    }
    out_.push_back(sigmoid(output(layer, pass, block), accumulator, n_));
  }

  const std::uint64_t n_;
  const std::uint64_t passes_;
  const std::vector<Placement> placements_;
  std::uint64_t blocks_ = 0;  // so far
  std::vector<Instruction> out_;
};

void refuse_beyond(std::uint64_t number, std::uint64_t most, const std::string& what) {
  if (number > most)
    throw UserError("the network is too large: it needs " + std::to_string(number) + " " + what + ", and " +
                    std::to_string(most) + " are the most there can be");
}

}  // namespace

std::vector<unsigned> parse_layers(const std::string& text) {
  std::vector<unsigned> layers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::string number = text.substr(begin, end - begin);
    if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string::npos)
      throw UserError("'" + text +
                      "' is no network: features and outputs of each layer expected, for example 784x504x10");
    layers.push_back(static_cast<unsigned>(std::stoul(number)));
    begin = end + 1;
  }
  if (layers.size() < 2 || std::count(layers.begin(), layers.end(), 0U) != 0)
    throw UserError("a network needs at least two layers, none empty");
  return layers;
}

NetworkSize network_size(unsigned matrix_width, const Network& network) {
  if (network.layers.size() < 2 || std::count(network.layers.begin(), network.layers.end(), 0U) != 0)
    throw UserError("a network needs at least two layers, none empty");
  const std::uint64_t n = matrix_width;
  NetworkSize size;
  size.vectors = network.batch == 0 ? n : network.batch;
  size.passes = ceil_div(size.vectors, n);
  const std::vector<Placement> placements = place(n, network, size.passes);
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const Placement& layer = placements[i];
    size.weight_rows += layer.tiles * layer.blocks * n;
    size.instructions += size.passes * layer.blocks * block_instructions(n, network, layer.tiles);
    size.useful_macs += size.vectors * network.layers[i] * network.layers[i + 1];
  }
  size.instructions += network.layout == NetworkLayout::original ? size.passes : placements.size();
  size.buffer_rows = placements.back().output + size.passes * placements.back().blocks * n;
  refuse_beyond(size.weight_rows, kMostWeightRows, "rows of the weight buffer");
  refuse_beyond(size.buffer_rows, kMostBufferRows, "rows of the unified buffer");
  refuse_beyond(size.instructions, kMostInstructions, "instructions");
  return size;
}

NetworkProgram network_program(unsigned matrix_width, const Network& network) {
  NetworkProgram program;
  program.size = network_size(matrix_width, network);
  const std::vector<Placement> placements = place(matrix_width, network, program.size.passes);
  const Placement& last = placements.back();
  program.weight_rows = static_cast<unsigned>(program.size.weight_rows);
  program.input_rows = static_cast<unsigned>(program.size.passes * placements.front().tiles * matrix_width);
  program.first_result_row = static_cast<unsigned>(last.output);
  program.result_rows = static_cast<unsigned>(program.size.passes * last.blocks * matrix_width);
  Generator generator(matrix_width, network, program.size);
  program.instructions = network.layout == NetworkLayout::original ? generator.original() : generator.synchronized();
  return program;
}

std::vector<BufferShortage> shortages(const TinyTpuConfig& config, const NetworkSize& size) {
  std::vector<BufferShortage> list;
  if (size.weight_rows > config.weight_depth)
    list.push_back({"weight_depth", "weight buffer", config.weight_depth, size.weight_rows});
  if (size.buffer_rows > config.unified_buffer_depth)
    list.push_back({"unified_buffer_depth", "unified buffer", config.unified_buffer_depth, size.buffer_rows});
  return list;
}

TinyTpuConfig fitted(const TinyTpuConfig& config, const NetworkSize& size) {
  TinyTpuConfig roomy = config;
  roomy.weight_depth = static_cast<unsigned>(std::max<std::uint64_t>(config.weight_depth, size.weight_rows));
  roomy.unified_buffer_depth =
      static_cast<unsigned>(std::max<std::uint64_t>(config.unified_buffer_depth, size.buffer_rows));
  return roomy;
}

NetworkTiming time_network(const TinyTpuConfig& config, const Network& network, const Feed& feed) {
  const NetworkProgram program = network_program(config.matrix_width, network);
  Core core(fitted(config, program.size));
  const std::uint64_t cycles = run_program(core, program.instructions, feed).elapsed();
  return {program.instructions.size(), cycles, cycles * config.clock_period};
}

}  // namespace vp::tinytpu
