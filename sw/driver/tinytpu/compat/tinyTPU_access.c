#include "sw/driver/tinytpu/compat/tinyTPU_access.h"

#include "sw/driver/tinytpu/tinytpu.h"

_Static_assert(TPU_VECTOR_SIZE <= 16, "the original's window has 16 bytes a vector: use tinytpu.h for wider arrays");
_Static_assert(sizeof(instruction_t) == 10, "an instruction is 80 bits");

// The device of the original's board, laid out at compile time as tinytpu_layout would.
static const struct tinytpu original = {
    .base = TPU_BASE,
    .geometry = {TPU_VECTOR_SIZE, WEIGHT_BUFFER_SIZE, UNIFIED_BUFFER_SIZE},
    .instruction_words = TPU_INSTRUCTION_BASE,
    .window = {.stride = 16,
               .unified_buffer = TPU_UNIFIED_BUFFER_BASE - TPU_BASE,
               .instruction = TPU_INSTRUCTION_BASE - TPU_BASE,
               .size = 0x100000},
};

// The driver's errors are negative, the original's positive.
int32_t write_weight_vector(tpu_vector_t* weight_vector, uint32_t weight_address) {
  return -tinytpu_write_weights(&original, weight_address, 1, weight_vector, 0);
}

int32_t write_input_vector(tpu_vector_t* input_vector, uint32_t buffer_address) {
  return -tinytpu_write_inputs(&original, buffer_address, 1, input_vector, 0);
}

int32_t read_output_vector(tpu_vector_t* output_vector, uint32_t buffer_address) {
  tpu_vector_t vector = {.transfer_vector = {0}};  // the padding bytes of the last lane word read as zero
  const int32_t error = -tinytpu_read_outputs(&original, buffer_address, 1, &vector, 0);
  if (error == 0) *output_vector = vector;
  return error;
}

int32_t write_instruction(instruction_t* instruction) {
  tinytpu_push(&original, (struct tinytpu_instruction){.lower = instruction->lower_word,
                                                       .middle = instruction->middle_word,
                                                       .upper = instruction->upper_word});
  return 0;
}

int32_t read_runtime(uint32_t* runtime_cycles) {
  *runtime_cycles = tinytpu_runtime(&original);
  return 0;
}
