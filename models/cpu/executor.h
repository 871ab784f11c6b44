#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "models/cpu/block_cache.h"
#include "models/cpu/code_store.h"
#include "models/cpu/hart_context.h"
#include "models/cpu/jit/block_check.h"
#include "models/cpu/load_store_unit.h"
#include "models/cpu/timed_memory.h"

namespace vp::cpu {

/// Instructions that the inner loop does not do, but generated code calls for in the midst of a block: CSRs and fences
/// that take their class's cycles and no more, and need not wait for anything.
class CalledInstructions {
 public:
  enum class End : std::uint8_t {
    refused,    ///< it is not such a one; nothing is done
    done,       ///< the block goes on
    elsewhere,  ///< it is done, and everything must be looked at afresh
  };
  virtual End call(const Op& op, Opcode opcode) = 0;

 protected:
  ~CalledInstructions() = default;
};

/// The inner loop: executes decoded blocks as long as nothing but registers, memory by host pointer and jumps is
/// needed.
template <typename Word>
class Executor {
 public:
  /// How the loop ended.
  enum class Exit : std::uint8_t {
    next,     ///< state is at the start of another block
    complex,  ///< state is at an instruction that it does not do: block(), op()
    limit,    ///< state is at an instruction that might not start in time: block(), op()
    native,   ///< of the interpreter: likewise, at a block that generated code is to do
  };

  /// `native`: generates code; nullptr: blocks are interpreted.
  Executor(HartContext<Word>& hart, CodeStore<Word>& code, LoadStoreUnit<Word>& memory, TimedMemory<Word>& timed,
           NativeCode* native, CalledInstructions& called)
      : hart_(hart), code_(code), memory_(memory), timed_(timed), native_(native), called_(called) {
    if (native && hart.config.jit == Jit::check) check_.emplace(hart.config);
    give_handlers();
  }

  /// Tells the code store its labels; there is a copy of the loop for each fidelity, so blocks belong to one.
  void give_handlers() { interpret(nullptr, nullptr, 0); }
  /// Runs from `op` of `block` on, and on through linked blocks, while their time cannot cross `until`. The first block
  /// is run without asking.
  Exit execute(Block* block, const Op* op, Picoseconds until) {
    return native_ ? execute_mixed(block, op, until) : interpret(block, op, until);
  }
  /// Likewise of this block alone, its first instruction and others that are sure to start before `until`.
  Exit execute_part(Block& block, const Op* op, Picoseconds until);

  /// The complex instruction is done, and state is behind it.
  void complex_done() {
    if (missed_) judge_miss();
  }

  /// Where it was left inside of a block.
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
  void unlink() {
    link_ = nullptr;
    missed_ = nullptr;
  }

 private:
  Exit interpret(Block* block, const Op* op, Picoseconds until);
  unsigned end_in_time(const Block& block, unsigned first, Picoseconds until) const;
  // executor_native.cpp
  Exit execute_mixed(Block* block, const Op* op, Picoseconds until);
  Exit interpret_first(Block& block, Picoseconds until);
  /// Its entries are still to be counted: until it is hot, and then while it waits for others to be compiled with.
  bool cold(const Block& block) const {
    const std::uint32_t after = hart_.config.jit_after;
    return !block.native && block.entered != after && block.entered < 2 * after;
  }
  bool compile(Block& block);
  Exit run_native(Block*& block, unsigned first, const void* code, Picoseconds until);
  const void* code_behind(const Block& block, const Op& op) const;
  NativeAccesses count_rest(const Block& block, unsigned first);
  NativeAccesses rest_of(const NativeBlock& native, unsigned first) const;
  // executor_in_place.cpp
  static const void* in_place(NativeFrame& frame);
  const void* access_in_place(NativeFrame& frame);
  const void* access_unaligned(NativeFrame& frame, const Op& op, Opcode opcode, Word address);
  const void* call(NativeFrame& frame);
  Block* follow(Block& from, bool jump, Picoseconds until);
  Block* follow(Word address, Picoseconds until);
  Block* refused(NativeBlock& native, Picoseconds until);
  void come_to(const NativeFrame& frame, const NativeAccesses& rest);
  void note_miss(const NativeFrame& frame);
  void judge_miss();
  void give_up(NativeBlock& native);
  Picoseconds foresee(Block& block, unsigned first, const NativeFrame& frame);
  Exit leave(Block*& block, const NativeFrame& frame, Picoseconds until);
  bool fetched(const Block& block) const { return hart_.fidelity != Fidelity::timed || block.fetched(); }
  bool affordable(const Block& block, Picoseconds until) const {
    return s_.time + block.worst <= until && fetched(block);
  }
  NativeMemory native_memory() const {
    return hart_.fidelity == Fidelity::timed ? timed_.native_memory() : memory_.native_memory();
  }

  template <bool kTimed>
  Exit execute_as(Block* block, const Op* op, Picoseconds until);
  PageLookup<Word> lookup_of(std::false_type) { return memory_.pages(); }
  LineLookup<Word> lookup_of(std::true_type) { return timed_.lines(); }

  HartContext<Word>& hart_;
  State<Word>& s_ = hart_.state;
  CodeStore<Word>& code_;
  LoadStoreUnit<Word>& memory_;
  TimedMemory<Word>& timed_;
  NativeCode* const native_;
  CalledInstructions& called_;
  std::optional<BlockCheck<Word>> check_;  ///< Jit::check
  Block* exit_block_ = nullptr;            ///< the one left last
  const Op* exit_op_ = nullptr;
  // The access that generated code did not find the memory of, until it is done.
  NativeBlock* missed_ = nullptr;  ///< or nullptr
  const std::byte* missed_table_ = nullptr;
  Word missed_address_ = 0;
  Block** link_ = nullptr;  ///< link of the block just left that the next lookup can fill in
};

}  // namespace vp::cpu
