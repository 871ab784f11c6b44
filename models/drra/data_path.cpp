// One cycle of a cell's data path: registers and DPU drive their outputs, the switch box brings them to the inputs,
// registers and DPU take them.
#include <algorithm>
#include <utility>

#include "models/drra/core.h"

namespace vp::drra {
namespace {

constexpr unsigned kWindow = 2;    // columns that the interconnect reaches to either side
constexpr unsigned kConstant = 7;  // hb_index of the constant 0, the state after reset

Row permuted(const Row& row, unsigned mode, unsigned distance) {
  enum Mode { left, right, left_same, right_same, rotate_left, rotate_right };
  const int last = kBlockWords - 1;
  const bool to_left = mode == left || mode == left_same || mode == rotate_left;
  Row result{};
  for (int i = 0; i <= last; ++i) {
    const int from = to_left ? i + static_cast<int>(distance) : i - static_cast<int>(distance);
    if (mode == rotate_left || mode == rotate_right) {
      result[static_cast<unsigned>(i)] = row[static_cast<unsigned>(from) % kBlockWords];
    } else if (from >= 0 && from <= last) {
      result[static_cast<unsigned>(i)] = row[static_cast<unsigned>(from)];
    } else if (mode == left_same || mode == right_same) {
      result[static_cast<unsigned>(i)] = row[static_cast<unsigned>(from < 0 ? 0 : last)];
    }
  }
  return result;
}

}  // namespace

void Core::drive(unsigned output, BusWord word) {
  if (outputs_[output] == word) return;
  outputs_[output] = word;
  for (unsigned i = 0; i < kMasks; ++i) awake_[i] |= listeners_[output][i];
}

void Core::drive_outputs(Cell& cell, Cycle cycle) {
  if (cell.late_until >= cycle) apply_late(cell, cycle);
  const unsigned first = cell.index * kOutputs;
  drive(first, cell.registers.read_word(r0, cycle));
  drive(first + 1, cell.registers.read_word(r1, cycle));
  const bool valid = cell.dpu.output_valid();
  drive(first + 2, bus_word(cell.dpu.output(0), valid));
  drive(first + 3, bus_word(cell.dpu.output(1), valid));
  if (cell.registers.due(block_read, cycle))
    dimarch_.port(cell.index).take(cycle, cell.registers.block(cell.registers.take(block_read)));
}

// Returns whether the data path would do the same again: nothing was read, and the DPU has settled.
bool Core::clock_cell(Cell& cell, Cycle cycle) {
  Dpu::Inputs in;
  BusWord any = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    const BusWord word = outputs_[cell.sources[kDpuInput + i]];
    in[i] = value_of(word);
    any |= word;
  }
  const bool valid = (any & kValidBit) != 0;
  if (valid && cell.dpu.mode() != DpuMode::idle) {
    ++cell.counters.dpu_busy;
    work_ |= computed;
    if (work_observer_ != nullptr) work_observer_->on_dpu(cell.index, cycle);
    if ((kDpuInputs & ~cell.routed & ~cell.reported) != 0) check_operands(cell, cycle);
  }
  const bool busy = cell.dpu.clock(in, valid, cell.clear_accumulators);
  if (cell.dpu.take_bad_shift() && valid) report(FindingKind::bad_shift, cycle, cell, cell.dpu_pc);
  cell.clear_accumulators = false;
  if (cell.registers.next() <= cycle) {
    work_ |= moved;
    write_words(cell, cycle);
    if (cell.registers.due(block_write, cycle)) write_block(cell, cycle);
    cell.registers.settle();
  }
  if (cell.permutation != nullptr) permute(cell, cycle);
  const unsigned first = cell.index * kOutputs;
  const bool reads = ((outputs_[first] | outputs_[first + 1]) & kValidBit) != 0;
  if (reads) work_ |= moved;
  return !busy && !reads;
}

// w0 wins over w1; a block that is written in the same cycle wins over both.
void Core::write_words(Cell& cell, Cycle cycle) {
  RegisterFile& registers = cell.registers;
  int written = -1;  // by w0
  for (const Port port : {w0, w1}) {
    if (!registers.due(port, cycle)) continue;
    const unsigned bit = 1u << port;
    if ((cell.routed & bit) == 0 && (cell.reported & bit) == 0) {
      cell.reported |= bit;
      report(FindingKind::unrouted_input, cycle, cell, registers.pc(port));
    }
    const unsigned address = registers.take(port);
    if (static_cast<int>(address) == written) continue;
    written = static_cast<int>(address);
    const std::int16_t value = value_of(outputs_[cell.sources[port]]);
    registers.write(address, value);
    note_register_write(cell, cycle, address, value);
  }
}

void Core::write_block(Cell& cell, Cycle cycle) {
  const CellPort::Slot& slot = dimarch_.port(cell.index).arriving(cycle);
  write_row(cell, cycle, cell.registers.take(block_write), slot.row, slot.mask);
}

void Core::permute(Cell& cell, Cycle cycle) {
  const Instruction& instruction = *std::exchange(cell.permutation, nullptr);
  const unsigned block = instruction[perm::block];
  write_row(cell, cycle, block,
            permuted(cell.registers.block(block), instruction[perm::mode], instruction[perm::distance]), 0);
}

void Core::write_row(Cell& cell, Cycle cycle, unsigned block, const Row& row, std::uint16_t mask) {
  for (unsigned j = 0; j < kBlockWords; ++j) {
    if ((mask >> j & 1) != 0) continue;
    cell.registers.write(block * kBlockWords + j, row[j]);
    note_register_write(cell, cycle, block * kBlockWords + j, row[j]);
  }
}

void Core::note_register_write(const Cell& cell, Cycle cycle, unsigned address, std::int16_t value) {
  last_activity_ = cycle;
  if (observer_ != nullptr) observer_->on_register_write(cycle, cell.index, address, value);
}

// A unit of the DPU that has a route to one of its operands and none to another.
void Core::check_operands(Cell& cell, Cycle cycle) {
  const DpuOperands units = operands_of(cell.dpu.mode());
  for (const unsigned unit : {units.first << kDpuInput, units.second << kDpuInput}) {
    const unsigned missing = unit & ~cell.routed;
    if (missing == 0 || missing == unit || (missing & ~cell.reported) == 0) continue;
    cell.reported |= missing;
    report(FindingKind::unrouted_input, cycle, cell, cell.dpu_pc);
  }
}

// What was decoded in the two cycles before this one.
void Core::apply_late(Cell& cell, Cycle cycle) {
  const LateConfiguration& former = cell.late[cycle & 1];  // decoded two cycles ago
  if (former.decoded + 2 == cycle) {
    const Instruction& instruction = former.instruction;
    if (instruction.operation == Operation::swb) set_route(cell, instruction);
    if (instruction.operation == Operation::bw) cell.dpu.set_width(static_cast<BitWidth>(instruction[bw::config]));
    if (instruction.operation == Operation::dpu) {
      cell.dpu.set_mode(static_cast<DpuMode>(instruction[dpu::mode]),
                        static_cast<std::uint8_t>(instruction[dpu::control]));
      cell.reported &= ~kDpuInputs;
    }
  }
  const LateConfiguration& latter = cell.late[(cycle - 1) & 1];
  if (latter.decoded + 1 != cycle) return;
  const Instruction& instruction = latter.instruction;
  if (instruction.operation == Operation::perm) cell.permutation = &instruction;
  if (instruction.operation == Operation::dpu) {
    cell.dpu.set_modifiers(static_cast<std::uint8_t>(instruction[dpu::acc_clear]),
                           static_cast<std::uint8_t>(instruction[dpu::io_change]));
    cell.clear_accumulators = true;
  }
}

void Core::listen(unsigned output, unsigned cell, bool on) {
  std::uint64_t& word = listeners_[output][cell / kCellsAWord];
  const std::uint64_t bit = std::uint64_t{1} << cell % kCellsAWord;
  word = on ? word | bit : word & ~bit;
}

void Core::set_route(Cell& cell, const Instruction& swb) {
  const unsigned input = swb[swb::v_index], index = swb[swb::hb_index];
  if (swb[swb::unused0] == 0 || input >= kInputs) return;
  const int column = static_cast<int>(cell.column + index) - static_cast<int>(kWindow);
  const unsigned row = swb[swb::send_to_other_row] != 0 ? 1 - cell.row : cell.row;
  const bool in_fabric = column >= 0 && column < static_cast<int>(config_.columns) && index <= 2 * kWindow;
  const unsigned none = cells() * kOutputs;
  const unsigned source = in_fabric ? (row * config_.columns + static_cast<unsigned>(column)) * kOutputs +
                                          swb[swb::src_block] * 2 + swb[swb::src_port]
                                    : none;
  const unsigned former = cell.sources[input];
  cell.sources[input] = static_cast<std::uint16_t>(source);
  const bool routed = in_fabric || index == kConstant;
  cell.routed = routed ? cell.routed | 1u << input : cell.routed & ~(1u << input);
  cell.reported = 0;
  if (std::find(cell.sources.begin() + kDpuInput, cell.sources.end(), former) == cell.sources.end())
    listen(former, cell.index, false);
  if (input >= kDpuInput) listen(source, cell.index, true);
}

}  // namespace vp::drra
