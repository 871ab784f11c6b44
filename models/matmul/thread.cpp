#include "models/matmul/thread.h"

#include <algorithm>

namespace vp::matmul {
namespace {

std::uint32_t page(std::uint8_t field) { return std::uint32_t{field} << 8; }

}  // namespace

Thread::Thread(const CoreConfig& config) : block_words_(config.block_words()), instructions_(config.imem_words, 0) {}

void Thread::reset() {
  std::fill(instructions_.begin(), instructions_.end(), 0);
  state_ = State::disabled;
  pc_ = 0;
  start_latched_ = false;
  out_ = {};
}

bool Thread::sleeps(const ThreadInputs& in) const {
  if (in.start) return false;  // the pulse must be latched
  switch (state_) {
    case State::disabled:
      return !in.enabled;
    case State::idle:
      return in.enabled && !start_latched_;
    case State::fetch:
      return false;
    case State::write_acquire:
      return !in.write_lock;
    case State::write_count:
    case State::write_header:
    case State::write_data:
      return !in.write_ready && !out_.byte_valid;
    case State::write_release:
      return in.write_lock;
    case State::load_acquire:
      return !in.load_lock;
    case State::load_wait:
      return !in.load_finished;
    case State::load_release:
      return in.load_lock;
    case State::comp_acquire:
      return !in.comp_lock;
    case State::comp_wait:
      return !in.comp_finished;
    case State::comp_release:
      return in.comp_lock;
  }
  return false;
}

ThreadEvent Thread::clock(const ThreadInputs& in, const BlockMemory& memory) {
  const bool start = start_latched_ || in.start;
  start_latched_ = start;
  switch (state_) {
    case State::disabled:
      if (in.enabled) state_ = State::idle;
      break;
    case State::idle:
      if (!in.enabled) {
        state_ = State::disabled;
      } else if (start) {
        state_ = State::fetch;
        pc_ = 0;
        start_latched_ = false;
        return ThreadEvent::fetch;
      }
      break;
    case State::fetch:
      return fetch(in);
    case State::write_acquire:
      if (in.write_lock) state_ = State::write_count;
      break;
    case State::write_count:
    case State::write_header:
    case State::write_data:
      send_part(in, memory);
      break;
    case State::write_release:
      return next_instruction(!in.write_lock, start);
    case State::load_acquire:
      if (in.load_lock) state_ = State::load_wait;
      break;
    case State::load_wait:
      if (in.load_finished) {
        state_ = State::load_release;
        out_.load_request = false;
      }
      break;
    case State::load_release:
      return next_instruction(!in.load_lock, start);
    case State::comp_acquire:
      if (in.comp_lock) state_ = State::comp_wait;
      break;
    case State::comp_wait:
      if (in.comp_finished) {
        state_ = State::comp_release;
        out_.comp_request = false;
      }
      break;
    case State::comp_release:
      return next_instruction(!in.comp_lock, start);
  }
  return ThreadEvent::none;
}

ThreadEvent Thread::fetch(const ThreadInputs& in) {
  if (!in.enabled) {
    state_ = State::disabled;
    return ThreadEvent::disabled;
  }
  const Instruction instruction = decode(word());
  if (instruction.opcode == Opcode::term) {
    state_ = State::idle;
    return ThreadEvent::idle;
  }
  begin(instruction);
  return ThreadEvent::none;
}

void Thread::begin(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::term:
      break;
    case Opcode::write:
      state_ = State::write_acquire;
      out_.write_request = true;
      header_ = instruction.header;
      write_address_ = page(instruction.a);
      sent_ = 0;
      break;
    case Opcode::load:
      state_ = State::load_acquire;
      out_.load_request = true;
      out_.b = page(instruction.a);
      break;
    case Opcode::comp:
      state_ = State::comp_acquire;
      out_.comp_request = true;
      out_.a = page(instruction.a);
      out_.d = page(instruction.d);
      out_.c = page(instruction.c);
      break;
  }
}

ThreadEvent Thread::next_instruction(bool released, bool start) {
  if (!released) return ThreadEvent::none;
  state_ = State::fetch;
  pc_ = start ? 0 : pc_ + 4;  // a start that came meanwhile restarts the program
  start_latched_ = false;
  return ThreadEvent::fetch;
}

// A message goes out in three parts: count, header, data. Each takes one clock a byte and one more to turn to the next
// part, and pauses while the FIFO shows itself full. The byte offered just before that pause is the one that gets lost.
void Thread::send_part(const ThreadInputs& in, const BlockMemory& memory) {
  out_.byte_valid = in.write_ready && sent_ < part_length();
  if (!in.write_ready) return;
  if (out_.byte_valid) {
    out_.byte = part_byte(memory);
    ++sent_;
  } else {
    end_part();
  }
}

unsigned Thread::part_length() const {
  if (state_ == State::write_count) return 4;
  return state_ == State::write_header ? 1 : 4 * block_words_;
}

std::uint8_t Thread::part_byte(const BlockMemory& memory) const {
  if (state_ == State::write_header) return header_;
  const std::uint32_t word =
      state_ == State::write_count ? 1 + 4 * block_words_ : memory.read(write_address_ + sent_ / 4);
  return static_cast<std::uint8_t>(word >> (8 * (sent_ % 4)));
}

void Thread::end_part() {
  sent_ = 0;
  if (state_ == State::write_count) {
    state_ = State::write_header;
  } else if (state_ == State::write_header) {
    state_ = State::write_data;
  } else {
    state_ = State::write_release;
    out_.write_request = false;
  }
}

}  // namespace vp::matmul
