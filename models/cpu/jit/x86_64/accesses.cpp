#include <algorithm>

#include "models/cpu/jit/x86_64/assembler.h"
#include "models/cpu/memory_operations.h"
#include "models/cpu/tlb.h"

// Loads and stores: each by itself, or those by the same base together.

namespace vp::cpu::x86_64 {
namespace {

// Behind the tag of an entry.
constexpr int kAddend = 8;
// Further apart, they are rarely in one page.
constexpr std::int32_t kMostApart = 1024;

}  // namespace

/// Which loads and stores have the same base with the same value. Those that would not be aligned where their base is
/// are left out.
template <typename Word>
void Assembler<Word>::find_groups(const Block& block, unsigned end) {
  std::array<unsigned, kSink + 1> open;
  open.fill(kNoGroup);
  unsigned groups = 0;
  for (unsigned i = 0; i < end; ++i) {
    const Op& op = const_cast<Block&>(block).ops()[i];
    const MemoryShape shape = memory_shape(block.info[i].opcode);
    const auto size = static_cast<std::int32_t>(shape.size);
    if (size != 0 && op.rs1 != 0 && op.imm % size == 0) {
      unsigned& group = open[op.rs1];
      if (group == kNoGroup ||
          std::max(groups_[group].high, op.imm) - std::min(groups_[group].low, op.imm) > kMostApart)
        groups_[group = groups++] = {i, 0, op.imm, op.imm};
      Group& here = groups_[group];
      here.low = std::min(here.low, op.imm);
      here.high = std::max(here.high, op.imm);
      here.align = std::max<unsigned>(here.align, shape.size);
      (shape.store ? here.stores : here.loads) = true;
      ++here.members;
      group_of_[i] = group;
    }
    if (!float_operands(block.info[i].opcode).rd) open[op.rd] = kNoGroup;
  }
  unsigned slots = 0;
  for (unsigned i = 0; i < groups; ++i)
    if (groups_[i].members > 1 && slots < kSlots) groups_[i].slot = slots++;
  for (unsigned i = 0; i < end; ++i)
    if (group_of_[i] != kNoGroup && groups_[group_of_[i]].slot == kSlots) group_of_[i] = kNoGroup;
}

/// Leaves in rcx where the entry of an address is in a table, and returns what its tag must be for `size` bytes, this
/// far ahead of it.
template <typename Word>
Xbyak::Reg Assembler<Word>::find_entry(const Xbyak::Reg64& address, std::int32_t ahead, unsigned size) {
  const Reg tag = native_word(rdx.getIdx());
  mov(ecx, Xbyak::Reg32(address.getIdx()));
  if (memory_.shift != 0) shr(ecx, memory_.shift);
  and_(ecx, memory_.index_mask);
  if (ahead != 0)
    lea(tag, place_of(address, ahead));
  else
    mov(tag, native_word(address.getIdx()));
  and_(tag, memory_.tag_mask | (size - 1));
  return tag;
}

/// In the table for loads or that for stores, where find_entry() has said.
template <typename Word>
Place Assembler<Word>::entry(bool write) const {
  return place_of(Xbyak::Reg64(Registers::kReads), rcx) + (write ? memory_.writes_behind : 0);
}

/// Looks up the page of a group, for its lowest address, and leaves the host pointer to that in rcx and the group's
/// slot. Where the highest is in another page, or the base not aligned, the tag differs: it is another slot's.
template <typename Word>
void Assembler<Word>::check_group(const Op& op, unsigned number) {
  const Group& group = groups_[number];
  const void* const otherwise = one_by_one_[group.first];
  const Xbyak::Reg64 low = address_of(op.rs1, group.low);
  // The start of the widest unit that the highest is in; offsets and base are aligned to the sizes.
  const Reg tag = find_entry(low, (group.high & -static_cast<std::int32_t>(group.align)) - group.low, group.align);
  if (group.loads) {
    cmp(tag, ptr[entry(false)]);
    jne(otherwise);
  }
  if (group.stores) {
    cmp(tag, ptr[entry(true)]);
    jne(otherwise);
  }
  mov(rcx, ptr[entry(group.stores) + kAddend]);
  add(rcx, low);
  mov(kept_pointer(group), rcx);
}

template <typename Word>
void Assembler<Word>::grouped_load_store(const Op& op, Opcode opcode, unsigned index) {
  const unsigned number = group_of_[index];
  const Group& group = groups_[number];
  if (group.first == index)
    check_group(op, number);
  else if (in_rcx_ != number)
    mov(rcx, kept_pointer(group));
  in_rcx_ = number;
  access(op, opcode, place_of(rcx, op.imm - group.low));
}

/// The bytes themselves.
template <typename Word>
void Assembler<Word>::access(const Op& op, Opcode opcode, const Place& at) {
  const MemoryShape shape = memory_shape(opcode);
  const bool wide = shape.size == 8;
  if (is_float(opcode))
    shape.store ? store_float(op, wide, at) : load_float(op, wide, at);
  else if (shape.store)
    store_to(op, shape.size, at);
  else
    load_from(op, opcode, at);
}

/// A load or store that finds its page or line in the table; else `miss`, with nothing done.
template <typename Word>
void Assembler<Word>::load_store(const Op& op, Opcode opcode, const void* miss) {
  const MemoryShape shape = memory_shape(opcode);
  const Xbyak::Reg64 address = address_of(op);
  const Reg tag = find_entry(address, 0, shape.size);
  cmp(tag, ptr[entry(shape.store)]);
  jne(miss);
  mov(rcx, ptr[entry(shape.store) + kAddend]);
  access(op, opcode, place_of(rcx, address));
}

/// An AMO on memory that may be read and written. Nobody else can come in between.
template <typename Word>
void Assembler<Word>::atomic(const Op& op, Opcode opcode, const void* miss) {
  const unsigned size = plain_amo_size(opcode);
  const Xbyak::Reg64 address = address_of(op.rs1, 0);
  const Reg tag = find_entry(address, 0, size);
  for (const bool write : {false, true}) {
    cmp(tag, ptr[entry(write)]);
    jne(miss);
  }
  mov(rcx, ptr[entry(true) + kAddend]);
  add(rcx, address);
  const auto sized = [size](int index) { return size == 8 ? Reg(Xbyak::Reg64(index)) : Reg(Xbyak::Reg32(index)); };
  const Reg before = sized(rax.getIdx()), after = sized(rdx.getIdx());
  copy(after, op.rs2);
  mov(before, ptr[place_of(rcx, 0)]);
  switch (operation_of(size == 8 ? word_form(opcode) : opcode)) {
    case AtomicOperation::add:
      add(after, before);
      break;
    case AtomicOperation::exclusive_or:
      xor_(after, before);
      break;
    case AtomicOperation::bitwise_and:
      and_(after, before);
      break;
    case AtomicOperation::bitwise_or:
      or_(after, before);
      break;
    default:
      break;  // swap
  }
  mov(ptr[place_of(rcx, 0)], after);
  if (op.rd == kSink) return;
  if (size == 4) sign_extend_word(rax);
  done(op.rd, native_word(rax.getIdx()));
}

/// An LR that nobody else need know of.
template <typename Word>
void Assembler<Word>::load_reserved(const Op& op, unsigned size, const void* miss) {
  const Xbyak::Reg64 address = address_of(op.rs1, 0);
  cmp(dword[rip + static_cast<const void*>(&entered_->reserves)], 0);
  je(miss);
  const Reg tag = find_entry(address, 0, size);
  cmp(tag, ptr[entry(false)]);
  jne(miss);
  mov(rcx, ptr[entry(false) + kAddend]);
  mov(state_word(offsetof(State<Word>, reservation)), native_word(address.getIdx()));
  mov(dword[rbp + displacement(offsetof(State<Word>, reserved_size))], size);
  mov(byte[rbp + displacement(offsetof(State<Word>, reserved))], 1);
  mov(dword[rip + static_cast<const void*>(&entered_->reserved)], size);
  load_from(op, size == 8 ? Opcode::ld : Opcode::lw, place_of(rcx, address));
}

/// An SC to what such an LR has reserved, which succeeds: it is a load and a store, too.
template <typename Word>
void Assembler<Word>::store_conditional(const Op& op, unsigned size, const void* miss) {
  const Xbyak::Reg64 address = address_of(op.rs1, 0);
  cmp(dword[rip + static_cast<const void*>(&entered_->reserved)], size);
  jne(miss);
  cmp(native_word(address.getIdx()), state_word(offsetof(State<Word>, reservation)));
  jne(miss);
  const Reg tag = find_entry(address, 0, size);
  for (const bool write : {false, true}) {
    cmp(tag, ptr[entry(write)]);
    jne(miss);
  }
  mov(rcx, ptr[entry(true) + kAddend]);
  store_to(op, size, place_of(rcx, address));
  mov(byte[rbp + displacement(offsetof(State<Word>, reserved))], 0);
  mov(dword[rip + static_cast<const void*>(&entered_->reserved)], NativeFrame::kClaimed);
  set_constant(op.rd, 0);
}

/// x[base] + offset, in a register that is not written. Of 32 bits the upper half is zero.
template <typename Word>
Xbyak::Reg64 Assembler<Word>::address_of(unsigned base, std::int32_t offset) {
  if (kept(base) && offset == 0) return Xbyak::Reg64(Registers::kHost[base]);
  const Reg sum = native_word(rax.getIdx());
  if (base == 0) {
    constant(sum, static_cast<Word>(offset));
  } else if (kept(base)) {
    lea(sum, place_of(host(base), offset));
  } else {
    mov(sum, place(base));
    if (offset != 0) add(sum, offset);
  }
  return rax;
}

template <typename Word>
void Assembler<Word>::load_from(const Op& op, Opcode opcode, const Place& from) {
  const Reg to = op.rd == kSink ? native_word(rax.getIdx()) : target(op.rd, native_word(rax.getIdx()));
  const Xbyak::Reg32 low(to.getIdx());
  switch (opcode) {
    case Opcode::lb:
      movsx(to, byte[from]);
      break;
    case Opcode::lbu:
      movzx(low, byte[from]);
      break;
    case Opcode::lh:
      movsx(to, word[from]);
      break;
    case Opcode::lhu:
      movzx(low, word[from]);
      break;
    case Opcode::lw:
      if (kWide)
        movsxd(Xbyak::Reg64(to.getIdx()), dword[from]);
      else
        mov(low, dword[from]);
      break;
    case Opcode::lwu:
      mov(low, dword[from]);
      break;
    default:
      mov(Xbyak::Reg64(to.getIdx()), qword[from]);
  }
  done(op.rd, to);
}

template <typename Word>
void Assembler<Word>::store_to(const Op& op, unsigned size, const Place& to) {
  const int from = source(op.rs2, native_word(rdx.getIdx())).getIdx();
  switch (size) {
    case 1:
      mov(ptr[to], Xbyak::Reg8(from, from >= 4));  // with a prefix, without which 4 to 7 would be ah to bh
      break;
    case 2:
      mov(ptr[to], Xbyak::Reg16(from));
      break;
    case 4:
      mov(ptr[to], Xbyak::Reg32(from));
      break;
    default:
      mov(ptr[to], Xbyak::Reg64(from));
  }
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
