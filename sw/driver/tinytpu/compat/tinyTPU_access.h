// The names of the original hardware's C driver, so that programs written for it compile and run unchanged (what else
// they include is in firmware/compat). Made for one device at a fixed address; new programs use tinytpu.h.
//
// As in the original, the size of the device is a constant of the program. Another size than the original's is chosen
// with -DTPU_VECTOR_SIZE=N (up to 16, for which the original's window is the same) when program and driver are
// compiled.
#ifndef SW_DRIVER_TINYTPU_COMPAT_TINYTPU_ACCESS_H
#define SW_DRIVER_TINYTPU_COMPAT_TINYTPU_ACCESS_H

#include <stdint.h>

#ifndef TPU_BASE
#define TPU_BASE (0x43C00000)
#endif
#define TPU_WEIGHT_BUFFER_BASE (TPU_BASE)
#define TPU_UNIFIED_BUFFER_BASE (TPU_BASE + 0x80000)
#define TPU_INSTRUCTION_BASE (TPU_BASE + 0x90000)

#define TPU_LOWER_WORD_OFFSET 0x4
#define TPU_MIDDLE_WORD_OFFSET 0x8
#define TPU_UPPER_WORD_OFFSET 0xC

#ifndef TPU_VECTOR_SIZE
#define TPU_VECTOR_SIZE 14
#endif
#define TPU_VECTOR_PADDING (((TPU_VECTOR_SIZE) + 3) / 4 * 4)  // bytes, in whole 32-bit lane words

#define WEIGHT_BUFFER_SIZE 32768  // rows
#define UNIFIED_BUFFER_SIZE 4096  // rows

#define TPU_CLOCK_CYCLE 5.625f  // nanoseconds

// The semicolons inside belong to the interface: programs exist that rely on them.
#define WRITE_32(addr, data) (*(volatile uint32_t*)(uintptr_t)(addr) = (data));
#define WRITE_16(addr, data) (*(volatile uint16_t*)(uintptr_t)(addr) = (data));
#define READ_32(addr) (*(volatile uint32_t*)(uintptr_t)(addr));

#ifdef __cplusplus
extern "C" {
#endif

typedef union tpu_vector {
  uint8_t byte_vector[TPU_VECTOR_SIZE];
  uint32_t transfer_vector[TPU_VECTOR_PADDING / sizeof(uint32_t)];
} tpu_vector_t;

// The 10 bytes of an instruction, by field or by transfer word.
typedef union __attribute__((__packed__)) instruction {
  struct __attribute__((__packed__)) {
    uint8_t op_code;
    uint8_t calc_length[4];
    union {
      struct {
        uint8_t acc_address[2];
        uint8_t buf_address[3];
      };
      uint8_t weight_address[5];
    };
  };
  struct __attribute__((__packed__)) {
    uint32_t lower_word;
    uint32_t middle_word;
    uint16_t upper_word;
  };
} instruction_t;

// All return 0, or EFAULT for a row outside the buffer.
int32_t write_weight_vector(tpu_vector_t* weight_vector, uint32_t weight_address);
int32_t write_input_vector(tpu_vector_t* input_vector, uint32_t buffer_address);
int32_t read_output_vector(tpu_vector_t* output_vector, uint32_t buffer_address);
int32_t write_instruction(instruction_t* instruction);
int32_t read_runtime(uint32_t* runtime_cycles);

#ifdef __cplusplus
}
#endif

#endif
