#include "models/tinytpu/instruction_check.h"

#include <algorithm>

namespace vp::tinytpu {
namespace {

struct Rows {
  Memory memory;
  unsigned depth;
  std::uint64_t first, length;
};

void check_rows(const Issue& issue, const Rows& rows, HazardReport& report) {
  Hazard hazard{HazardKind::longer_than_buffer, issue.number};
  hazard.first_edge = hazard.last_edge = issue.edge;
  hazard.memory = rows.memory;
  hazard.depth = rows.depth;
  if (rows.length > rows.depth) {
    hazard.rows = rows.length - rows.depth;
    report.add(hazard);
  }
  // A longer one wraps by its length; what it is asked is whether it begins inside.
  const std::uint64_t end = rows.first + std::min<std::uint64_t>(rows.length, rows.depth);
  const std::uint64_t first_beyond = std::max<std::uint64_t>(rows.first, rows.depth);
  if (end <= rows.depth || (rows.length > rows.depth && rows.first < rows.depth)) return;
  hazard.kind = HazardKind::address_wrapped;
  hazard.first_row = static_cast<unsigned>(first_beyond % rows.depth);
  hazard.rows = end - first_beyond;
  report.add(hazard);
}

bool is_implemented(unsigned activation_code) {
  return activation_code == static_cast<unsigned>(ActivationFunction::none) ||
         activation_code == static_cast<unsigned>(ActivationFunction::relu) ||
         activation_code == static_cast<unsigned>(ActivationFunction::sigmoid);
}

/// An opcode of zero says that nothing is wanted; so does a read_weights of no rows from row 0, with which programs
/// hold the next one back for four cycles.
bool has_effect(const Instruction& in) {
  switch (in.kind()) {
    case InstructionKind::nothing:
      return in.opcode == 0;
    case InstructionKind::synchronize:
      return true;
    case InstructionKind::activate:
      return in.length > 0 && is_implemented(in.activation_code());
    case InstructionKind::read_weights:
      return in.length > 0 || in.weight_address() == 0;
    case InstructionKind::matrix_multiply:
      return in.length > 0;
  }
  return true;
}

}  // namespace

void check_instruction(const Issue& issue, const TinyTpuConfig& config, HazardReport& report) {
  const Instruction& in = issue.instruction;
  if (!has_effect(in)) report.add({HazardKind::no_effect, issue.number, kNoInstruction, 0, 1, issue.edge, issue.edge});
  if (in.length == 0) return;
  const Rows buffer{Memory::unified_buffer, config.unified_buffer_depth, in.buffer, in.length};
  switch (in.kind()) {
    case InstructionKind::read_weights:
      return check_rows(issue, {Memory::weight_buffer, config.weight_depth, in.weight_address(), in.length}, report);
    case InstructionKind::matrix_multiply: {
      const std::uint64_t sums = std::min<std::uint64_t>(in.length, config.matrix_width);
      check_rows(issue, buffer, report);
      return check_rows(issue, {Memory::accumulators, kAccumulatorRows, in.accumulator, sums}, report);
    }
    case InstructionKind::activate:
      check_rows(issue, buffer, report);
      return check_rows(issue, {Memory::accumulators, kAccumulatorRows, in.accumulator, in.length}, report);
    case InstructionKind::synchronize:
    case InstructionKind::nothing:
      break;
  }
}

}  // namespace vp::tinytpu
