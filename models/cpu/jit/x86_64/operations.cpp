#include <utility>

#include "models/cpu/jit/x86_64/assembler.h"

// Instructions between registers. Shifts of x86 take as many bits of their count as those of RISC-V.

namespace vp::cpu::x86_64 {

namespace {

Xbyak::Reg narrow(const Xbyak::Reg& reg) { return Xbyak::Reg32(reg.getIdx()); }

}  // namespace

template <typename Word>
bool Assembler<Word>::operation(const Op& op, Opcode opcode, const Block& block) {
  if (opcode == Opcode::fence) return true;
  if (opcode == Opcode::auipc) {
    set_constant(op.rd, static_cast<Word>(block.pc + static_cast<Word>(op.imm)));
    return true;
  }
  if (opcode == Opcode::lui) {
    set_constant(op.rd, static_cast<std::uint64_t>(std::int64_t{op.imm}));
    return true;
  }
  return immediate_operation(op, opcode) || register_operation(op, opcode) || multiplication(op, opcode) ||
         division(op, opcode);
}

template <typename Word>
bool Assembler<Word>::immediate_operation(const Op& op, Opcode opcode) {
  const int imm = op.imm, count = op.imm & (kBits - 1), count32 = op.imm & 31;
  switch (opcode) {
    case Opcode::addi:
      add_immediate(op);
      return true;
    case Opcode::addiw:
      add_immediate_word(op);
      return true;
    case Opcode::slti:
    case Opcode::sltiu:
      compare_immediate(op);
      set_if(op, opcode == Opcode::slti);
      return true;
    case Opcode::xori:
      with_immediate(op, false, [&](const auto& to) { xor_(to, imm); });
      return true;
    case Opcode::ori:
      with_immediate(op, false, [&](const auto& to) { or_(to, imm); });
      return true;
    case Opcode::andi:
      with_immediate(op, false, [&](const auto& to) { and_(to, imm); });
      return true;
    case Opcode::slli:
      with_immediate(op, false, [&](const auto& to) { shl(to, count); });
      return true;
    case Opcode::srli:
      with_immediate(op, false, [&](const auto& to) { shr(to, count); });
      return true;
    case Opcode::srai:
      with_immediate(op, false, [&](const auto& to) { sar(to, count); });
      return true;
    case Opcode::slliw:
      with_immediate(op, true, [&](const auto& to) { shl(to, count32); });
      return true;
    case Opcode::srliw:
      with_immediate(op, true, [&](const auto& to) { shr(to, count32); });
      return true;
    case Opcode::sraiw:
      with_immediate(op, true, [&](const auto& to) { sar(to, count32); });
      return true;
    default:
      return false;
  }
}

template <typename Word>
bool Assembler<Word>::register_operation(const Op& op, Opcode opcode) {
  const bool half = opcode >= Opcode::addw && opcode <= Opcode::sraw;
  const bool keeps = opcode == Opcode::add || opcode == Opcode::or_ || opcode == Opcode::xor_;
  if (keeps && (op.rs1 == 0 || op.rs2 == 0)) {  // c.mv
    move(op.rd, op.rs1 == 0 ? op.rs2 : op.rs1);
    return true;
  }
  switch (opcode) {
    case Opcode::add:
      if (kept(op.rs1) && kept(op.rs2) && op.rd != op.rs1 && op.rd != op.rs2)
        add_apart(op.rd, place_of(host(op.rs1), host(op.rs2)));
      else
        with_register<true>(op, false, true, [&](const auto& to, const auto& by) { add(to, by); });
      return true;
    case Opcode::addw:
      with_register<true>(op, half, true, [&](const auto& to, const auto& by) { add(to, by); });
      return true;
    case Opcode::sub:
    case Opcode::subw:
      with_register<true>(op, half, false, [&](const auto& to, const auto& by) { sub(to, by); });
      return true;
    case Opcode::xor_:
      with_register<true>(op, half, true, [&](const auto& to, const auto& by) { xor_(to, by); });
      return true;
    case Opcode::or_:
      with_register<true>(op, half, true, [&](const auto& to, const auto& by) { or_(to, by); });
      return true;
    case Opcode::and_:
      with_register<true>(op, half, true, [&](const auto& to, const auto& by) { and_(to, by); });
      return true;
    case Opcode::sll:
    case Opcode::sllw:
      shift(op, half, [&](const Reg& to) { shl(to, cl); });
      return true;
    case Opcode::srl:
    case Opcode::srlw:
      shift(op, half, [&](const Reg& to) { shr(to, cl); });
      return true;
    case Opcode::sra:
    case Opcode::sraw:
      shift(op, half, [&](const Reg& to) { sar(to, cl); });
      return true;
    case Opcode::slt:
    case Opcode::sltu:
      compare_registers(op);
      set_if(op, opcode == Opcode::slt);
      return true;
    default:
      return false;
  }
}

template <typename Word>
bool Assembler<Word>::multiplication(const Op& op, Opcode opcode) {
  switch (opcode) {
    case Opcode::mul:
    case Opcode::mulw:
      with_register<false>(op, opcode == Opcode::mulw, true, [&](const Reg& to, const auto& by) { imul(to, by); });
      return true;
    case Opcode::mulh:
    case Opcode::mulhu:
    case Opcode::mulhsu:
      high_product(op, opcode);
      return true;
    default:
      return false;
  }
}

template <typename Word>
bool Assembler<Word>::division(const Op& op, Opcode opcode) {
  switch (opcode) {
    case Opcode::div:
    case Opcode::divw:
      divide<false, true>(op, opcode == Opcode::divw);
      return true;
    case Opcode::divu:
    case Opcode::divuw:
      divide<false, false>(op, opcode == Opcode::divuw);
      return true;
    case Opcode::rem:
    case Opcode::remw:
      divide<true, true>(op, opcode == Opcode::remw);
      return true;
    case Opcode::remu:
    case Opcode::remuw:
      divide<true, false>(op, opcode == Opcode::remuw);
      return true;
    default:
      return false;
  }
}

template <typename Word>
void Assembler<Word>::add_immediate(const Op& op) {
  if (op.rs1 == 0) return set_constant(op.rd, static_cast<std::uint64_t>(std::int64_t{op.imm}));
  if (op.imm == 0) return move(op.rd, op.rs1);
  if (kept(op.rs1) && op.rd != op.rs1) return add_apart(op.rd, place_of(host(op.rs1), op.imm));
  with_immediate(op, false, [&](const auto& to) { add(to, op.imm); });
}

/// x[rd] = the sum in that place.
template <typename Word>
void Assembler<Word>::add_apart(unsigned rd, const Place& sum) {
  const Reg to = target(rd, native_word(rax.getIdx()));
  lea(to, sum);
  done(rd, to);
}

/// x[rd] = x[rs].
template <typename Word>
void Assembler<Word>::move(unsigned rd, unsigned rs) {
  if (rs == 0) return set_constant(rd, 0);
  const Reg value = kept(rd) ? host(rd) : source(rs, native_word(rax.getIdx()));
  if (kept(rd)) copy(value, rs);
  done(rd, value);
}

template <typename Word>
void Assembler<Word>::add_immediate_word(const Op& op) {
  const Reg to = target(op.rd, rax);
  if (op.imm == 0 && op.rs1 != 0) {  // sext.w
    if (kept(op.rs1))
      movsxd(Xbyak::Reg64(to.getIdx()), Xbyak::Reg32(Registers::kHost[op.rs1]));
    else
      movsxd(Xbyak::Reg64(to.getIdx()), place32(op.rs1));
    return done(op.rd, to);
  }
  with_immediate(op, true, [&](const auto& sum) { add(sum, op.imm); });
}

/// x[rd] = x[rs1], changed in place by `emit`.
template <typename Word>
template <typename Emit>
void Assembler<Word>::with_immediate(const Op& op, bool half, Emit emit) {
  if (!half && !kept(op.rd) && op.rd == op.rs1) return emit(place(op.rd));
  const Reg to = target(op.rd, native_word(rax.getIdx()));
  const Reg part = half ? narrow(to) : to;
  copy(part, op.rs1);
  emit(part);
  if (half) sign_extend_word(to);
  done(op.rd, to);
}

/// x[rd] = x[rs1], changed by x[rs2] by `emit`; `in_place`: which may change memory.
template <typename Word>
template <bool in_place, typename Emit>
void Assembler<Word>::with_register(const Op& op, bool half, bool commutes, Emit emit) {
  unsigned first = op.rs1, second = op.rs2;
  if (commutes && second == op.rd) std::swap(first, second);
  if constexpr (in_place)
    if (!half && first == op.rd && !kept(first) && kept(second)) return emit(place(first), host(second));
  const bool second_is_target = kept(op.rd) && second == op.rd && first != op.rd;
  const Reg temporary = native_word(rax.getIdx());
  const Reg to = second_is_target ? temporary : target(op.rd, temporary);
  const Reg part = half ? narrow(to) : to;
  copy(part, first);
  if (second == 0 || kept(second))
    emit(part, source(second, half ? Reg(edx) : native_word(rdx.getIdx())));
  else
    emit(part, half ? place32(second) : place(second));
  if (half) sign_extend_word(to);
  done(op.rd, to);
}

template <typename Word>
template <typename Emit>
void Assembler<Word>::shift(const Op& op, bool half, Emit emit) {
  copy(ecx, op.rs2);
  const Reg to = target(op.rd, native_word(rax.getIdx()));
  const Reg part = half ? narrow(to) : to;
  copy(part, op.rs1);
  emit(part);
  if (half) sign_extend_word(to);
  done(op.rd, to);
}

template <typename Word>
void Assembler<Word>::compare_immediate(const Op& op) {
  if (op.rs1 == 0 || kept(op.rs1))
    cmp(source(op.rs1, native_word(rax.getIdx())), op.imm);
  else
    cmp(place(op.rs1), op.imm);
}

/// The flags of x[rs1] - x[rs2].
template <typename Word>
void Assembler<Word>::compare_registers(const Op& op) {
  const bool by_constant = op.rs2 == 0, in_memory = op.rs1 != 0 && !kept(op.rs1);
  if (in_memory && by_constant) return cmp(place(op.rs1), 0);
  if (in_memory && kept(op.rs2)) return cmp(place(op.rs1), host(op.rs2));
  const Reg first = source(op.rs1, native_word(rax.getIdx()));
  if (by_constant)
    test(first, first);
  else if (kept(op.rs2))
    cmp(first, host(op.rs2));
  else
    cmp(first, place(op.rs2));
}

/// x[rd] = whether the comparison found less.
template <typename Word>
void Assembler<Word>::set_if(const Op& op, bool with_sign) {
  if (with_sign)
    setl(al);
  else
    setb(al);
  const Reg to = target(op.rd, native_word(rax.getIdx()));
  movzx(Xbyak::Reg32(to.getIdx()), al);
  done(op.rd, to);
}

/// The upper half of a product; each factor with a sign or without.
template <typename Word>
void Assembler<Word>::high_product(const Op& op, Opcode opcode) {
  if constexpr (kWide) {
    const Reg second = source(op.rs2, rcx);
    copy(rax, op.rs1);
    if (opcode == Opcode::mulh) {
      imul(second);
    } else {
      mul(second);
    }
    if (opcode == Opcode::mulhsu) {  // of a negative factor taken for one of 2^64 more
      copy(rax, op.rs1);
      sar(rax, 63);
      and_(rax, second);
      sub(rdx, rax);
    }
    done(op.rd, rdx);
  } else {
    copy(eax, op.rs1);
    copy(ecx, op.rs2);
    if (opcode != Opcode::mulhu) movsxd(rax, eax);
    if (opcode == Opcode::mulh) movsxd(rcx, ecx);
    imul(rax, rcx);
    shr(rax, 32);
    done(op.rd, eax);
  }
}

/// Division by zero and overflow have results (operations.h).
template <typename Word>
template <bool remainder, bool with_sign>
void Assembler<Word>::divide(const Op& op, bool half) {
  const bool wide = kWide && !half;
  const Reg dividend = wide ? Reg(rax) : Reg(eax), divisor = wide ? Reg(rcx) : Reg(ecx),
            rest = wide ? Reg(rdx) : Reg(edx);
  Xbyak::Label ordinary, by_zero, end;
  copy(divisor, op.rs2);
  copy(dividend, op.rs1);
  if (with_sign) {
    lea(rest, ptr[rcx + 1]);
    cmp(rest, 1);
    ja(ordinary);
    test(divisor, divisor);
    jz(by_zero);
    if (remainder)
      xor_(eax, eax);
    else
      neg(dividend);
    jmp(end);
    L(by_zero);
  } else {
    test(divisor, divisor);
    jnz(ordinary);
  }
  if (!remainder) or_(dividend, -1);
  jmp(end);
  L(ordinary);
  if (!with_sign) {
    xor_(edx, edx);
    div(divisor);
  } else {
    if (wide)
      cqo();
    else
      cdq();
    idiv(divisor);
  }
  if (remainder) mov(dividend, rest);
  L(end);
  if (half) sign_extend_word(dividend);
  done(op.rd, native_word(rax.getIdx()));
}

/// csrrs or csrrc of sstatus.
template <typename Word>
void Assembler<Word>::switch_interrupts(const Op& op, Opcode opcode, const void* inside) {
  const Address mstatus = state_word(offsetof(State<Word>, mstatus));
  const bool sets = opcode == Opcode::csrrs || opcode == Opcode::csrrsi;
  const bool immediate = opcode == Opcode::csrrsi || opcode == Opcode::csrrci;
  const auto sie = static_cast<std::int32_t>(kMstatusSie);
  const Reg before = native_word(rax.getIdx()), pending = native_word(rcx.getIdx()), bits = native_word(rdx.getIdx());
  if (sets) {
    mov(pending, state_word(offsetof(State<Word>, mip)));
    test(state_word(offsetof(State<Word>, mie)), pending);
    jne(inside);
  }
  if (!immediate) {
    copy(bits, op.rs1);
    test(bits, static_cast<std::uint32_t>(~sie));
    jne(inside);
  }
  if (op.rd != kSink) {
    constant(before, kSstatusReadable<Word>);
    and_(before, mstatus);
  }
  if (immediate) {
    if (op.rs1 != 0) sets ? or_(mstatus, sie) : and_(mstatus, ~sie);
  } else if (sets) {
    or_(mstatus, bits);
  } else {
    not_(bits);
    and_(mstatus, bits);
  }
  done(op.rd, before);
}

/// Reads it, or writes it as a whole.
template <typename Word>
void Assembler<Word>::exchange_csr(const Op& op, Opcode opcode, const PlainCsr<Word>& csr) {
  const State<Word> state;
  const auto offset = [&](Word State<Word>::*field) {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(state.*field)) -
                                    reinterpret_cast<const std::byte*>(&state));
  };
  if (!csr.field) return set_constant(op.rd, csr.constant);
  const Address field = state_word(offset(csr.field));
  const Reg before = native_word(rax.getIdx()), after = native_word(rdx.getIdx());
  if (op.rd != kSink) mov(before, field);
  if (opcode == Opcode::csrrwi) {
    mov(field, static_cast<std::int32_t>(op.rs1 & csr.writable));
  } else if (opcode == Opcode::csrrw) {
    copy(after, op.rs1);
    if (csr.writable != ~Word{0}) and_(after, static_cast<std::int32_t>(csr.writable));
    mov(field, after);
  }
  done(op.rd, before);
}

}  // namespace vp::cpu::x86_64

#include "models/cpu/jit/x86_64/both_widths.h"
