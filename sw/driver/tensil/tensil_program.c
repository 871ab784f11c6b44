#include "sw/driver/tensil/tensil_program.h"

#include <errno.h>
#include <string.h>

enum { NO_OP = 0, MAT_MUL = 1, DATA_MOVE = 2, LOAD_WEIGHT = 3, SIMD = 4, CONFIGURE_V1 = 0xF, CONFIGURE_V2 = 7 };
enum { SIMD_OPERATION_BITS = 4, CONFIGURE_REGISTER_BITS = 4 };

// Bits that number `count` things.
static uint32_t bits_for(uint32_t count) {
  uint32_t bits = 0;
  while (bits < 32 && (UINT64_C(1) << bits) < count) ++bits;
  return bits;
}
static uint32_t whole_bytes(uint32_t bits) { return (bits + 7) / 8 * 8; }
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

int tensil_layout_init(struct tensil_layout* layout, const struct tensil_architecture* a) {
  if (a->array_size < 2 || a->scalar_bytes == 0 || a->dram0_depth < 2 || a->dram1_depth < 2 || a->local_depth < 2 ||
      a->accumulator_depth < 2 || a->stride0_depth == 0 || a->stride1_depth == 0)
    return -EINVAL;
  const uint32_t local = bits_for(a->local_depth), accumulator = bits_for(a->accumulator_depth);
  const uint32_t dram0 = bits_for(a->dram0_depth), dram1 = bits_for(a->dram1_depth);
  layout->simd_register = bits_for(a->simd_registers_depth + 1);
  layout->address0 = larger(local, accumulator);
  layout->address1 = larger(layout->address0, larger(dram0, dram1));
  layout->operand0 = whole_bytes(layout->address0 + bits_for(a->stride0_depth));
  layout->operand1 = whole_bytes(layout->address1 + bits_for(a->stride1_depth));
  layout->operand2 =
      whole_bytes(larger(larger(smaller(local, accumulator), larger(smaller(local, dram0), smaller(local, dram1))),
                         SIMD_OPERATION_BITS + 3 * layout->simd_register));
  layout->instruction_bytes = (layout->operand0 + layout->operand1 + layout->operand2) / 8 + 1;
  return layout->instruction_bytes <= TENSIL_LONGEST_INSTRUCTION ? 0 : -EINVAL;
}

int tensil_encoder_init(struct tensil_encoder* encoder, const struct tensil_architecture* architecture) {
  if (architecture->encoding != 1 && architecture->encoding != 2) return -EINVAL;
  encoder->configure = architecture->encoding == 1 ? CONFIGURE_V1 : CONFIGURE_V2;
  return tensil_layout_init(&encoder->layout, architecture);
}

// All operands start at a whole byte.
static void put(uint8_t* bytes, uint32_t bit, uint32_t width, uint64_t value) {
  for (uint32_t i = 0; i < width / 8; ++i) bytes[bit / 8 + i] = (uint8_t)(i < 8 ? value >> (8 * i) : 0);
}

static void append(const struct tensil_encoder* encoder, struct tensil_program* program, uint32_t opcode,
                   uint32_t flags, uint64_t operand0, uint64_t operand1, uint64_t operand2) {
  const struct tensil_layout* l = &encoder->layout;
  if (program->capacity - program->size < l->instruction_bytes) {
    program->full = 1;
    return;
  }
  uint8_t* to = program->bytes + program->size;
  put(to, 0, l->operand0, operand0);
  put(to, l->operand0, l->operand1, operand1);
  put(to, l->operand0 + l->operand1, l->operand2, operand2);
  to[l->instruction_bytes - 1] = (uint8_t)(opcode << 4 | flags);
  program->size += l->instruction_bytes;
}

void tensil_no_op(const struct tensil_encoder* encoder, struct tensil_program* program) {
  append(encoder, program, NO_OP, 0, 0, 0, 0);
}

void tensil_mat_mul(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned flags,
                    uint32_t local, uint32_t accumulator, uint32_t vectors) {
  append(encoder, program, MAT_MUL, flags, local, accumulator, vectors - 1);
}

void tensil_data_move(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned flow,
                      uint32_t local, uint32_t other, uint32_t vectors) {
  append(encoder, program, DATA_MOVE, flow, local, other, vectors - 1);
}

void tensil_load_weight(const struct tensil_encoder* encoder, struct tensil_program* program, uint32_t local,
                        uint32_t vectors) {
  append(encoder, program, LOAD_WEIGHT, 0, local, vectors - 1, 0);
}

void tensil_simd(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned flags,
                 unsigned operation, unsigned left, unsigned right, unsigned destination, uint32_t written,
                 uint32_t read) {
  const uint32_t width = encoder->layout.simd_register;
  const uint32_t word = operation << (3 * width) | left << (2 * width) | right << width | destination;
  append(encoder, program, SIMD, flags, written, read, word);
}

// Register and value are one field over all operands.
void tensil_configure(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned reg,
                      uint32_t value) {
  const struct tensil_layout* l = &encoder->layout;
  const uint64_t word = (uint64_t)value << CONFIGURE_REGISTER_BITS | reg;
  append(encoder, program, encoder->configure, 0, word & ((UINT64_C(1) << l->operand0) - 1), word >> l->operand0, 0);
}
