#pragma once

/// The instruction set as one list, from which the enumeration, the decoding table and the handler table are made, so
/// that the three cannot disagree. Source: RISC-V unprivileged manual 20191213, chapter 24 (instruction listings), and
/// the privileged manual 20211203, chapter 3.3.
///
/// X(name, match, mask, format, class, width): an encoding e is this instruction if (e & mask) == match.
/// width: k64 = RV64 only, kAny = both. Formats from kFloat on say which operands are floating-point registers
/// (FloatOperands in isa.h) and whether there is a rounding mode.

// Done in the interpreter's inner loop: register to register, loads and stores that hit the address cache.
#define VP_CPU_PLAIN_OPCODES(X)                       \
  X(lui, 0x00000037, 0x0000007f, kU, kAlu, kAny)      \
  X(auipc, 0x00000017, 0x0000007f, kU, kAlu, kAny)    \
  X(lb, 0x00000003, 0x0000707f, kI, kLoad, kAny)      \
  X(lh, 0x00001003, 0x0000707f, kI, kLoad, kAny)      \
  X(lw, 0x00002003, 0x0000707f, kI, kLoad, kAny)      \
  X(ld, 0x00003003, 0x0000707f, kI, kLoad, k64)       \
  X(lbu, 0x00004003, 0x0000707f, kI, kLoad, kAny)     \
  X(lhu, 0x00005003, 0x0000707f, kI, kLoad, kAny)     \
  X(lwu, 0x00006003, 0x0000707f, kI, kLoad, k64)      \
  X(sb, 0x00000023, 0x0000707f, kS, kStore, kAny)     \
  X(sh, 0x00001023, 0x0000707f, kS, kStore, kAny)     \
  X(sw, 0x00002023, 0x0000707f, kS, kStore, kAny)     \
  X(sd, 0x00003023, 0x0000707f, kS, kStore, k64)      \
  X(addi, 0x00000013, 0x0000707f, kI, kAlu, kAny)     \
  X(slti, 0x00002013, 0x0000707f, kI, kAlu, kAny)     \
  X(sltiu, 0x00003013, 0x0000707f, kI, kAlu, kAny)    \
  X(xori, 0x00004013, 0x0000707f, kI, kAlu, kAny)     \
  X(ori, 0x00006013, 0x0000707f, kI, kAlu, kAny)      \
  X(andi, 0x00007013, 0x0000707f, kI, kAlu, kAny)     \
  X(slli, 0x00001013, 0xfc00707f, kShift, kAlu, kAny) \
  X(srli, 0x00005013, 0xfc00707f, kShift, kAlu, kAny) \
  X(srai, 0x40005013, 0xfc00707f, kShift, kAlu, kAny) \
  X(add, 0x00000033, 0xfe00707f, kR, kAlu, kAny)      \
  X(sub, 0x40000033, 0xfe00707f, kR, kAlu, kAny)      \
  X(sll, 0x00001033, 0xfe00707f, kR, kAlu, kAny)      \
  X(slt, 0x00002033, 0xfe00707f, kR, kAlu, kAny)      \
  X(sltu, 0x00003033, 0xfe00707f, kR, kAlu, kAny)     \
  X(xor_, 0x00004033, 0xfe00707f, kR, kAlu, kAny)     \
  X(srl, 0x00005033, 0xfe00707f, kR, kAlu, kAny)      \
  X(sra, 0x40005033, 0xfe00707f, kR, kAlu, kAny)      \
  X(or_, 0x00006033, 0xfe00707f, kR, kAlu, kAny)      \
  X(and_, 0x00007033, 0xfe00707f, kR, kAlu, kAny)     \
  X(addiw, 0x0000001b, 0x0000707f, kI, kAlu, k64)     \
  X(slliw, 0x0000101b, 0xfe00707f, kShift, kAlu, k64) \
  X(srliw, 0x0000501b, 0xfe00707f, kShift, kAlu, k64) \
  X(sraiw, 0x4000501b, 0xfe00707f, kShift, kAlu, k64) \
  X(addw, 0x0000003b, 0xfe00707f, kR, kAlu, k64)      \
  X(subw, 0x4000003b, 0xfe00707f, kR, kAlu, k64)      \
  X(sllw, 0x0000103b, 0xfe00707f, kR, kAlu, k64)      \
  X(srlw, 0x0000503b, 0xfe00707f, kR, kAlu, k64)      \
  X(sraw, 0x4000503b, 0xfe00707f, kR, kAlu, k64)      \
  X(mul, 0x02000033, 0xfe00707f, kR, kMul, kAny)      \
  X(mulh, 0x02001033, 0xfe00707f, kR, kMul, kAny)     \
  X(mulhsu, 0x02002033, 0xfe00707f, kR, kMul, kAny)   \
  X(mulhu, 0x02003033, 0xfe00707f, kR, kMul, kAny)    \
  X(div, 0x02004033, 0xfe00707f, kR, kDiv, kAny)      \
  X(divu, 0x02005033, 0xfe00707f, kR, kDiv, kAny)     \
  X(rem, 0x02006033, 0xfe00707f, kR, kDiv, kAny)      \
  X(remu, 0x02007033, 0xfe00707f, kR, kDiv, kAny)     \
  X(mulw, 0x0200003b, 0xfe00707f, kR, kMul, k64)      \
  X(divw, 0x0200403b, 0xfe00707f, kR, kDiv, k64)      \
  X(divuw, 0x0200503b, 0xfe00707f, kR, kDiv, k64)     \
  X(remw, 0x0200603b, 0xfe00707f, kR, kDiv, k64)      \
  X(remuw, 0x0200703b, 0xfe00707f, kR, kDiv, k64)

#define VP_CPU_BRANCH_OPCODES(X)                     \
  X(beq, 0x00000063, 0x0000707f, kB, kBranch, kAny)  \
  X(bne, 0x00001063, 0x0000707f, kB, kBranch, kAny)  \
  X(blt, 0x00004063, 0x0000707f, kB, kBranch, kAny)  \
  X(bge, 0x00005063, 0x0000707f, kB, kBranch, kAny)  \
  X(bltu, 0x00006063, 0x0000707f, kB, kBranch, kAny) \
  X(bgeu, 0x00007063, 0x0000707f, kB, kBranch, kAny)

// With handlers of their own.
#define VP_CPU_JUMP_OPCODES(X)                     \
  X(jal, 0x0000006f, 0x0000007f, kJ, kJump, kAny)  \
  X(jalr, 0x00000067, 0x0000707f, kI, kJump, kAny) \
  X(fence, 0x0000000f, 0x0000707f, kNone, kFence, kAny)

#define VP_CPU_FAST_OPCODES(X) VP_CPU_PLAIN_OPCODES(X) VP_CPU_BRANCH_OPCODES(X) VP_CPU_JUMP_OPCODES(X)

// F and D: the same operations in the same order, so that the single form of a double one is as far from the first.
#define VP_CPU_SINGLE_OPCODES(X)                                        \
  X(flw, 0x00002007, 0x0000707f, kFloatLoad, kLoad, kAny)               \
  X(fsw, 0x00002027, 0x0000707f, kFloatStore, kStore, kAny)             \
  X(fmadd_s, 0x00000043, 0x0600007f, kFloatFused, kFloat, kAny)         \
  X(fmsub_s, 0x00000047, 0x0600007f, kFloatFused, kFloat, kAny)         \
  X(fnmsub_s, 0x0000004b, 0x0600007f, kFloatFused, kFloat, kAny)        \
  X(fnmadd_s, 0x0000004f, 0x0600007f, kFloatFused, kFloat, kAny)        \
  X(fadd_s, 0x00000053, 0xfe00007f, kFloatRounded, kFloat, kAny)        \
  X(fsub_s, 0x08000053, 0xfe00007f, kFloatRounded, kFloat, kAny)        \
  X(fmul_s, 0x10000053, 0xfe00007f, kFloatRounded, kFloat, kAny)        \
  X(fdiv_s, 0x18000053, 0xfe00007f, kFloatRounded, kFloatDivide, kAny)  \
  X(fsqrt_s, 0x58000053, 0xfff0007f, kFloatRounded, kFloatDivide, kAny) \
  X(fsgnj_s, 0x20000053, 0xfe00707f, kFloatExact, kFloat, kAny)         \
  X(fsgnjn_s, 0x20001053, 0xfe00707f, kFloatExact, kFloat, kAny)        \
  X(fsgnjx_s, 0x20002053, 0xfe00707f, kFloatExact, kFloat, kAny)        \
  X(fmin_s, 0x28000053, 0xfe00707f, kFloatExact, kFloat, kAny)          \
  X(fmax_s, 0x28001053, 0xfe00707f, kFloatExact, kFloat, kAny)          \
  X(fcvt_s_d, 0x40100053, 0xfff0007f, kFloatRounded, kFloat, kAny)      \
  X(feq_s, 0xa0002053, 0xfe00707f, kFloatToExact, kFloat, kAny)         \
  X(flt_s, 0xa0001053, 0xfe00707f, kFloatToExact, kFloat, kAny)         \
  X(fle_s, 0xa0000053, 0xfe00707f, kFloatToExact, kFloat, kAny)         \
  X(fclass_s, 0xe0001053, 0xfff0707f, kFloatToExact, kFloat, kAny)      \
  X(fcvt_w_s, 0xc0000053, 0xfff0007f, kFloatToRounded, kFloat, kAny)    \
  X(fcvt_wu_s, 0xc0100053, 0xfff0007f, kFloatToRounded, kFloat, kAny)   \
  X(fcvt_l_s, 0xc0200053, 0xfff0007f, kFloatToRounded, kFloat, k64)     \
  X(fcvt_lu_s, 0xc0300053, 0xfff0007f, kFloatToRounded, kFloat, k64)    \
  X(fcvt_s_w, 0xd0000053, 0xfff0007f, kFloatFromRounded, kFloat, kAny)  \
  X(fcvt_s_wu, 0xd0100053, 0xfff0007f, kFloatFromRounded, kFloat, kAny) \
  X(fcvt_s_l, 0xd0200053, 0xfff0007f, kFloatFromRounded, kFloat, k64)   \
  X(fcvt_s_lu, 0xd0300053, 0xfff0007f, kFloatFromRounded, kFloat, k64)  \
  X(fmv_x_w, 0xe0000053, 0xfff0707f, kFloatToExact, kFloat, kAny)       \
  X(fmv_w_x, 0xf0000053, 0xfff0707f, kFloatFromExact, kFloat, kAny)

#define VP_CPU_DOUBLE_OPCODES(X)                                        \
  X(fld, 0x00003007, 0x0000707f, kFloatLoad, kLoad, kAny)               \
  X(fsd, 0x00003027, 0x0000707f, kFloatStore, kStore, kAny)             \
  X(fmadd_d, 0x02000043, 0x0600007f, kFloatFused, kFloat, kAny)         \
  X(fmsub_d, 0x02000047, 0x0600007f, kFloatFused, kFloat, kAny)         \
  X(fnmsub_d, 0x0200004b, 0x0600007f, kFloatFused, kFloat, kAny)        \
  X(fnmadd_d, 0x0200004f, 0x0600007f, kFloatFused, kFloat, kAny)        \
  X(fadd_d, 0x02000053, 0xfe00007f, kFloatRounded, kFloat, kAny)        \
  X(fsub_d, 0x0a000053, 0xfe00007f, kFloatRounded, kFloat, kAny)        \
  X(fmul_d, 0x12000053, 0xfe00007f, kFloatRounded, kFloat, kAny)        \
  X(fdiv_d, 0x1a000053, 0xfe00007f, kFloatRounded, kFloatDivide, kAny)  \
  X(fsqrt_d, 0x5a000053, 0xfff0007f, kFloatRounded, kFloatDivide, kAny) \
  X(fsgnj_d, 0x22000053, 0xfe00707f, kFloatExact, kFloat, kAny)         \
  X(fsgnjn_d, 0x22001053, 0xfe00707f, kFloatExact, kFloat, kAny)        \
  X(fsgnjx_d, 0x22002053, 0xfe00707f, kFloatExact, kFloat, kAny)        \
  X(fmin_d, 0x2a000053, 0xfe00707f, kFloatExact, kFloat, kAny)          \
  X(fmax_d, 0x2a001053, 0xfe00707f, kFloatExact, kFloat, kAny)          \
  X(fcvt_d_s, 0x42000053, 0xfff0007f, kFloatRounded, kFloat, kAny)      \
  X(feq_d, 0xa2002053, 0xfe00707f, kFloatToExact, kFloat, kAny)         \
  X(flt_d, 0xa2001053, 0xfe00707f, kFloatToExact, kFloat, kAny)         \
  X(fle_d, 0xa2000053, 0xfe00707f, kFloatToExact, kFloat, kAny)         \
  X(fclass_d, 0xe2001053, 0xfff0707f, kFloatToExact, kFloat, kAny)      \
  X(fcvt_w_d, 0xc2000053, 0xfff0007f, kFloatToRounded, kFloat, kAny)    \
  X(fcvt_wu_d, 0xc2100053, 0xfff0007f, kFloatToRounded, kFloat, kAny)   \
  X(fcvt_l_d, 0xc2200053, 0xfff0007f, kFloatToRounded, kFloat, k64)     \
  X(fcvt_lu_d, 0xc2300053, 0xfff0007f, kFloatToRounded, kFloat, k64)    \
  X(fcvt_d_w, 0xd2000053, 0xfff0007f, kFloatFromRounded, kFloat, kAny)  \
  X(fcvt_d_wu, 0xd2100053, 0xfff0007f, kFloatFromRounded, kFloat, kAny) \
  X(fcvt_d_l, 0xd2200053, 0xfff0007f, kFloatFromRounded, kFloat, k64)   \
  X(fcvt_d_lu, 0xd2300053, 0xfff0007f, kFloatFromRounded, kFloat, k64)  \
  X(fmv_x_d, 0xe2000053, 0xfff0707f, kFloatToExact, kFloat, k64)        \
  X(fmv_d_x, 0xf2000053, 0xfff0707f, kFloatFromExact, kFloat, k64)

#define VP_CPU_FLOAT_OPCODES(X) VP_CPU_SINGLE_OPCODES(X) VP_CPU_DOUBLE_OPCODES(X)

// Those with a place in the inner loop.
#define VP_CPU_INNER_OPCODES(X) VP_CPU_FAST_OPCODES(X) VP_CPU_FLOAT_OPCODES(X)

// Leave the inner loop and are done in plain C++ (Hart::complex).
#define VP_CPU_COMPLEX_OPCODES(X)                         \
  X(fence_i, 0x0000100f, 0x0000707f, kNone, kFence, kAny) \
  X(ecall, 0x00000073, 0xffffffff, kNone, kSystem, kAny)  \
  X(ebreak, 0x00100073, 0xffffffff, kNone, kSystem, kAny) \
  X(mret, 0x30200073, 0xffffffff, kNone, kSystem, kAny)   \
  X(sret, 0x10200073, 0xffffffff, kNone, kSystem, kAny)   \
  X(sfence_vma, 0x12000073, 0xfe007fff, kR, kFence, kAny) \
  X(wfi, 0x10500073, 0xffffffff, kNone, kSystem, kAny)    \
  X(csrrw, 0x00001073, 0x0000707f, kCsr, kCsr, kAny)      \
  X(csrrs, 0x00002073, 0x0000707f, kCsr, kCsr, kAny)      \
  X(csrrc, 0x00003073, 0x0000707f, kCsr, kCsr, kAny)      \
  X(csrrwi, 0x00005073, 0x0000707f, kCsr, kCsr, kAny)     \
  X(csrrsi, 0x00006073, 0x0000707f, kCsr, kCsr, kAny)     \
  X(csrrci, 0x00007073, 0x0000707f, kCsr, kCsr, kAny)     \
  X(lr_w, 0x1000202f, 0xf9f0707f, kR, kAmo, kAny)         \
  X(sc_w, 0x1800202f, 0xf800707f, kR, kAmo, kAny)         \
  X(amoswap_w, 0x0800202f, 0xf800707f, kR, kAmo, kAny)    \
  X(amoadd_w, 0x0000202f, 0xf800707f, kR, kAmo, kAny)     \
  X(amoxor_w, 0x2000202f, 0xf800707f, kR, kAmo, kAny)     \
  X(amoand_w, 0x6000202f, 0xf800707f, kR, kAmo, kAny)     \
  X(amoor_w, 0x4000202f, 0xf800707f, kR, kAmo, kAny)      \
  X(amomin_w, 0x8000202f, 0xf800707f, kR, kAmo, kAny)     \
  X(amomax_w, 0xa000202f, 0xf800707f, kR, kAmo, kAny)     \
  X(amominu_w, 0xc000202f, 0xf800707f, kR, kAmo, kAny)    \
  X(amomaxu_w, 0xe000202f, 0xf800707f, kR, kAmo, kAny)    \
  X(lr_d, 0x1000302f, 0xf9f0707f, kR, kAmo, k64)          \
  X(sc_d, 0x1800302f, 0xf800707f, kR, kAmo, k64)          \
  X(amoswap_d, 0x0800302f, 0xf800707f, kR, kAmo, k64)     \
  X(amoadd_d, 0x0000302f, 0xf800707f, kR, kAmo, k64)      \
  X(amoxor_d, 0x2000302f, 0xf800707f, kR, kAmo, k64)      \
  X(amoand_d, 0x6000302f, 0xf800707f, kR, kAmo, k64)      \
  X(amoor_d, 0x4000302f, 0xf800707f, kR, kAmo, k64)       \
  X(amomin_d, 0x8000302f, 0xf800707f, kR, kAmo, k64)      \
  X(amomax_d, 0xa000302f, 0xf800707f, kR, kAmo, k64)      \
  X(amominu_d, 0xc000302f, 0xf800707f, kR, kAmo, k64)     \
  X(amomaxu_d, 0xe000302f, 0xf800707f, kR, kAmo, k64)

#define VP_CPU_OPCODES(X) VP_CPU_INNER_OPCODES(X) VP_CPU_COMPLEX_OPCODES(X)

// clang-format off
/// Neighbours that compiled code is full of, done in one step of the inner loop: X(first, second).
#define VP_CPU_FUSED_PAIRS(X)                                                                                        \
  X(addi, addi) X(addi, add) X(add, addi) X(addi, addiw) X(addiw, addi) X(addi, addw) X(slli, add) X(slli, srli)     \
  X(slli, srai) X(slliw, srliw) X(slliw, sraiw) X(srliw, srli) X(lui, addi) X(lui, addiw) X(auipc, addi)             \
  X(andi, srliw) X(andi, srli) X(xor_, andi) X(mul, add) X(mulw, addw) X(addi, mul) X(addi, mulw) X(lb, lb)          \
  X(lbu, lbu) X(lh, lh) X(lw, lw) X(ld, ld) X(lbu, addi) X(lh, addi) X(lw, addi) X(ld, addi) X(lw, add) X(lw, addw)  \
  X(add, lbu) X(add, lw) X(add, ld) X(addi, lbu) X(addi, lw) X(addi, ld) X(sw, sw) X(sd, sd) X(sb, addi) X(sh, addi) \
  X(sw, addi) X(sd, addi)
#define VP_CPU_FUSED_BRANCHES(X)                                                                                  \
  X(addi, beq) X(addi, bne) X(addi, blt) X(addi, bge) X(addi, bltu) X(addi, bgeu) X(addiw, beq) X(addiw, bne)     \
  X(addw, bne) X(add, bne) X(andi, beq) X(andi, bne) X(srli, beq) X(srli, bne) X(lbu, beq) X(lbu, bne) X(lw, beq) \
  X(lw, bne) X(ld, beq) X(ld, bne) X(lh, blt) X(lw, blt)
// clang-format on
