/* SPDX-License-Identifier: GPL-2.0 */
/* The check of a program before it is fed. It needs nothing of the kernel, so that it is tested and
 * fuzzed outside of it.
 */
#ifndef TINYTPU_PROGRAM_H
#define TINYTPU_PROGRAM_H

#include "tinytpu_uapi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instructions of the longest program, its synchronize included. */
enum { TINYTPU_MAX_INSTRUCTIONS = 262144 };

/* Where the regions of a device's window lie. */
struct tinytpu_layout {
	__u32 stride;
	__u64 weights_size, unified_offset, unified_size;
	__u64 instruction_offset; /* of the runtime counter; the three instruction words follow */
	__u64 window_size;
};

/* 0, or -1 for sizes that cannot be. The rule is the device's: see models/tinytpu/README.md. */
int tinytpu_lay_out(const struct tinytpu_ioc_info *info, struct tinytpu_layout *layout);

/* One instruction that is `last` or not. */
enum tinytpu_refusal tinytpu_check_instruction(const struct tinytpu_ioc_info *info,
					       const struct tinytpu_instruction_words *words,
					       int last);

/* All instructions of a program. *bad is the number of the one that is refused. */
enum tinytpu_refusal tinytpu_check_program(const struct tinytpu_ioc_info *info,
					   const struct tinytpu_instruction_words *words,
					   __u64 count, __u64 *bad);

/* Cycles that an instruction keeps its unit busy at most. */
__u64 tinytpu_instruction_cycles(const struct tinytpu_ioc_info *info,
				 const struct tinytpu_instruction_words *words);

/* Whether it is a synchronize, by its opcode alone. */
int tinytpu_is_synchronize(const struct tinytpu_instruction_words *words);

#ifdef __cplusplus
}
#endif

#endif
