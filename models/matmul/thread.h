#pragma once

#include <cstdint>
#include <vector>

#include "models/matmul/block_memory.h"
#include "models/matmul/core_config.h"
#include "models/matmul/isa.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// What a thread sees of the other units in the clock before an edge.
struct ThreadInputs {
  bool enabled = false;
  bool start = false;  ///< pulse of one clock
  bool write_lock = false;
  bool write_ready = true;  ///< the transmit FIFO takes bytes
  bool load_lock = false;
  bool load_finished = false;
  bool comp_lock = false;
  bool comp_finished = false;
};

/// What a thread shows to the lock owners; registered, so it changes one clock after the cause.
struct ThreadOutputs {
  bool load_request = false;
  bool comp_request = false;
  bool write_request = false;
  bool byte_valid = false;  ///< `byte` is offered to the transmit FIFO
  std::uint8_t byte = 0;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;  ///< word addresses of the operands
  void persist(Archive& archive);
};

/// What became visible at an edge, for recording.
enum class ThreadEvent {
  none,
  fetch,     ///< the fetch state is entered
  idle,      ///< the idle state is entered after TERM
  disabled,  ///< the disabled state is entered at a fetch
};

/// One hardware thread: life cycle, fetch, and the sequencing of its instructions (README, timing).
class Thread {
 public:
  explicit Thread(const CoreConfig& config);

  void reset();
  /// One clock edge.
  ThreadEvent clock(const ThreadInputs& in, const BlockMemory& memory);
  /// The edge would change nothing.
  bool sleeps(const ThreadInputs& in) const;

  const ThreadOutputs& outputs() const { return out_; }
  /// Idle or disabled: no instruction in work.
  bool at_rest() const { return state_ == State::disabled || state_ == State::idle; }
  /// The next edge fetches.
  bool fetching() const { return state_ == State::fetch; }
  /// Waits for the completion of its LOAD.
  bool loading() const { return state_ == State::load_acquire || state_ == State::load_wait; }
  /// Byte-style address of the present instruction.
  std::uint32_t pc() const { return pc_; }
  /// The word at the present pc.
  std::uint32_t word() const { return instructions_[index(pc_)]; }
  /// Store of a word by the host; bits 1:0 and those above the memory's size are ignored.
  void store(std::uint32_t address, std::uint32_t word) { instructions_[index(address)] = word; }
  std::uint32_t stored(std::uint32_t address) const { return instructions_[index(address)]; }
  void persist(Archive& archive);

 private:
  enum class State {
    disabled,
    idle,
    fetch,
    write_acquire,
    write_count,
    write_header,
    write_data,
    write_release,
    load_acquire,
    load_wait,
    load_release,
    comp_acquire,
    comp_wait,
    comp_release,
  };

  std::size_t index(std::uint32_t address) const { return (address >> 2) & (instructions_.size() - 1); }
  ThreadEvent fetch(const ThreadInputs& in);
  void begin(const Instruction& instruction);
  ThreadEvent next_instruction(bool released, bool start);
  void send_part(const ThreadInputs& in, const BlockMemory& memory);
  unsigned part_length() const;
  std::uint8_t part_byte(const BlockMemory& memory) const;
  void end_part();

  const unsigned block_words_;
  std::vector<std::uint32_t> instructions_;
  State state_ = State::disabled;
  std::uint32_t pc_ = 0;
  bool start_latched_ = false;
  ThreadOutputs out_;
  std::uint8_t header_ = 0;
  std::uint32_t write_address_ = 0;
  unsigned sent_ = 0;  // bytes of the present part of a message
};

}  // namespace vp::matmul
