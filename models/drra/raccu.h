#pragma once

#include <array>
#include <cstdint>

#include "models/drra/address_stream.h"
#include "models/drra/isa.h"

namespace vp::drra {

constexpr unsigned kRaccuRegisters = 16;
constexpr unsigned kLoops = 4;
/// The iterator of loop i.
constexpr unsigned iterator_register(unsigned loop) { return kRaccuRegisters - 1 - loop; }

/// A number of 7 bits in two's complement, wrapped around.
constexpr std::int8_t wrap7(int value) {
  return static_cast<std::int8_t>(static_cast<int>((static_cast<unsigned>(value) & 127) ^ 64) - 64);
}

/// The runtime address and control unit: 16 registers of 7 bits.
class Raccu {
 public:
  std::int8_t operator[](unsigned number) const { return registers_[number % kRaccuRegisters]; }
  void write(unsigned number, int value) {
    std::int8_t& target = registers_[number % kRaccuRegisters];
    if (target != wrap7(value)) changed_ |= static_cast<std::uint16_t>(1u << number % kRaccuRegisters);
    target = wrap7(value);
  }
  /// The RACCU instruction.
  void execute(const Instruction& instruction);
  /// Registers that ever held anything else than 0: bit n for register n.
  std::uint16_t changed() const { return changed_; }
  void persist(Archive& archive);

 private:
  int operand(const Instruction& instruction, unsigned field, unsigned dynamic) const {
    return instruction[dynamic] != 0 ? (*this)[instruction[field]] : value_of(instruction, field);
  }

  std::array<std::int8_t, kRaccuRegisters> registers_{};
  std::uint16_t changed_ = 0;
};

}  // namespace vp::drra
