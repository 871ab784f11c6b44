// SPDX-License-Identifier: GPL-2.0
#include "program.h"

enum {
	OP_NOP = 0x00,
	OP_READ_WEIGHTS = 0x08, /* bit 0: signed */
	OP_MULTIPLY = 0x20,	/* bit 0: signed data, bit 1: accumulate */
	OP_ACTIVATE = 0x80,	/* bit 4: signed, bits 3:0: function */
	OP_SYNCHRONIZE = 0xff,
	NO_ACTIVATION = 0,
	RELU = 1,
	SIGMOID = 9,
	ACCUMULATOR_ROWS = 512,
	/* What the units take beyond an instruction's rows, and the array's width twice: spec,
	   control timing. */
	UNIT_OVERHEAD_CYCLES = 32,
};

/* Bits 7:0 op, 39:8 length, then 79:40 a weight row, or 55:40 an accumulator row and 79:56 a buffer
 * row.
 */
struct fields {
	__u32 op, length;
	__u64 address;
	__u32 accumulator, buffer;
};

static struct fields decode(const struct tinytpu_instruction_words *words)
{
	struct fields f;

	f.op = words->lower & 0xff;
	f.length = words->lower >> 8 | words->middle << 24;
	f.address = (__u64)words->upper << 24 | words->middle >> 8;
	f.accumulator = f.address & 0xffff;
	f.buffer = f.address >> 16 & 0xffffff;
	return f;
}

static int beyond(__u64 row, __u64 rows, __u64 depth)
{
	return row > depth || rows > depth - row;
}

static __u64 next_power_of_two(__u64 value)
{
	__u64 power = 1;

	while (power < value)
		power <<= 1;
	return power;
}

int tinytpu_lay_out(const struct tinytpu_ioc_info *info, struct tinytpu_layout *layout)
{
	__u64 weights, unified, half;

	if (info->matrix_width < 2 || info->matrix_width > 256 || !info->weight_buffer_depth ||
	    !info->unified_buffer_depth)
		return -1;
	layout->stride = info->matrix_width <= 16 ? 16 : next_power_of_two(info->matrix_width);
	weights = next_power_of_two((__u64)layout->stride * info->weight_buffer_depth);
	unified = next_power_of_two((__u64)layout->stride * info->unified_buffer_depth);
	half = weights > 2 * unified ? weights : 2 * unified;
	if (half > 0x80000000u)
		return -1;
	layout->weights_size = weights;
	layout->unified_offset = half;
	layout->unified_size = unified;
	layout->instruction_offset = half + unified;
	layout->window_size = 2 * half;
	return 0;
}

static enum tinytpu_refusal check_multiply(const struct tinytpu_ioc_info *info,
					   const struct fields *f)
{
	/* Accumulator rows come round with the array's width. */
	__u32 rows = f->length < info->matrix_width ? f->length : info->matrix_width;

	if (beyond(f->buffer, f->length, info->unified_buffer_depth))
		return TINYTPU_BUFFER_ROWS;
	if (beyond(f->accumulator, rows, ACCUMULATOR_ROWS))
		return TINYTPU_ACCUMULATOR_ROWS_BEYOND;
	return TINYTPU_ACCEPTED;
}

static enum tinytpu_refusal check_activate(const struct tinytpu_ioc_info *info,
					   const struct fields *f)
{
	__u32 function = f->op & 0xf;

	if (function != NO_ACTIVATION && function != RELU && function != SIGMOID)
		return TINYTPU_BAD_ACTIVATION;
	if (beyond(f->buffer, f->length, info->unified_buffer_depth))
		return TINYTPU_BUFFER_ROWS;
	if (beyond(f->accumulator, f->length, ACCUMULATOR_ROWS))
		return TINYTPU_ACCUMULATOR_ROWS_BEYOND;
	return TINYTPU_ACCEPTED;
}

enum tinytpu_refusal tinytpu_check_instruction(const struct tinytpu_ioc_info *info,
					       const struct tinytpu_instruction_words *words,
					       int last)
{
	struct fields f = decode(words);

	if (words->upper > 0xffff)
		return TINYTPU_BAD_WORD;
	if (f.op == OP_SYNCHRONIZE || f.op == OP_NOP) {
		if (f.length || f.address)
			return TINYTPU_BAD_WORD;
		return f.op == OP_SYNCHRONIZE && !last ? TINYTPU_INNER_SYNCHRONIZE
						       : TINYTPU_ACCEPTED;
	}
	if ((f.op & ~1u) == OP_READ_WEIGHTS)
		return beyond(f.address, f.length, info->weight_buffer_depth) ? TINYTPU_WEIGHT_ROWS
									      : TINYTPU_ACCEPTED;
	if ((f.op & ~3u) == OP_MULTIPLY)
		return check_multiply(info, &f);
	if ((f.op & ~0x1fu) == OP_ACTIVATE)
		return check_activate(info, &f);
	return TINYTPU_BAD_OPCODE;
}

enum tinytpu_refusal tinytpu_check_program(const struct tinytpu_ioc_info *info,
					   const struct tinytpu_instruction_words *words,
					   __u64 count, __u64 *bad)
{
	__u64 i;

	*bad = 0;
	if (!count)
		return TINYTPU_EMPTY;
	/* Room for the synchronize that closes it. */
	if (count > TINYTPU_MAX_INSTRUCTIONS ||
	    (count == TINYTPU_MAX_INSTRUCTIONS && !tinytpu_is_synchronize(&words[count - 1])))
		return TINYTPU_TOO_LONG;
	for (i = 0; i < count; ++i) {
		enum tinytpu_refusal refusal =
			tinytpu_check_instruction(info, &words[i], i + 1 == count);

		if (refusal != TINYTPU_ACCEPTED) {
			*bad = i;
			return refusal;
		}
	}
	return TINYTPU_ACCEPTED;
}

__u64 tinytpu_instruction_cycles(const struct tinytpu_ioc_info *info,
				 const struct tinytpu_instruction_words *words)
{
	return (__u64)decode(words).length + 2 * info->matrix_width + UNIT_OVERHEAD_CYCLES;
}

int tinytpu_is_synchronize(const struct tinytpu_instruction_words *words)
{
	return (words->lower & 0xff) == OP_SYNCHRONIZE;
}
