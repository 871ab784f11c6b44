#pragma once

#include <cstdint>
#include <type_traits>

#include "models/cpu/block_cache.h"
#include "models/cpu/code_store.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/load_store_unit.h"
#include "models/cpu/timed_memory.h"

namespace vp::cpu {

/// The inner loop: executes decoded blocks as long as nothing but registers, memory by host pointer and jumps is
/// needed.
template <typename Word>
class Executor {
 public:
  /// How the loop ended.
  enum class Exit : std::uint8_t {
    next,     ///< state is at the start of another block
    complex,  ///< state is at an instruction that it does not do: block(), op()
  };

  Executor(HartContext<Word>& hart, CodeStore<Word>& code, LoadStoreUnit<Word>& memory, TimedMemory<Word>& timed)
      : hart_(hart), code_(code), memory_(memory), timed_(timed) {
    give_handlers();
  }

  /// Tells the code store its labels; there is a copy of the loop for each fidelity, so blocks belong to one.
  void give_handlers() { execute(nullptr, nullptr, 0); }
  /// Runs from `op` of `block` on, and on through linked blocks, while their time cannot cross `until`. The first block
  /// is run without asking.
  Exit execute(Block* block, const Op* op, Picoseconds until);

  /// Where it was left for a complex instruction.
  Block* block() const { return exit_block_; }
  const Op* op() const { return exit_op_; }
  /// Lets the block just left go on into this one by itself, if they follow each other.
  void link(Block* block) {
    if (!link_) return;
    *link_ = block;
    code_.linked(*exit_block_, *block, link_);
    link_ = nullptr;
  }
  /// What comes next does not follow.
  void unlink() { link_ = nullptr; }

 private:
  template <bool kTimed>
  Exit execute_as(Block* block, const Op* op, Picoseconds until);
  PageLookup<Word> lookup_of(std::false_type) { return memory_.pages(); }
  LineLookup<Word> lookup_of(std::true_type) { return timed_.lines(); }

  HartContext<Word>& hart_;
  CodeStore<Word>& code_;
  LoadStoreUnit<Word>& memory_;
  TimedMemory<Word>& timed_;
  Block* exit_block_ = nullptr;  ///< the one left last
  const Op* exit_op_ = nullptr;
  Block** link_ = nullptr;  ///< link of the block just left that the next lookup can fill in
};

}  // namespace vp::cpu
