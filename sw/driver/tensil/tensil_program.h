// Instructions of the Tensil TCU: a builder of programs. All addresses and counts are in vectors of the array's size;
// strides are exponents of two.
#ifndef SW_DRIVER_TENSIL_PROGRAM_H
#define SW_DRIVER_TENSIL_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How a TCU was built, as its .tarch file says.
struct tensil_architecture {
  uint32_t array_size;
  uint32_t scalar_bytes;  // in DRAM: 1, 2 or 4
  uint32_t dram0_depth, dram1_depth, local_depth, accumulator_depth;
  uint32_t simd_registers_depth, stride0_depth, stride1_depth;
  uint32_t encoding;  // 1: 4-bit opcode, Configure 0xF; 2: 3-bit opcode, Configure 7. One thread
};

// Bits of the three operands.
struct tensil_layout {
  uint32_t address0, address1;            // of the addresses, below the strides
  uint32_t operand0, operand1, operand2;  // whole bytes
  uint32_t simd_register;                 // of the number of a SIMD register
  uint32_t instruction_bytes;
};

enum { TENSIL_LONGEST_INSTRUCTION = 16 };

// A program in memory. Its functions append nothing once it is full, and it says so.
struct tensil_program {
  uint8_t* bytes;
  size_t size, capacity;
  int full;  // an instruction had no room
};

// Data flows of a DataMove.
enum {
  TENSIL_DRAM0_TO_LOCAL = 0x0,
  TENSIL_LOCAL_TO_DRAM0 = 0x1,
  TENSIL_DRAM1_TO_LOCAL = 0x2,
  TENSIL_LOCAL_TO_DRAM1 = 0x3,
  TENSIL_ACCUMULATOR_TO_LOCAL = 0xC,
  TENSIL_LOCAL_TO_ACCUMULATOR = 0xD,
  TENSIL_LOCAL_TO_ACCUMULATOR_ADDING = 0xF,
};
enum { TENSIL_ACCUMULATE = 1, TENSIL_ZEROES = 2 };                          // flags of a MatMul
enum { TENSIL_SIMD_READ = 1, TENSIL_SIMD_WRITE = 2, TENSIL_SIMD_ADD = 4 };  // flags of a SIMD instruction
enum {
  TENSIL_ZERO = 1,
  TENSIL_MOVE,
  TENSIL_NOT,
  TENSIL_AND,
  TENSIL_OR,
  TENSIL_INCREMENT,
  TENSIL_DECREMENT,
  TENSIL_ADD,
  TENSIL_SUBTRACT,
  TENSIL_MULTIPLY,
  TENSIL_ABS,
  TENSIL_GREATER,
  TENSIL_GREATER_EQUAL,
  TENSIL_MIN,
  TENSIL_MAX,
};
// Registers of Configure.
enum {
  TENSIL_DRAM0_OFFSET = 0x0,
  TENSIL_DRAM1_OFFSET = 0x4,
  TENSIL_TIMEOUT = 0x8,
  TENSIL_PROGRAM_COUNTER = 0xA,
  TENSIL_SAMPLE_INTERVAL = 0xB
};

// -EINVAL for an architecture that cannot be.
int tensil_layout_init(struct tensil_layout* layout, const struct tensil_architecture* architecture);

struct tensil_encoder {
  struct tensil_layout layout;
  uint32_t configure;  // its header
};
int tensil_encoder_init(struct tensil_encoder* encoder, const struct tensil_architecture* architecture);

void tensil_no_op(const struct tensil_encoder* encoder, struct tensil_program* program);
void tensil_mat_mul(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned flags,
                    uint32_t local, uint32_t accumulator, uint32_t vectors);
void tensil_data_move(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned flow,
                      uint32_t local, uint32_t other, uint32_t vectors);
void tensil_load_weight(const struct tensil_encoder* encoder, struct tensil_program* program, uint32_t local,
                        uint32_t vectors);
// left, right: 0 the vector read, k register k; destination: 0 none.
void tensil_simd(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned flags,
                 unsigned operation, unsigned left, unsigned right, unsigned destination, uint32_t written,
                 uint32_t read);
void tensil_configure(const struct tensil_encoder* encoder, struct tensil_program* program, unsigned reg,
                      uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
