#pragma once

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

constexpr MemoryShape memory_shape(Opcode opcode) {
  switch (opcode) {
    case Opcode::lb:
      return {1, false, true};
    case Opcode::lh:
      return {2, false, true};
    case Opcode::lw:
      return {4, false, true};
    case Opcode::ld:
      return {8, false, true};
    case Opcode::lbu:
      return {1, false, false};
    case Opcode::lhu:
      return {2, false, false};
    case Opcode::lwu:
      return {4, false, false};
    case Opcode::sb:
      return {1, true, false};
    case Opcode::sh:
      return {2, true, false};
    case Opcode::sw:
      return {4, true, false};
    case Opcode::sd:
      return {8, true, false};
    default:
      return {};
  }
}

constexpr bool is_atomic_word(Opcode opcode) { return opcode >= Opcode::lr_w && opcode <= Opcode::amomaxu_w; }
constexpr bool is_atomic_double(Opcode opcode) { return opcode >= Opcode::lr_d && opcode <= Opcode::amomaxu_d; }
/// The .w form of an atomic instruction of 64 bits.
constexpr Opcode word_form(Opcode opcode) {
  return static_cast<Opcode>(static_cast<unsigned>(opcode) - static_cast<unsigned>(Opcode::lr_d) +
                             static_cast<unsigned>(Opcode::lr_w));
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
