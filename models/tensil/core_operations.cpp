// What the instructions do to memories, array and registers.
#include <algorithm>

#include "models/tensil/core.h"

namespace vp::tensil {

void Core::unwritten(const char* memory, std::uint64_t row) {
  constexpr FindingKind kKind = FindingKind::unwritten_read;
  findings_.add(kKind, program_counter_,
                findings_.keeps(kKind) ? std::string(memory) + ", vector " + std::to_string(row) : "");
}

const std::int32_t* Core::read_local(std::uint64_t row) {
  if (row >= local_space_.depth) return zeros_.data();
  const auto index = static_cast<unsigned>(row);
  if (!local_.written(index)) unwritten("local memory", row);
  if (order_ && !order_->read(order_->local_row(index))) unordered_ = true;
  return local_.row(index);
}

const std::int32_t* Core::read_accumulator(std::uint64_t row) {
  newest_access_ = {row, false};
  if (row >= accumulator_space_.depth) return zeros_.data();
  const auto index = static_cast<unsigned>(row);
  if (!accumulators_.written(index)) unwritten("accumulators", row);
  if (order_ && !order_->read(order_->accumulator_row(index))) unordered_ = true;
  return accumulators_.row(index);
}

std::int32_t* Core::local_or_nowhere(std::uint64_t row) {
  return row < local_space_.depth ? local_.write(static_cast<unsigned>(row)) : nowhere_.data();
}

std::int32_t* Core::write_local(std::uint64_t row) {
  if (order_ && row < local_space_.depth && !order_->write(order_->local_row(static_cast<unsigned>(row))))
    unordered_ = true;
  return local_or_nowhere(row);
}

void Core::put_accumulator(std::uint64_t row, const std::int32_t* vector, bool accumulate) {
  if (accumulate && newest_access_.accumulated && newest_access_.row == row)
    findings_.add(FindingKind::lost_accumulation, program_counter_, "accumulator " + std::to_string(row));
  newest_access_ = {row, accumulate};
  if (row >= accumulator_space_.depth) return;
  const auto index = static_cast<unsigned>(row);
  if (accumulate && !accumulators_.written(index)) unwritten("accumulators", row);
  if (order_ && !order_->write(order_->accumulator_row(index))) unordered_ = true;
  std::int32_t* to = accumulators_.write(index);
  const unsigned lanes = architecture_.array_size;
  if (!accumulate) {
    std::copy_n(vector, lanes, to);
    return;
  }
  add_all(format_, to, vector, lanes);
}

void Core::mat_mul(const Instruction& in) {
  const Rows from = local_rows(in), to = other_rows(in, accumulator_space_);
  const bool zeroes = in.has(kMatMulZeroes), accumulate = in.has(kMatMulAccumulate);
  const unsigned lanes = architecture_.array_size, stride = array_.row_scalars();
  if (order_ && !order_->read(order_->array())) unordered_ = true;
  if (!zeroes) {
    figures_.multiply_accumulates += in.count() * lanes * lanes;
    figures_.useful_multiply_accumulates += in.count() * array_.useful_steps();
  } else {
    std::fill(inputs_.begin(), inputs_.end(), 0);
  }
  const std::uint64_t most = inputs_.size() / lanes;
  for (std::uint64_t done = 0; done < in.count();) {
    const auto block = static_cast<unsigned>(std::min(most, in.count() - done));
    if (!zeroes)
      for (unsigned v = 0; v < block; ++v)
        std::copy_n(read_local(from.at(done + v)), lanes, &inputs_[std::size_t{v} * lanes]);
    array_.multiply(inputs_.data(), block, results_.data());
    for (unsigned v = 0; v < block; ++v)
      put_accumulator(to.at(done + v), &results_[std::size_t{v} * stride], accumulate);
    done += block;
  }
}

/// The vector at the highest address enters first, so that the lowest ends as the bias.
void Core::load_weight(const Instruction& in) {
  const Rows from = local_rows(in);
  if (order_ && !order_->write(order_->array())) unordered_ = true;
  newest_access_ = {};  // the array has drained, so that no accumulation is under way any more
  for (std::uint64_t v = in.count(); v-- > 0;)
    array_.load(in.has(kLoadWeightZeroes) ? nullptr : read_local(from.at(v)));
}

void Core::move_accumulators(const Instruction& in) {
  const Rows local = local_rows(in), accumulators = other_rows(in, accumulator_space_);
  const bool accumulate = in.flow() == DataFlow::local_to_accumulator_accumulating;
  for (std::uint64_t v = 0; v < in.count(); ++v) {
    if (in.flow() == DataFlow::accumulator_to_local) {
      const std::int32_t* from = read_accumulator(accumulators.at(v));
      std::copy_n(from, architecture_.array_size, write_local(local.at(v)));
    } else {
      put_accumulator(accumulators.at(v), read_local(local.at(v)), accumulate);
    }
  }
}

DramMove Core::begin_move(const Instruction& in, Activity activity) {
  DramMove move;
  move.instruction = in;
  move.program_counter = program_counter_;
  move.activity = activity;
  move.port = activity == Activity::dram0_read || activity == Activity::dram0_write ? 0 : 1;
  move.reads = activity == Activity::dram0_read || activity == Activity::dram1_read;
  move.count = in.count();
  move.vector_bytes = architecture_.vector_bytes();
  const Rows local = local_rows(in), dram = other_rows(in, dram_spaces_[move.port]);
  move.first = dram.base;
  move.step = dram.step;
  move.mask = dram.space->mask;
  move.offset = config(move.port == 0 ? ConfigRegister::dram0_offset : ConfigRegister::dram1_offset) << 16;
  move.wraps = !dram.within(in.count());
  const Timing::Started started = timing_.start(in, activity);
  move.cycle = started.cycle();
  move.begin = started.begin;
  move.asked = started.asked;
  move.bytes = std::move(bytes_);
  move.bytes.resize(move.count * move.vector_bytes);
  (move.reads ? figures_.dram_bytes_read : figures_.dram_bytes_written)[move.port] += move.bytes.size();
  for (std::uint64_t v = 0; order_ && move.reads && v < move.count; ++v)
    if (local.at(v) < local_space_.depth && !order_->write(order_->local_row(static_cast<unsigned>(local.at(v)))))
      unordered_ = true;
  if (!move.reads)
    for (std::uint64_t v = 0; v < move.count; ++v)
      write_scalars(format_, read_local(local.at(v)), &move.bytes[v * move.vector_bytes], architecture_.array_size);
  return move;
}

void Core::finish(const DramMove& move, std::uint64_t cycles) {
  const Rows local = local_rows(move.instruction);
  if (move.reads)
    for (std::uint64_t v = 0; v < move.count; ++v)
      read_scalars(format_, &move.bytes[v * move.vector_bytes], local_or_nowhere(local.at(v)),
                   architecture_.array_size);
  timing_.finish(move.instruction, move.activity, {move.begin, move.asked}, move.count, cycles, move.count * beats_);
  tell_observers(move.instruction, move.program_counter, move.pushed);
  if (decoder_observer_ && timing_.sampling())
    decoder_observer_->left(move.instruction, move.program_counter, timing_.decoded(), move.program_counter + 1);
}

/// The whole transfer at once, by a port that tells how long it takes.
void Core::transfer(DramMove& move) {
  DramPort& port = *ports_[move.port];
  std::uint64_t cycles = 0;
  // A transfer that wraps at the end of its memory is one for each vector.
  const std::uint64_t part = move.wraps ? 1 : move.count;
  for (std::uint64_t done = 0; done < move.count; done += part) {
    const Transfer one{move.address(done), part, move.vector_bytes, move.step * move.vector_bytes};
    std::uint8_t* const bytes = &move.bytes[done * move.vector_bytes];
    cycles += move.reads ? port.read(one, bytes, move.cycle + cycles) : port.write(one, bytes, move.cycle + cycles);
  }
  finish(move, cycles);
  bytes_ = std::move(move.bytes);
}

void Core::simd(const Instruction& in) {
  if (static_cast<SimdOperation>(in.simd_operation) == SimdOperation::no_op) return;
  const bool registers = in.left || in.right || in.destination;
  if (order_ && registers && !order_->write(order_->registers())) unordered_ = true;
  const std::int32_t* input = in.has(kSimdRead) ? read_accumulator(in.address1 & accumulator_space_.mask) : nullptr;
  simd_.execute(in, input, results_.data());
  if (in.has(kSimdWrite))
    put_accumulator(in.address0 & accumulator_space_.mask, results_.data(), in.has(kSimdAccumulate));
}

void Core::load_lut(const Instruction& in) {
  const Rows from = local_rows(in);
  const unsigned lanes = architecture_.array_size;
  if (order_ && !order_->write(order_->registers())) unordered_ = true;
  for (std::uint64_t v = 0; v < vectors_of(in); ++v) {
    const std::int32_t* vector = read_local(from.at(v));
    for (unsigned i = 0; i < lanes && v * lanes + i < architecture_.lut_depth; ++i)
      simd_.set_table(in.address1, static_cast<unsigned>(v * lanes + i), vector[i]);
  }
}

void Core::configure(const Instruction& in) {
  switch (static_cast<ConfigRegister>(in.config_register)) {
    case ConfigRegister::program_counter:
      program_counter_ = in.config_value;
      break;
    case ConfigRegister::sample_interval:
    case ConfigRegister::timeout:
      config_[in.config_register] = in.config_value & 0xFFFF;
      break;
    case ConfigRegister::dram0_offset:
    case ConfigRegister::dram1_offset:
      config_[in.config_register] = in.config_value & 0xFFFF;  // the offset is this many 64 KiB, modulo 2^32
      break;
    case ConfigRegister::dram0_cache:
    case ConfigRegister::dram1_cache:
      config_[in.config_register] = in.config_value & 0xF;
      break;
    case ConfigRegister::tracepoint:
      config_[in.config_register] = in.config_value;
      break;
  }
}

}  // namespace vp::tensil
