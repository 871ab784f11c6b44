#include "platform/workload/stream.h"

#include <algorithm>

#include "models/tinytpu/config.h"

namespace vp::workload {
namespace {

using tinytpu::Instruction;

Instruction read_weights(std::uint64_t row, std::uint64_t rows) {
  Instruction in;
  in.opcode = tinytpu::read_weights_opcode(true);
  in.length = static_cast<std::uint32_t>(rows);
  in.set_weight_address(row);
  return in;
}

Instruction transfer(std::uint8_t opcode, std::uint64_t buffer, std::uint64_t accumulator, std::uint64_t rows) {
  Instruction in;
  in.opcode = opcode;
  in.buffer = static_cast<std::uint32_t>(buffer);
  in.accumulator = static_cast<std::uint16_t>(accumulator);
  in.length = static_cast<std::uint32_t>(rows);
  return in;
}

/// Where the rows of one group and column block are.
struct Place {
  std::uint64_t weights, input, accumulator, output;
};

/// Makes the pieces of a step's stream.
class Pieces {
 public:
  Pieces(const Step& step, unsigned matrix_width) : step_(step), width_(matrix_width) {}

  /// A group of `vectors` vectors against one column block: row tiles, one after the other, and the activate.
  Stream block(std::uint64_t vectors, const Place& place) const {
    Stream stream;
    if (vectors == width_ && width_ >= kStreamingWidth)
      stream.inner = streamed(place);
    else
      stream.inner = tile_by_tile(vectors, place);
    if (!step_.ends) return stream;
    const auto sigmoid = static_cast<unsigned>(tinytpu::ActivationFunction::sigmoid);
    stream.inner.push_back(
        {{transfer(tinytpu::activate_opcode(true, sigmoid), place.output, place.accumulator, vectors)}, {}, 1});
    return stream;
  }

 private:
  Stream multiply(const Place& place, std::uint64_t vectors, std::uint64_t tile, std::uint64_t tiles,
                  bool accumulate) const {
    Stream stream;
    // At N = 2 the tile before is 6 cycles ahead, as many as a sum takes: no rows of weights hold this one for 4 more.
    if (accumulate && width_ == 2) stream.instructions.push_back(read_weights(0, 0));
    stream.instructions.push_back(read_weights(place.weights + tile * width_, tiles * width_));
    stream.instructions.push_back(transfer(tinytpu::matrix_multiply_opcode(true, accumulate),
                                           place.input + tile * vectors, place.accumulator, tiles * vectors));
    return stream;
  }

  std::vector<Stream> streamed(const Place& place) const {
    if (!step_.begins) return {multiply(place, width_, 0, step_.tiles, true)};
    std::vector<Stream> streams = {multiply(place, width_, 0, 1, false)};
    if (step_.tiles > 1) streams.push_back(multiply(place, width_, 1, step_.tiles - 1, true));
    return streams;
  }

  std::vector<Stream> tile_by_tile(std::uint64_t vectors, const Place& place) const {
    std::vector<Stream> streams;
    if (step_.begins) streams.push_back(multiply(place, vectors, 0, 1, false));
    const std::uint64_t first = step_.begins ? 1 : 0;
    if (step_.tiles > first) {
      streams.push_back(multiply(place, vectors, first, 1, true));
      streams.back().repeats = step_.tiles - first;
    }
    return streams;
  }

  const Step& step_;
  const std::uint64_t width_;
};

/// One multiply and its like are repeated with the rows of the next tile.
void write_out(const Stream& stream, std::uint64_t width, std::uint64_t vectors, std::vector<Instruction>& program) {
  for (std::uint64_t i = 0; i < stream.repeats; ++i) {
    for (Instruction in : stream.instructions) {
      if (in.kind() == tinytpu::InstructionKind::read_weights && in.length != 0)
        in.set_weight_address(in.weight_address() + i * width);
      if (in.kind() == tinytpu::InstructionKind::matrix_multiply) in.buffer += static_cast<std::uint32_t>(i * vectors);
      program.push_back(in);
    }
    for (const Stream& inner : stream.inner) write_out(inner, width, vectors, program);
  }
}

}  // namespace

Stream step_stream(const Step& step, unsigned matrix_width) {
  const Pieces pieces(step, matrix_width);
  const Place first{0, 0, 0, step.all_vectors() * step.tiles};
  Stream all;
  if (step.last != 0) {
    all.inner.push_back(pieces.block(step.last, first));
    all.inner.back().repeats = step.blocks;
  }
  if (step.groups != 0) {
    all.inner.push_back(pieces.block(step.vectors, first));
    all.inner.back().repeats = step.groups * step.blocks;
  }
  all.inner.push_back({{transfer(tinytpu::kSynchronizeOpcode, 0, 0, 0)}, {}, 1});
  return all;
}

std::vector<tinytpu::Instruction> step_program(const Step& step, unsigned matrix_width) {
  const Pieces pieces(step, matrix_width);
  std::vector<Instruction> program;
  // The rows of the accumulators take turns, so that a block does not overwrite what the activate before still reads.
  const std::uint64_t slots = tinytpu::kAccumulatorRows / step.vectors;
  std::uint64_t input = 0, output = step.all_vectors() * step.tiles, pair = 0;
  for (std::uint64_t group = step.last == 0; group <= step.groups; ++group) {
    const std::uint64_t vectors = group == 0 ? step.last : step.vectors;
    for (std::uint64_t block = 0; block < step.blocks; ++block, ++pair, output += vectors) {
      const Place place{block * step.tiles * matrix_width, input, pair % slots * step.vectors, output};
      write_out(pieces.block(vectors, place), matrix_width, vectors, program);
    }
    input += vectors * step.tiles;
  }
  program.push_back(transfer(tinytpu::kSynchronizeOpcode, 0, 0, 0));
  return program;
}

}  // namespace vp::workload
