#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/tinytpu/config.h"
#include "models/tinytpu/core.h"
#include "models/tinytpu/isa.h"

namespace vp::tinytpu {

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

  /// Cycles from the first fetch to the last synchronize; 0 without one. With a single synchronize it is what the
  /// runtime counter shows, which starts anew at the fetch behind each.
  std::uint64_t elapsed() const { return synchronizes.empty() ? 0 : synchronizes.back() - (pushes.front() + 1); }
};

/// Feeds `program` to a core that has seen nothing yet, and runs until nothing moves any more or edge `limit` is
/// reached. Buffers are loaded into the core before and read from it after. `stop`, if given, is asked now and then and
/// ends the run.
ProgramRun run_program(Core& core, const std::vector<Instruction>& program, const Feed& feed, Edge limit = kNoEdge,
                       const std::function<bool()>& stop = {});

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
