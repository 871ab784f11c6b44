#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/common/access.h"
#include "models/cpu/isa.h"

namespace vp::cpu {

/// What a load or store moves.
struct MemoryShape {
  std::uint8_t size = 0;  ///< bytes; 0: the instruction is neither
  bool store = false;
  bool sign_extend = false;
};

/// By opcode.
inline constexpr std::array<MemoryShape, static_cast<std::size_t>(Opcode::illegal) + 1> kMemoryShapes = [] {
  std::array<MemoryShape, static_cast<std::size_t>(Opcode::illegal) + 1> shapes{};
  const auto set = [&shapes](Opcode opcode, MemoryShape shape) { shapes[static_cast<std::size_t>(opcode)] = shape; };
  set(Opcode::lb, {1, false, true});
  set(Opcode::lh, {2, false, true});
  set(Opcode::lw, {4, false, true});
  set(Opcode::ld, {8, false, true});
  set(Opcode::lbu, {1, false, false});
  set(Opcode::lhu, {2, false, false});
  set(Opcode::lwu, {4, false, false});
  set(Opcode::sb, {1, true, false});
  set(Opcode::sh, {2, true, false});
  set(Opcode::sw, {4, true, false});
  set(Opcode::sd, {8, true, false});
  set(Opcode::flw, {4, false, false});
  set(Opcode::fld, {8, false, false});
  set(Opcode::fsw, {4, true, false});
  set(Opcode::fsd, {8, true, false});
  return shapes;
}();
constexpr MemoryShape memory_shape(Opcode opcode) { return kMemoryShapes[static_cast<std::size_t>(opcode)]; }

constexpr std::uint64_t sign_extended(std::uint64_t value, unsigned bytes) {
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

constexpr bool is_atomic_word(Opcode opcode) { return opcode >= Opcode::lr_w && opcode <= Opcode::amomaxu_w; }
constexpr bool is_atomic_double(Opcode opcode) { return opcode >= Opcode::lr_d && opcode <= Opcode::amomaxu_d; }
/// The .w form of an atomic instruction of 64 bits.
constexpr Opcode word_form(Opcode opcode) {
  return static_cast<Opcode>(static_cast<unsigned>(opcode) - static_cast<unsigned>(Opcode::lr_d) +
                             static_cast<unsigned>(Opcode::lr_w));
}

/// Bytes of an AMO that takes no comparison, which generated code does as a load and a store; 0: it is none.
constexpr unsigned plain_amo_size(Opcode opcode) {
  if (opcode >= Opcode::amoswap_w && opcode <= Opcode::amoor_w) return 4;
  return opcode >= Opcode::amoswap_d && opcode <= Opcode::amoor_d ? 8 : 0;
}

constexpr bool is_lr(Opcode opcode) { return opcode == Opcode::lr_w || opcode == Opcode::lr_d; }
constexpr bool is_sc(Opcode opcode) { return opcode == Opcode::sc_w || opcode == Opcode::sc_d; }

/// Bytes that the inner loop or generated code reads (writes) for an instruction which it does itself: an SC that
/// succeeds, say. The others leave it, and are followed by a new look at the limit.
struct DirectBytes {
  std::uint8_t read = 0;
  std::uint8_t written = 0;
};
inline constexpr std::array<DirectBytes, kMemoryShapes.size()> kDirectBytes = [] {
  std::array<DirectBytes, kMemoryShapes.size()> bytes{};
  for (std::size_t number = 0; number < bytes.size(); ++number) {
    const auto opcode = static_cast<Opcode>(number);
    const MemoryShape shape = memory_shape(opcode);
    const std::uint8_t atomic = is_atomic_double(opcode) ? 8 : 4;
    if (shape.size != 0)
      (shape.store ? bytes[number].written : bytes[number].read) = shape.size;
    else if (plain_amo_size(opcode) != 0 || is_sc(opcode))
      bytes[number] = {atomic, atomic};
    else if (is_lr(opcode))
      bytes[number] = {atomic, 0};
  }
  return bytes;
}();
constexpr DirectBytes direct_bytes(Opcode opcode) { return kDirectBytes[static_cast<std::size_t>(opcode)]; }
constexpr unsigned direct_accesses(Opcode opcode) {
  const DirectBytes bytes = direct_bytes(opcode);
  return (bytes.read != 0) + (bytes.written != 0);
}

/// What an AMO does; `base` is its .w form.
constexpr AtomicOperation operation_of(Opcode base) {
  switch (base) {
    case Opcode::amoswap_w:
      return AtomicOperation::swap;
    case Opcode::amoadd_w:
      return AtomicOperation::add;
    case Opcode::amoxor_w:
      return AtomicOperation::exclusive_or;
    case Opcode::amoand_w:
      return AtomicOperation::bitwise_and;
    case Opcode::amoor_w:
      return AtomicOperation::bitwise_or;
    case Opcode::amomin_w:
      return AtomicOperation::minimum;
    case Opcode::amomax_w:
      return AtomicOperation::maximum;
    case Opcode::amominu_w:
      return AtomicOperation::minimum_unsigned;
    default:
      return AtomicOperation::maximum_unsigned;  // amomaxu_w
  }
}

/// A CSR instruction's own number is in imm; csrrs and csrrc with x0 (or 0) do not write.
constexpr bool is_csr(Opcode opcode) { return opcode >= Opcode::csrrw && opcode <= Opcode::csrrci; }
constexpr bool writes_csr(Opcode opcode, unsigned rs1) {
  return opcode == Opcode::csrrw || opcode == Opcode::csrrwi || rs1 != 0;
}

}  // namespace vp::cpu
