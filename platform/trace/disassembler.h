#pragma once

#include <cstdint>
#include <string>

namespace vp {

/// One RISC-V instruction as text, written as GNU objdump does with `-M no-aliases`: "addi a0,a0,1", "lw a0,8(sp)",
/// "bne a0,a1,0x80000010". A compressed instruction is written as the one it abbreviates; those of F and D are known
/// whether the hart has them or not. What the hart does not know is ".word 0x…". xlen: 32 or 64; pc: of the
/// instruction, for targets of jumps and branches.
///
/// (Capstone as Debian bookworm has it knows no RISC-V, so this reads the hart's own decoding table.)
std::string disassemble(std::uint32_t encoding, std::uint64_t pc, unsigned xlen);

/// "zero", "ra", "sp" …; index 0 to 31.
const char* register_name(unsigned index);
/// "ft0", "fa0", "fs0" …
const char* float_register_name(unsigned index);

}  // namespace vp
