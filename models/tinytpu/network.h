#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/clock.h"
#include "models/tinytpu/config.h"
#include "models/tinytpu/isa.h"
#include "models/tinytpu/program.h"

namespace vp::tinytpu {

/// What the instruction stream of a network looks like.
enum class NetworkLayout : std::uint8_t {
  synchronized,  ///< a synchronize behind every layer, and no instruction that this width sums up wrongly: no hazards
  original,  ///< as the original project's scripts write it: five instructions a column block, one synchronize a pass
};

/// A fully connected network, every layer weight matrix × inputs with a signed sigmoid.
struct Network {
  std::vector<unsigned> layers;  ///< features of the input, outputs of each layer: {784, 504, 10}
  NetworkLayout layout = NetworkLayout::synchronized;
  std::uint64_t batch = 0;  ///< input vectors; 0: as many as the array is wide, one full pass
};

/// "784x504x10" to its numbers; throws UserError.
std::vector<unsigned> parse_layers(const std::string& text);

/// What a network takes on an array of N × N. The array works on N vectors at a time, a pass; the last pass may be
/// filled in part and takes as long as a full one.
struct NetworkSize {
  std::uint64_t vectors = 0;
  std::uint64_t passes = 0;
  std::uint64_t weight_rows = 0;  ///< weight-buffer rows 0 ..
  std::uint64_t buffer_rows = 0;  ///< unified-buffer rows 0 ..: inputs and outputs of every layer of every pass
  std::uint64_t instructions = 0;
  std::uint64_t useful_macs = 0;  ///< multiply-accumulates of the vectors asked for, without padding
};

/// Throws UserError unless there are at least two numbers, none zero, and for networks that no tinyTPU has the buffers
/// for, or whose program is longer than 16,777,216 instructions.
NetworkSize network_size(unsigned matrix_width, const Network& network);

/// The instructions of a network with its rows: weights column block by column block, inside a block row tile by row
/// tile, a row the weights of one input feature to N outputs; features are padded with zeros to whole tiles.
struct NetworkProgram {
  std::vector<Instruction> instructions;
  NetworkSize size;
  unsigned input_rows = 0;   ///< unified-buffer rows 0 ..: (pass × tiles + tile) × N + vector, N features of a tile
  unsigned weight_rows = 0;  ///< weight-buffer rows 0 ..
  unsigned first_result_row = 0;  ///< of the last layer: first + (pass × blocks + block) × N + vector
  unsigned result_rows = 0;
};

/// Throws UserError as network_size().
NetworkProgram network_program(unsigned matrix_width, const Network& network);

/// A buffer that is too small for a network.
struct BufferShortage {
  const char* parameter;  ///< of TinyTpuConfig: "weight_depth"
  const char* buffer;     ///< "weight buffer"
  std::uint64_t has;      ///< rows
  std::uint64_t needs;    ///< rows
};
/// In the order of the parameters; empty: the network fits.
std::vector<BufferShortage> shortages(const TinyTpuConfig& config, const NetworkSize& size);
/// The same device with what is too small enlarged to exactly what the network needs.
TinyTpuConfig fitted(const TinyTpuConfig& config, const NetworkSize& size);

/// How long a device of a given width takes for a network: what the original project's README tabulates.
struct NetworkTiming {
  std::size_t instructions = 0;
  std::uint64_t cycles = 0;  ///< from the first fetch to the last synchronize
  Picoseconds duration = 0;  ///< cycles × clock period
};

/// Runs the network's program with zero weights and inputs on a device with room for it. The other settings (FIFO,
/// clock) are those of `config`; its matrix width, too. Throws UserError as network_program().
NetworkTiming time_network(const TinyTpuConfig& config, const Network& network, const Feed& feed);

}  // namespace vp::tinytpu
