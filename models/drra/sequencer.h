#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/drra/address_stream.h"
#include "models/drra/isa.h"
#include "models/drra/loop_managers.h"
#include "models/drra/raccu.h"

namespace vp::drra {

/// What a sequencer does.
enum class SequencerState : std::uint8_t { idle, running, halted, ended };

/// Instruction memory, program counter, loop managers and RACCU of a cell. One instruction a cycle, WAIT apart; a taken
/// jump costs nothing.
class Sequencer {
 public:
  /// Fills the instruction memory from address 0; what is behind reads as 0, HALT. At most kInstructionWords.
  void load(const std::vector<std::uint32_t>& words, DecoderProfile profile);
  /// First instruction in cycle `cycle`, at address 0. Nothing without a program.
  void start(Cycle cycle);

  /// The cycle of the next instruction; kNever if there is none.
  Cycle next() const { return next_; }
  unsigned pc() const { return pc_; }
  SequencerState state() const { return state_; }
  unsigned length() const { return length_; }
  const Instruction& at(unsigned pc) const { return code_->instructions[pc % kInstructionWords]; }
  const Instruction& current() const { return code_->instructions[pc_]; }

  Raccu& raccu() { return raccu_; }
  const Raccu& raccu() const { return raccu_; }
  LoopManagers& loops() { return loops_; }
  const LoopManagers& loops() const { return loops_; }

  /// A field that may hold the number of a RACCU register instead, cut to `width` bits.
  unsigned dynamic(const Instruction& instruction, unsigned field, unsigned flag, unsigned width) const;

  /// Before an instruction in `cycle`: iterators of loops at rest read 0, what a RACCU instruction wrote there only in
  /// the cycle after it.
  void settle_iterators(Cycle cycle);
  /// A RACCU instruction wrote this register in `cycle`.
  void iterator_written(unsigned number, Cycle cycle);

  /// Ends the present instruction, which took `duration` cycles from `cycle` on. target: of a jump taken. Returns
  /// whether a jump met the end of a loop: the next address is then the OR of both.
  bool complete(Cycle cycle, Cycle duration, std::optional<unsigned> target);
  /// A LOOP whose count is 0: its body is left out, loops around it that end there take their step.
  void skip_body(Cycle cycle, unsigned end);
  void halt();
  void persist(Archive& archive, DecoderProfile profile);

 private:
  /// An instruction memory. Copies of a sequencer share it: it changes as a whole.
  struct Code {
    std::array<std::uint32_t, kInstructionWords> words{};
    std::array<Instruction, kInstructionWords> instructions{};
  };
  static const std::shared_ptr<const Code>& no_code();
  void go_on(Cycle cycle, unsigned pc);

  std::shared_ptr<const Code> code_ = no_code();
  unsigned length_ = 0;
  unsigned pc_ = 0;
  Cycle next_ = kNever;
  SequencerState state_ = SequencerState::idle;
  Raccu raccu_;
  LoopManagers loops_;
  int written_iterator_ = -1;  // of a loop at rest
  Cycle written_at_ = 0;
};

}  // namespace vp::drra
