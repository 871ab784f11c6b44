#include <algorithm>
#include <cstddef>
#include <limits>

#include "models/cpu/jit/x86_64/assembler.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/tlb.h"

// Blocks as a whole: how they begin and lead to each other.

namespace vp::cpu::x86_64 {

/// What only the hart as a whole does.
template <typename Word>
bool Assembler<Word>::leaves(const Block& block, unsigned index) const {
  const Opcode opcode = block.info[index].opcode;
  const bool has_code =
      static_cast<unsigned>(opcode) < kFastOpcodes || is_float(opcode) || direct_accesses(opcode) != 0;
  return !has_code && !switches_interrupts(block, index) && !plain_csr_of<Word>(config_, block, index);
}

template <typename Word>
bool Assembler<Word>::can(const Block& block) const {
  for (unsigned i = 0; i < block.count; ++i)
    if (!leaves(block, i)) return true;
  return false;
}

template <typename Word>
CodePlaces Assembler<Word>::write_block(const Block& block, NativeBlock& native, const NativeMemory& memory, bool timed,
                                        CodePlaces at, const NativeBlock* following) {
  memory_ = memory;
  foresees_ = !timed;
  const auto end = static_cast<unsigned>(block.count);
  native.links->worst = block.worst;
  native.floats = std::any_of(block.info, block.info + end, [](const auto& info) { return is_float(info.opcode); });
  find_rests(block);
  setSize(at.rarely);
  write_leaves(block, native, end);
  std::fill_n(group_of_.begin(), end, kNoGroup);
  std::fill_n(resumed_.begin(), end, nullptr);
  following_ = nullptr;
  if (!timed) find_groups(block, end);
  const auto grouped = [this](unsigned index) { return group_of_[index] != kNoGroup; };
  for (unsigned i = 0; i < end; ++i)
    if (grouped(i)) {
      write_body(block, native, i, end, false);
      write_detours(false);
      break;
    }
  at.rarely = getSize();
  setSize(at.often);
  following_ = following;
  write_entry(block, native, timed);
  write_body(block, native, 0, end, true);
  at.often = getSize();
  setSize(at.rarely);
  write_detours(true);
  native.rests = write_rests(end);
  at.rarely = getSize();
  return at;
}

/// From this instruction on. In a body that is not `grouped` each load and store looks for its page by itself.
template <typename Word>
void Assembler<Word>::write_body(const Block& block, NativeBlock& native, unsigned first, unsigned end, bool grouped) {
  in_rcx_ = kNoGroup;
  float_dirty_ = false;
  detours_.clear();
  copies_ = {};
  for (unsigned i = first; i < end; ++i) {
    if (!grouped) {
      one_by_one_[i] = getCurr();
      if (copies_.any) copies_ = {};  // of who comes in here nothing is known
    }
    if (!resumed_[i] && copies_.none()) resumed_[i] = getCurr();
    if (!instruction(block, native, i, grouped)) return;
  }
  follow(native, false, true);
}

template <typename Word>
void Assembler<Word>::find_rests(const Block& block) {
  NativeRest rest{};
  for (auto i = static_cast<unsigned>(block.count); i-- > 0;) rests_[i] = rest += rest_of(block.info[i].opcode);
}

template <typename Word>
const NativeRest* Assembler<Word>::write_rests(unsigned end) {
  constexpr std::size_t kAlign = alignof(NativeRest);
  setSize((getSize() + kAlign - 1) / kAlign * kAlign);
  const std::uint8_t* const table = getCurr();
  for (unsigned i = 0; i < end; ++i) {
    if (resumed_[i]) rests_[i].code = static_cast<std::int32_t>(resumed_[i] - table);
    put(rests_[i]);
  }
  return reinterpret_cast<const NativeRest*>(table);
}

/// False: what it has written leads elsewhere.
template <typename Word>
bool Assembler<Word>::instruction(const Block& block, NativeBlock& native, unsigned index, bool grouped) {
  const Op& op = const_cast<Block&>(block).ops()[index];
  const Opcode opcode = block.info[index].opcode;
  if (leaves(block, index)) {
    jmp(inside_[index], T_NEAR);
    // What is behind is only entered from outside.
    float_dirty_ = false;
    copies_ = {};
    in_rcx_ = kNoGroup;
    return index + 1 < block.count && resumed_[index + 1] == nullptr;
  }
  if (is_float(opcode)) check_float_dirty(inside_[index]);
  if (memory_shape(opcode).size != 0 && grouped && group_of_[index] != kNoGroup) {
    grouped_load_store(op, opcode, index);
    return true;
  }
  in_rcx_ = kNoGroup;
  if (memory_shape(opcode).size != 0) {
    load_store(op, opcode, inside_[index]);
  } else if (opcode >= Opcode::beq && opcode <= Opcode::bgeu) {
    branch(op, opcode, native);
    return false;
  } else if (opcode == Opcode::jal) {
    jump(op, native);
    return false;
  } else if (opcode == Opcode::jalr) {
    jump_indirect(op, native);
    return false;
  } else if (plain_amo_size(opcode) != 0) {
    atomic(op, opcode, inside_[index]);
  } else if (is_lr(opcode)) {
    load_reserved(op, direct_bytes(opcode).read, inside_[index]);
  } else if (is_sc(opcode)) {
    store_conditional(op, direct_bytes(opcode).read, inside_[index]);
  } else if (const auto csr = plain_csr_of<Word>(config_, block, index)) {
    exchange_csr(op, opcode, *csr);
  } else if (is_csr(opcode)) {
    switch_interrupts(op, opcode, inside_[index]);
    float_dirty_ = false;  // where it has been left, more may have changed
  } else if (is_float(opcode)) {
    float_operation(op, opcode, inside_[index]);
  } else if (op.rd != kSink) {
    operation(op, opcode, block);
  }
  return true;
}

/// The ways out of a block are written first, so that their addresses are known.
template <typename Word>
void Assembler<Word>::write_leaves(const Block& block, NativeBlock& native, unsigned end) {
  const auto leave_by = [&](const void* thunk) {
    const std::uint8_t* const start = getCurr();
    lea(rax, known(&native));
    jmp(thunk);
    return start;
  };
  const std::uint8_t* const common = leave_by(thunks_.leave);
  const auto leave = [&](NativeFrame::Left left) {
    const std::uint8_t* const start = getCurr();
    mov(cl, static_cast<int>(left));
    jmp(common);
    return start;
  };
  native.links->refused = leave(NativeFrame::Left::refused);
  native.links->taken = native.taken_leave = leave(NativeFrame::Left::taken);
  native.links->next = native.next_leave = leave(NativeFrame::Left::next);
  refused_ = getCurr();
  jmp(known(&native.links->refused));
  const std::uint8_t* any_inside = nullptr;
  for (unsigned i = 0; i < end; ++i) {
    const Opcode opcode = block.info[i].opcode;
    const bool stays = static_cast<unsigned>(opcode) < kFastOpcodes && memory_shape(opcode).size == 0;
    if (stays) continue;
    if (!any_inside) any_inside = leave_by(thunks_.inside);
    inside_[i] = getCurr();
    mov(edx, i);
    jmp(any_inside);
  }
}

/// Looks whether the block may be entered, and counts it as a whole.
template <typename Word>
void Assembler<Word>::write_entry(const Block& block, NativeBlock& native, bool timed) {
  const NativeAccesses accesses = accesses_of(rests_[0], memory_);
  const auto numbers = [this](std::uint64_t lower, std::uint64_t upper) {
    return known(constants_.place(lower, upper));
  };
  native.entry = getCurr();
  cmp(Xbyak::Reg64(Registers::kBudget), known(&native.links->worst));
  jl(refused_);
  if (timed) check_fetched(block);
  charge(block.cost + accesses.time);
  paddq(Xbyak::Xmm(Registers::kCounts), numbers(block.count, accesses.reads));
  if (accesses.writes != 0) paddq(Xbyak::Xmm(Registers::kWrites), numbers(accesses.writes, 0));
}

template <typename Word>
void Assembler<Word>::charge(Picoseconds time) {
  const Xbyak::Reg64 budget(Registers::kBudget);
  if (time == 0) return;
  if (time <= static_cast<Picoseconds>(std::numeric_limits<std::int32_t>::max())) {
    sub(budget, static_cast<std::uint32_t>(time));
  } else {
    mov(rax, time);
    sub(budget, rax);
  }
}

/// Code that is not cached is its own front.
template <typename Word>
void Assembler<Word>::check_fetched(const Block& block) {
  const auto check = [this](const std::uint64_t* front, std::uint64_t line) {
    mov(rax, reinterpret_cast<std::uintptr_t>(front));
    mov(rcx, line);
    cmp(qword[rax], rcx);
    jne(refused_);
  };
  const CodeLines& lines = block.lines();
  if (lines.first_front != &lines.first_line) check(lines.first_front, lines.first_line);
  const bool same = lines.last_line == lines.first_line && lines.last_front == lines.first_front;
  if (lines.last_front != &lines.last_line && !same) check(lines.last_front, lines.last_line);
}

/// Code in the same page is mapped with it, and what is not to be entered leads on by itself (NativeLinks::refused).
template <typename Word>
const NativeBlock* Assembler<Word>::always(const Block& block, const Block& to) {
  const auto same_page = [](std::uint64_t one, std::uint64_t other) { return (one ^ other) < kPageSize; };
  if (!to.sound() || !to.native || to.behind != Block::kNowhere || to.mode != block.mode) return nullptr;
  if (to.mode == Mode::kMachine) return to.native;
  return same_page(to.pc, block.pc) && same_page(to.physical, block.physical) ? to.native : nullptr;
}

template <typename Word>
void Assembler<Word>::jump_to(const NativeBlock& to) {
  if (to.entry) return jmp(to.entry);
  jmp_ahead();
  ahead_.push_back({getSize(), &to});
}

template <typename Word>
void Assembler<Word>::jump_to_if(Condition condition, const NativeBlock& to) {
  if (to.entry) return jump_if(condition, to.entry);
  jump_ahead_if(condition);
  ahead_.push_back({getSize(), &to});
}

template <typename Word>
void Assembler<Word>::call_to(const NativeBlock& to) {
  if (to.entry) return call(to.entry);
  call_ahead();
  ahead_.push_back({getSize(), &to});
}

template <typename Word>
void Assembler<Word>::aim_jumps() {
  for (const Ahead& jump : ahead_) aim(jump.behind, jump.to->entry);
  ahead_.clear();
}

/// To the code of the block that follows, or where it jumps to. `last`: nothing is written behind this.
template <typename Word>
void Assembler<Word>::follow(const NativeBlock& native, bool jump, bool last) {
  const NativeBlock* const to = always(native, jump);
  if (!to)
    jmp(known(jump ? &native.links->taken : &native.links->next));
  else if (!last || to != following_)
    jump_to(*to);
}

template <typename Word>
void Assembler<Word>::jump_taken(const NativeBlock& native, bool last) {
  charge(native.block->taken_cost);
  follow(native, true, last);
}

namespace {

Encoder::Condition condition_of(Opcode branch) {
  switch (branch) {
    case Opcode::beq:
      return Encoder::Condition::equal;
    case Opcode::bne:
      return Encoder::Condition::not_equal;
    case Opcode::blt:
      return Encoder::Condition::less;
    case Opcode::bge:
      return Encoder::Condition::greater_or_equal;
    case Opcode::bltu:
      return Encoder::Condition::below;
    default:
      return Encoder::Condition::above_or_equal;
  }
}

}  // namespace

template <typename Word>
void Assembler<Word>::branch(const Op& op, Opcode opcode, const NativeBlock& native) {
  compare_registers(op);
  const Condition condition = condition_of(opcode);
  const NativeBlock *const taken = always(native, true), *const next = always(native, false);
  if (taken && native.block->taken_cost == 0) {
    jump_to_if(condition, *taken);
    follow(native, false, true);
  } else if (next && next != following_) {
    jump_to_if(opposite(condition), *next);
    jump_taken(native, true);
  } else {
    const std::size_t skip = skip_if(opposite(condition));
    jump_taken(native, false);
    land(skip);
    follow(native, false, true);
  }
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
