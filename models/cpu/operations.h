#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/cpu/block_cache.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {

// What single operations do, as functions that the inner loop inlines; the opcode is a template argument there, so each
// switch below leaves one case.

template <typename Word>
struct WideInteger;
template <>
struct WideInteger<std::uint32_t> {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};
template <>
struct WideInteger<std::uint64_t> {
  __extension__ using Unsigned = unsigned __int128;
  __extension__ using Signed = __int128;
};

// Division by zero and overflow have defined results instead of traps (unprivileged manual, table 7.1).
template <typename S>
S divide(S a, S b) {
  if (b == 0) return -1;
  if (b == -1) return static_cast<S>(0 - static_cast<std::make_unsigned_t<S>>(a));
  return a / b;
}
template <typename S>
S remainder(S a, S b) {
  if (b == 0) return a;
  return b == -1 ? 0 : a % b;
}
template <typename U>
U divide_unsigned(U a, U b) {
  return b == 0 ? ~U{0} : a / b;
}
template <typename U>
U remainder_unsigned(U a, U b) {
  return b == 0 ? a : a % b;
}

/// Result of an operation on registers and immediates.
template <Opcode opcode, typename Word>
[[gnu::always_inline]] inline Word compute(const Op* op, const Word* x, const Block* block) {
  using S = std::make_signed_t<Word>;
  using WideU = typename WideInteger<Word>::Unsigned;
  using WideS = typename WideInteger<Word>::Signed;
  constexpr unsigned kBits = 8 * sizeof(Word);
  const auto sext = [](std::uint32_t v) { return static_cast<Word>(static_cast<S>(static_cast<std::int32_t>(v))); };
  const Word a = x[op->rs1], b = x[op->rs2], imm = static_cast<Word>(op->imm);
  const auto sa = static_cast<S>(a), sb = static_cast<S>(b);
  const auto a32 = static_cast<std::uint32_t>(a), b32 = static_cast<std::uint32_t>(b);
  const auto sa32 = static_cast<std::int32_t>(a32), sb32 = static_cast<std::int32_t>(b32);
  const unsigned shift = op->imm & (kBits - 1), shift32 = op->imm & 31;
  switch (opcode) {
    case Opcode::lui:
      return imm;
    case Opcode::auipc:
      return static_cast<Word>(block->pc) + imm;
    case Opcode::addi:
      return a + imm;
    case Opcode::slti:
      return sa < static_cast<S>(imm);
    case Opcode::sltiu:
      return a < imm;
    case Opcode::xori:
      return a ^ imm;
    case Opcode::ori:
      return a | imm;
    case Opcode::andi:
      return a & imm;
    case Opcode::slli:
      return a << shift;
    case Opcode::srli:
      return a >> shift;
    case Opcode::srai:
      return static_cast<Word>(sa >> shift);
    case Opcode::add:
      return a + b;
    case Opcode::sub:
      return a - b;
    case Opcode::sll:
      return a << (b & (kBits - 1));
    case Opcode::slt:
      return sa < sb;
    case Opcode::sltu:
      return a < b;
    case Opcode::xor_:
      return a ^ b;
    case Opcode::srl:
      return a >> (b & (kBits - 1));
    case Opcode::sra:
      return static_cast<Word>(sa >> (b & (kBits - 1)));
    case Opcode::or_:
      return a | b;
    case Opcode::and_:
      return a & b;
    case Opcode::addiw:
      return sext(a32 + static_cast<std::uint32_t>(op->imm));
    case Opcode::slliw:
      return sext(a32 << shift32);
    case Opcode::srliw:
      return sext(a32 >> shift32);
    case Opcode::sraiw:
      return sext(static_cast<std::uint32_t>(sa32 >> shift32));
    case Opcode::addw:
      return sext(a32 + b32);
    case Opcode::subw:
      return sext(a32 - b32);
    case Opcode::sllw:
      return sext(a32 << (b & 31));
    case Opcode::srlw:
      return sext(a32 >> (b & 31));
    case Opcode::sraw:
      return sext(static_cast<std::uint32_t>(sa32 >> (b & 31)));
    case Opcode::mul:
      return a * b;
    case Opcode::mulh:
      return static_cast<Word>(static_cast<WideS>(sa) * sb >> kBits);
    case Opcode::mulhsu:
      return static_cast<Word>(static_cast<WideS>(sa) * static_cast<WideS>(b) >> kBits);
    case Opcode::mulhu:
      return static_cast<Word>(static_cast<WideU>(a) * b >> kBits);
    case Opcode::div:
      return static_cast<Word>(divide(sa, sb));
    case Opcode::divu:
      return divide_unsigned(a, b);
    case Opcode::rem:
      return static_cast<Word>(remainder(sa, sb));
    case Opcode::remu:
      return remainder_unsigned(a, b);
    case Opcode::mulw:
      return sext(a32 * b32);
    case Opcode::divw:
      return sext(static_cast<std::uint32_t>(divide(sa32, sb32)));
    case Opcode::divuw:
      return sext(divide_unsigned(a32, b32));
    case Opcode::remw:
      return sext(static_cast<std::uint32_t>(remainder(sa32, sb32)));
    case Opcode::remuw:
      return sext(remainder_unsigned(a32, b32));
    default:
      return 0;
  }
}

/// Whether a conditional branch is taken.
template <Opcode opcode, typename Word>
[[gnu::always_inline]] inline bool condition(const Op* op, const Word* x) {
  using S = std::make_signed_t<Word>;
  const Word a = x[op->rs1], b = x[op->rs2];
  switch (opcode) {
    case Opcode::beq:
      return a == b;
    case Opcode::bne:
      return a != b;
    case Opcode::blt:
      return static_cast<S>(a) < static_cast<S>(b);
    case Opcode::bge:
      return static_cast<S>(a) >= static_cast<S>(b);
    case Opcode::bltu:
      return a < b;
    default:
      return a >= b;
  }
}

/// What a load or store moves, as it lies in memory; void for every other opcode.
template <Opcode opcode>
constexpr auto memory_type() {
  if constexpr (opcode == Opcode::lb) return std::int8_t{};
  if constexpr (opcode == Opcode::lh) return std::int16_t{};
  if constexpr (opcode == Opcode::lw) return std::int32_t{};
  if constexpr (opcode == Opcode::ld) return std::int64_t{};
  if constexpr (opcode == Opcode::lbu || opcode == Opcode::sb) return std::uint8_t{};
  if constexpr (opcode == Opcode::lhu || opcode == Opcode::sh) return std::uint16_t{};
  if constexpr (opcode == Opcode::lwu || opcode == Opcode::sw) return std::uint32_t{};
  if constexpr (opcode == Opcode::sd) return std::uint64_t{};
}
constexpr bool is_store(Opcode opcode) { return opcode >= Opcode::sb && opcode <= Opcode::sd; }

/// Does one operation of the inner loop. False if it is a load or store that misses the address cache; nothing is done
/// then.
template <Opcode opcode, typename Word, typename Lookup>
[[gnu::always_inline]] inline bool operate(const Op* op, Word* x, const Block* block, const Lookup& lookup,
                                           Picoseconds& time) {
  using Type = decltype(memory_type<opcode>());
  if constexpr (std::is_void_v<Type>) {
    x[op->rd] = compute<opcode>(op, x, block);
    return true;
  } else {
    const Word address = x[op->rs1] + static_cast<Word>(op->imm);
    TlbEntry<Word>& entry = is_store(opcode) ? lookup.write(address) : lookup.read(address);
    if (__builtin_expect(lookup.template masked<sizeof(Type)>(address) != entry.tag, 0)) return false;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the addend leads from guest to host addresses
    void* const host = reinterpret_cast<void*>(entry.addend + address);
    Type value;
    if constexpr (is_store(opcode)) {
      value = static_cast<Type>(x[op->rs2]);
      std::memcpy(host, &value, sizeof value);
    } else {
      std::memcpy(&value, host, sizeof value);
      x[op->rd] = static_cast<Word>(static_cast<std::make_signed_t<Word>>(value));
    }
    time += sizeof(Type) > 4 ? entry.wide_latency : entry.latency;
    entry.traffic += traffic::of(sizeof(Type));
    return true;
  }
}

}  // namespace vp::cpu
