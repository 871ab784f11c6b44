#include "models/drra/raccu.h"

namespace vp::drra {

// Modes 5 to 7 are documented, not recorded from hardware.
void Raccu::execute(const Instruction& instruction) {
  enum Mode { idle, add, sub, shift_r, shift_l, mult, mult_add, mult_sub };
  const int a = operand(instruction, raccu::operand1, raccu::operand1_sd);
  const int b = operand(instruction, raccu::operand2, raccu::operand2_sd);
  const unsigned amount = static_cast<unsigned>(b) & 127;
  const unsigned result = instruction[raccu::result];
  const int old = (*this)[result];
  switch (static_cast<Mode>(instruction[raccu::mode])) {
    case idle:
      return;
    case add:
      return write(result, a + b);
    case sub:
      return write(result, a - b);
    case shift_r:
      return write(result, a >> (amount < 7 ? amount : 7));
    case shift_l:
      return write(result, amount < 7 ? a * (1 << amount) : 0);
    case mult:
      return write(result, a * b);
    case mult_add:
      return write(result, old + a * b);
    case mult_sub:
      return write(result, old - a * b);
  }
}

}  // namespace vp::drra
