#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/tinytpu/config.h"
#include "models/tinytpu/core.h"
#include "models/tinytpu/isa.h"

namespace vp::tinytpu {

/// A fully connected network as the original project's scripts lay it out (spec section 7): N vectors at once, every
/// layer weight matrix × inputs with a sigmoid, all numbers signed.
struct NetworkProgram {
  std::vector<Instruction> instructions;
  unsigned input_rows = 0;        ///< unified-buffer rows 0 ..: row tile × N + vector, N features of one tile each
  unsigned weight_rows = 0;       ///< weight-buffer rows 0 ..
  unsigned first_result_row = 0;  ///< of the last layer: row first + block × N + vector
  unsigned result_rows = 0;
};

/// `layers`: features of the input, outputs of each layer, for example {784, 504, 10}; at least two numbers, none zero.
/// Throws UserError for other lists and for networks whose addresses do not fit the instruction fields.
NetworkProgram network_program(unsigned matrix_width, const std::vector<unsigned>& layers);

/// "784x504x10" to its numbers; throws UserError.
std::vector<unsigned> parse_layers(const std::string& text);

/// How a host feeds instructions: the next push comes at the later of the previous push + `gap` edges and the first
/// edge at which the FIFO is not full. 12 is the fastest AXI master, 1 is faster than any.
struct Feed {
  Edge gap = 12;
};

/// What a program run directly on the core left behind. Edges count from the first push (edge 0).
struct ProgramRun {
  std::vector<Edge> pushes;
  std::vector<Edge> synchronizes;
  std::vector<std::uint32_t> runtimes;  ///< runtime counter at each of them
  Edge last_edge = 0;
  bool stuck = false;  ///< a limit ended the run
};

/// Feeds `program` to a core that has seen nothing yet, and runs until nothing moves any more or edge `limit` is
/// reached. Buffers are loaded into the core before and read from it after. `stop`, if given, is asked now and then and
/// ends the run.
ProgramRun run_program(Core& core, const std::vector<Instruction>& program, const Feed& feed, Edge limit = kNoEdge,
                       const std::function<bool()>& stop = {});

/// How long a device of a given width takes for a network: what the original project's README tabulates.
struct NetworkTiming {
  std::size_t instructions = 0;
  std::uint32_t cycles = 0;  ///< runtime counter at the synchronize
  Picoseconds duration = 0;  ///< cycles × clock period
};

/// Runs the network's program with zero weights and inputs on a device with room for it. The other settings (FIFO,
/// clock) are those of `config`; its matrix width, too. Throws UserError as network_program().
NetworkTiming time_network(const TinyTpuConfig& config, const std::vector<unsigned>& layers, const Feed& feed);

/// Buffer contents from text: "row: hex" a line (2 × N digits, element 0 first), comments from '#'; a line without row
/// follows the one before. Throws UserError "source:line: what".
struct BufferRow {
  unsigned row;
  std::vector<std::uint8_t> bytes;
};
std::vector<BufferRow> parse_buffer(const std::string& text, const std::string& source, unsigned matrix_width,
                                    unsigned depth);
/// The same from a binary file: N bytes a row from row 0 on, the last one filled up with zeros.
std::vector<BufferRow> split_buffer(const std::string& bytes, const std::string& source, unsigned matrix_width,
                                    unsigned depth);
/// One line of parse_buffer's text.
std::string format_buffer_row(unsigned row, const std::vector<std::uint8_t>& bytes);

}  // namespace vp::tinytpu
