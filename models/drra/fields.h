#pragma once

// The instruction set as one table: decoder, encoder, assembler, disassembler and the machine use these lists.
//
// F(name, lowest bit, width, default, kind, words). Bits count from the least significant one of the instruction's
// longest form; chunk 0, which holds the opcode, is the most significant one. A field of a chunk that a short form
// leaves out has its default. `words` names the values from 0 up, separated by commas; "" if they are plain numbers.

#define VP_DRRA_SD "s,d"  // static, dynamic: the field holds the number of a RACCU register
#define VP_DRRA_NY "n,y"
#define VP_DRRA_RW "r,w"
#define VP_DRRA_DPU_MODES                                                                                     \
  "idle,add,sum_acc,add_const,subt,subt_abs,mode_6,mult,mult_add,mult_const,mac,ld_ir,axpy,max_min_acc,"      \
  "max_min_const,mode_15,max_min,shift_l,shift_r,sigm,tanhyp,expon,lk_relu,relu,div,acc_softmax,div_softmax," \
  "ld_acc,scale_dw,scale_up,mac_inter,mode_31"

#define VP_DRRA_HALT_FIELDS(F)

#define VP_DRRA_REFI_FIELDS(F)                   \
  F(port_no, 75, 2, 0, plain, "w0,w1,r0,r1")     \
  F(extra, 73, 2, 0, plain, "")                  \
  F(init_addr_sd, 72, 1, 0, plain, VP_DRRA_SD)   \
  F(init_addr, 66, 6, 0, plain, "")              \
  F(l1_iter, 60, 6, 0, plain, "")                \
  F(init_delay, 54, 6, 0, plain, "")             \
  F(l1_iter_sd, 53, 1, 0, plain, VP_DRRA_SD)     \
  F(init_delay_sd, 52, 1, 0, plain, VP_DRRA_SD)  \
  F(unused_0, 50, 2, 2, plain, "")               \
  F(l1_step_sd, 49, 1, 0, plain, VP_DRRA_SD)     \
  F(l1_step, 43, 6, 1, plain, "")                \
  F(l1_step_sign, 42, 1, 0, plain, "plus,minus") \
  F(l1_delay_sd, 41, 1, 0, plain, VP_DRRA_SD)    \
  F(l1_delay, 37, 4, 0, plain, "")               \
  F(l2_iter_sd, 36, 1, 0, plain, VP_DRRA_SD)     \
  F(l2_iter, 31, 5, 0, plain, "")                \
  F(l2_step, 27, 4, 1, plain, "")                \
  F(unused_1, 23, 4, 3, plain, "")               \
  F(l2_delay_sd, 22, 1, 0, plain, VP_DRRA_SD)    \
  F(l2_delay, 16, 6, 0, plain, "")               \
  F(unused_2, 10, 6, 0, plain, "")               \
  F(l1_delay_ext, 8, 2, 0, plain, "")            \
  F(l2_iter_ext, 7, 1, 0, plain, "")             \
  F(l2_step_ext, 5, 2, 0, plain, "")             \
  F(unused_3, 2, 3, 0, plain, "")                \
  F(dimarch, 1, 1, 0, plain, VP_DRRA_NY)         \
  F(compress, 0, 1, 0, plain, VP_DRRA_NY)

#define VP_DRRA_DPU_FIELDS(F)                                      \
  F(mode, 18, 5, 0, plain, VP_DRRA_DPU_MODES)                      \
  F(control, 16, 2, 2, plain, "nosat_int,nosat_fx,sat_int,sat_fx") \
  F(unused_0, 10, 6, 2, plain, "")                                 \
  F(acc_clear, 2, 8, 0, plain, "")                                 \
  F(io_change, 0, 2, 0, plain, "no_change,negate_in0,negate_in1,abs_out")

#define VP_DRRA_SWB_FIELDS(F)                       \
  F(unused0, 22, 1, 1, plain, "")                   \
  F(src_row, 21, 1, 0, plain, "")                   \
  F(src_block, 20, 1, 0, plain, "rf,dpu")           \
  F(src_port, 19, 1, 0, plain, "")                  \
  F(hb_index, 16, 3, 0, plain, "")                  \
  F(send_to_other_row, 15, 1, 0, plain, VP_DRRA_NY) \
  F(v_index, 12, 3, 0, plain, "")

#define VP_DRRA_JUMP_FIELDS(F) F(pc, 17, 6, 0, plain, "")

#define VP_DRRA_WAIT_FIELDS(F)             \
  F(cycle_sd, 22, 1, 0, plain, VP_DRRA_SD) \
  F(cycle, 7, 15, 0, plain, "")

#define VP_DRRA_LOOP_FIELDS(F)             \
  F(extra, 49, 1, 0, plain, "")            \
  F(loopid, 47, 2, 0, plain, "")           \
  F(endpc, 41, 6, 0, plain, "")            \
  F(start_sd, 40, 1, 0, plain, VP_DRRA_SD) \
  F(start, 34, 6, 0, twos_complement, "")  \
  F(iter_sd, 33, 1, 0, plain, VP_DRRA_SD)  \
  F(iter, 27, 6, 0, plain, "")             \
  F(step_sd, 26, 1, 0, plain, VP_DRRA_SD)  \
  F(step, 20, 6, 1, twos_complement, "")   \
  F(link, 16, 4, 0, plain, "")

#define VP_DRRA_BW_FIELDS(F) F(config, 21, 2, 0, plain, "int16,int8,q4_11,int4")

#define VP_DRRA_RACCU_FIELDS(F)                                                   \
  F(mode, 20, 3, 0, plain, "idle,add,sub,shift_r,shift_l,mult,mult_add,mult_sub") \
  F(operand1_sd, 19, 1, 0, plain, VP_DRRA_SD)                                     \
  F(operand1, 12, 7, 0, twos_complement, "")                                      \
  F(operand2_sd, 11, 1, 0, plain, VP_DRRA_SD)                                     \
  F(operand2, 4, 7, 0, twos_complement, "")                                       \
  F(result, 0, 4, 0, plain, "")

#define VP_DRRA_BRANCH_FIELDS(F)                               \
  F(mode, 21, 2, 0, plain, "none,greater,equal,greater_equal") \
  F(false_pc, 15, 6, 0, plain, "")

#define VP_DRRA_ROUTE_FIELDS(F)             \
  F(horizontal_dir, 22, 1, 0, plain, "w,e") \
  F(horizontal_hops, 19, 3, 0, plain, "")   \
  F(vertical_dir, 18, 1, 0, plain, "s,n")   \
  F(vertical_hops, 15, 3, 0, plain, "")     \
  F(direction, 14, 1, 0, plain, VP_DRRA_RW) \
  F(select_drra_row, 13, 1, 0, plain, "")

#define VP_DRRA_SRAM_FIELDS(F)                  \
  F(rw, 76, 1, 0, plain, VP_DRRA_RW)            \
  F(init_addr, 69, 7, 0, plain, "")             \
  F(init_delay, 65, 4, 0, plain, "")            \
  F(l1_iter, 58, 7, 0, plain, "")               \
  F(l1_step, 50, 8, 1, twos_complement, "")     \
  F(l1_delay, 44, 6, 0, plain, "")              \
  F(l2_iter, 37, 7, 0, plain, "")               \
  F(l2_step, 29, 8, 1, twos_complement, "")     \
  F(l2_delay, 23, 6, 0, plain, "")              \
  F(init_addr_sd, 22, 1, 0, plain, VP_DRRA_SD)  \
  F(l1_iter_sd, 21, 1, 0, plain, VP_DRRA_SD)    \
  F(l2_iter_sd, 20, 1, 0, plain, VP_DRRA_SD)    \
  F(init_delay_sd, 19, 1, 0, plain, VP_DRRA_SD) \
  F(l1_delay_sd, 18, 1, 0, plain, VP_DRRA_SD)   \
  F(l2_delay_sd, 17, 1, 0, plain, VP_DRRA_SD)   \
  F(l1_step_sd, 16, 1, 0, plain, VP_DRRA_SD)    \
  F(l2_step_sd, 15, 1, 0, plain, VP_DRRA_SD)    \
  F(hops, 11, 4, 0, plain, "")

#define VP_DRRA_IO_FIELDS(F)                    \
  F(rw, 76, 1, 0, plain, VP_DRRA_RW)            \
  F(init_addr, 51, 25, 0, plain, "")            \
  F(init_delay, 45, 6, 0, plain, "")            \
  F(l1_iter, 40, 5, 0, plain, "")               \
  F(l1_step, 35, 5, 1, twos_complement, "")     \
  F(l1_delay, 29, 6, 0, plain, "")              \
  F(mask, 13, 16, 0, plain, "")                 \
  F(init_addr_sd, 12, 1, 0, plain, VP_DRRA_SD)  \
  F(init_delay_sd, 11, 1, 0, plain, VP_DRRA_SD) \
  F(l1_iter_sd, 10, 1, 0, plain, VP_DRRA_SD)    \
  F(l1_step_sd, 9, 1, 0, plain, VP_DRRA_SD)

#define VP_DRRA_PERM_FIELDS(F)                                                         \
  F(mode, 20, 3, 0, plain, "left,right,left_same,right_same,rotate_left,rotate_right") \
  F(block, 18, 2, 0, plain, "")                                                        \
  F(distance, 2, 16, 0, plain, "")

// I(operation, mnemonic, opcode, chunks of the longest form, fields). IO and PERM share their opcodes with others; the
// decoder profile decides (isa.h).
#define VP_DRRA_INSTRUCTIONS(I)                     \
  I(halt, "HALT", 0, 1, VP_DRRA_HALT_FIELDS)        \
  I(refi, "REFI", 1, 3, VP_DRRA_REFI_FIELDS)        \
  I(dpu, "DPU", 4, 1, VP_DRRA_DPU_FIELDS)           \
  I(swb, "SWB", 5, 1, VP_DRRA_SWB_FIELDS)           \
  I(jump, "JUMP", 6, 1, VP_DRRA_JUMP_FIELDS)        \
  I(wait, "WAIT", 7, 1, VP_DRRA_WAIT_FIELDS)        \
  I(loop, "LOOP", 8, 2, VP_DRRA_LOOP_FIELDS)        \
  I(bw, "BW", 9, 1, VP_DRRA_BW_FIELDS)              \
  I(raccu, "RACCU", 10, 1, VP_DRRA_RACCU_FIELDS)    \
  I(branch, "BRANCH", 11, 1, VP_DRRA_BRANCH_FIELDS) \
  I(route, "ROUTE", 12, 1, VP_DRRA_ROUTE_FIELDS)    \
  I(sram, "SRAM", 13, 3, VP_DRRA_SRAM_FIELDS)       \
  I(io, "IO", 13, 3, VP_DRRA_IO_FIELDS)             \
  I(perm, "PERM", 14, 1, VP_DRRA_PERM_FIELDS)

namespace vp::drra {

// The number of each field in its instruction: instruction[refi::init_addr].
#define VP_DRRA_FIELD_NUMBER(name, low, width, standard, kind, words) name,
namespace refi {
enum Field : unsigned { VP_DRRA_REFI_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace dpu {
enum Field : unsigned { VP_DRRA_DPU_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace swb {
enum Field : unsigned { VP_DRRA_SWB_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace jump {
enum Field : unsigned { VP_DRRA_JUMP_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace wait {
enum Field : unsigned { VP_DRRA_WAIT_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace loop {
enum Field : unsigned { VP_DRRA_LOOP_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace bw {
enum Field : unsigned { VP_DRRA_BW_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace raccu {
enum Field : unsigned { VP_DRRA_RACCU_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace branch {
enum Field : unsigned { VP_DRRA_BRANCH_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace route {
enum Field : unsigned { VP_DRRA_ROUTE_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace sram {
enum Field : unsigned { VP_DRRA_SRAM_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace io {
enum Field : unsigned { VP_DRRA_IO_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
namespace perm {
enum Field : unsigned { VP_DRRA_PERM_FIELDS(VP_DRRA_FIELD_NUMBER) field_count };
}
#undef VP_DRRA_FIELD_NUMBER

}  // namespace vp::drra
