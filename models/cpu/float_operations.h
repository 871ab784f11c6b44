#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/cpu/block_cache.h"
#include "models/cpu/float/host.h"
#include "models/cpu/float_state.h"
#include "models/cpu/tlb.h"

namespace vp::cpu {

// Instructions of F and D in the inner loop, as operations.h has the others: where the host's floating point gives
// result and flags for certain, in the one rounding mode that programs use, and mstatus.FS is dirty already. Everything
// else is left to FloatUnit.

constexpr bool truncates(Opcode single) { return single >= Opcode::fcvt_w_s && single <= Opcode::fcvt_lu_s; }
constexpr bool is_fused(Opcode single) { return single >= Opcode::fmadd_s && single <= Opcode::fnmadd_s; }

/// Whether an operation's own rounding mode is one that the inner loop does: the dynamic one, if that is nearest_even
/// when it is executed, or nearest_even; of a conversion to an integer to_zero, which C asks for.
inline bool rounds_by_host(Opcode opcode, std::int32_t imm) {
  if (!float_operands(opcode).rounding) return true;
  const Opcode single = is_double(opcode) ? single_form(opcode) : opcode;
  const unsigned field = rounding_field(imm);
  if (truncates(single)) return field == static_cast<unsigned>(ieee754::Rounding::to_zero);
  if (is_fused(single) && !ieee754::host::has_fused()) return false;
  return field == kDynamicRounding || field == static_cast<unsigned>(ieee754::Rounding::nearest_even);
}

template <typename Bits>
[[gnu::always_inline]] inline Bits float_source(std::uint64_t f) {
  if constexpr (sizeof(Bits) == 4)
    return unboxed(f);
  else
    return f;
}
template <typename Bits>
[[gnu::always_inline]] inline std::uint64_t float_result(Bits value) {
  if constexpr (sizeof(Bits) == 4)
    return boxed(value);
  else
    return value;
}

/// Into a floating-point register. False: not by the host.
template <Opcode single, typename Bits, typename Word>
[[gnu::always_inline]] inline bool compute_float(const Op* op, const State<Word>& s, Bits& result) {
  namespace host = ieee754::host;
  constexpr Bits kSign = ieee754::Format<Bits>::kSign;
  using Other = std::conditional_t<sizeof(Bits) == 4, std::uint64_t, std::uint32_t>;
  const unsigned flags = s.fflags;
  const auto a = [&] { return float_source<Bits>(s.f[op->rs1]); };
  const auto b = [&] { return float_source<Bits>(s.f[op->rs2]); };
  const auto c = [&] { return float_source<Bits>(s.f[third_source(op->imm)]); };
  if constexpr (single == Opcode::fadd_s) return host::add<Bits>(a(), b(), flags, result);
  if constexpr (single == Opcode::fsub_s) return host::subtract<Bits>(a(), b(), flags, result);
  if constexpr (single == Opcode::fmul_s) return host::multiply<Bits>(a(), b(), flags, result);
  if constexpr (single == Opcode::fdiv_s) return host::divide<Bits>(a(), b(), flags, result);
  if constexpr (single == Opcode::fsqrt_s) return host::square_root<Bits>(a(), flags, result);
  if constexpr (single == Opcode::fmadd_s) return host::multiply_add<Bits>(a(), b(), c(), flags, result);
  if constexpr (single == Opcode::fmsub_s) return host::multiply_add<Bits>(a(), b(), c() ^ kSign, flags, result);
  if constexpr (single == Opcode::fnmsub_s) return host::multiply_add<Bits>(a() ^ kSign, b(), c(), flags, result);
  if constexpr (single == Opcode::fnmadd_s)
    return host::multiply_add<Bits>(a() ^ kSign, b(), c() ^ kSign, flags, result);
  if constexpr (single == Opcode::fmin_s) return host::extreme<Bits>(a(), b(), true, result);
  if constexpr (single == Opcode::fmax_s) return host::extreme<Bits>(a(), b(), false, result);
  if constexpr (single == Opcode::fcvt_s_d)
    return host::convert<Bits>(float_source<Other>(s.f[op->rs1]), flags, result);
  const Word x = s.x[op->rs1];
  if constexpr (single == Opcode::fcvt_s_w)
    return host::from_integer<Bits>(static_cast<std::int32_t>(x), flags, result);
  if constexpr (single == Opcode::fcvt_s_wu)
    return host::from_integer<Bits>(static_cast<std::uint32_t>(x), flags, result);
  if constexpr (single == Opcode::fcvt_s_l)
    return host::from_integer<Bits>(static_cast<std::int64_t>(x), flags, result);
  if constexpr (single == Opcode::fcvt_s_lu)
    return host::from_integer<Bits>(static_cast<std::uint64_t>(x), flags, result);
  if constexpr (single == Opcode::fmv_w_x) result = static_cast<Bits>(x);
  if constexpr (single == Opcode::fsgnj_s) result = (a() & ~kSign) | (b() & kSign);
  if constexpr (single == Opcode::fsgnjn_s) result = (a() & ~kSign) | (~b() & kSign);
  if constexpr (single == Opcode::fsgnjx_s) result = a() ^ (b() & kSign);
  return true;
}

/// Into an integer register, from values that raise no flag.
template <Opcode single, typename Bits, typename Word>
[[gnu::always_inline]] inline bool compare_float(const Op* op, State<Word>& s) {
  const Bits a = float_source<Bits>(s.f[op->rs1]), b = float_source<Bits>(s.f[op->rs2]);
  if (!ieee754::host::ordered(a, b)) return false;
  const auto x = ieee754::host::number(a), y = ieee754::host::number(b);
  s.x[op->rd] = single == Opcode::feq_s ? x == y : single == Opcode::flt_s ? x < y : x <= y;
  return true;
}

template <typename Integer, typename Bits, typename Word>
[[gnu::always_inline]] inline bool truncate_float(const Op* op, State<Word>& s) {
  Integer whole = 0;
  bool exact = false;
  if (!ieee754::host::truncate<Integer>(float_source<Bits>(s.f[op->rs1]), whole, exact)) return false;
  if (!exact) s.fflags |= ieee754::inexact;
  // Results of 32 bits are sign-extended, unsigned ones too.
  s.x[op->rd] = static_cast<Word>(static_cast<std::make_signed_t<Integer>>(whole));
  return true;
}

template <bool store, typename Bits, typename Word, typename Lookup>
[[gnu::always_inline]] inline bool move_float(const Op* op, State<Word>& s, const Lookup& lookup, Picoseconds& time) {
  const Word address = s.x[op->rs1] + static_cast<Word>(op->imm);
  TlbEntry<Word>& entry = store ? lookup.write(address) : lookup.read(address);
  if (__builtin_expect(lookup.template masked<sizeof(Bits)>(address) != entry.tag, 0)) return false;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the addend leads from guest to host addresses
  void* const host = reinterpret_cast<void*>(entry.addend + address);
  Bits value;
  if constexpr (store) {
    value = static_cast<Bits>(s.f[op->rs2]);
    std::memcpy(host, &value, sizeof value);
  } else {
    std::memcpy(&value, host, sizeof value);
    s.f[op->rd] = float_result(value);
  }
  time += sizeof(Bits) > 4 ? entry.wide_latency : entry.latency;
  entry.traffic += traffic::of(sizeof(Bits));
  return true;
}

/// Does one operation of the inner loop. False if it is not one for it; nothing is done then.
template <Opcode opcode, typename Word, typename Lookup>
[[gnu::always_inline]] inline bool operate_float(const Op* op, State<Word>& s, const Lookup& lookup,
                                                 Picoseconds& time) {
  constexpr Opcode kSingle = is_double(opcode) ? single_form(opcode) : opcode;
  using Bits = std::conditional_t<is_double(opcode), std::uint64_t, std::uint32_t>;
  if (__builtin_expect(!float_dirty(s), 0)) return false;
  if constexpr (kSingle == Opcode::fclass_s) {
    return false;  // rare
  } else if constexpr (kSingle == Opcode::flw || kSingle == Opcode::fsw) {
    return move_float<kSingle == Opcode::fsw, Bits>(op, s, lookup, time);
  } else if constexpr (kSingle == Opcode::feq_s || kSingle == Opcode::flt_s || kSingle == Opcode::fle_s) {
    return compare_float<kSingle, Bits>(op, s);
  } else if constexpr (kSingle == Opcode::fcvt_w_s) {
    return truncate_float<std::int32_t, Bits>(op, s);
  } else if constexpr (kSingle == Opcode::fcvt_wu_s) {
    return truncate_float<std::uint32_t, Bits>(op, s);
  } else if constexpr (kSingle == Opcode::fcvt_l_s) {
    return truncate_float<std::int64_t, Bits>(op, s);
  } else if constexpr (kSingle == Opcode::fcvt_lu_s) {
    return truncate_float<std::uint64_t, Bits>(op, s);
  } else if constexpr (kSingle == Opcode::fmv_x_w) {
    s.x[op->rd] = static_cast<Word>(static_cast<std::make_signed_t<Bits>>(static_cast<Bits>(s.f[op->rs1])));
    return true;
  } else {
    if (__builtin_expect(s.frm != 0, 0)) return false;
    Bits result;
    if (__builtin_expect(!(compute_float<kSingle, Bits>(op, s, result)), 0)) return false;
    s.f[op->rd] = float_result(result);
    return true;
  }
}

}  // namespace vp::cpu
