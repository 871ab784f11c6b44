// A small network on the Tensil TCU: two dense layers with a ReLU between them, through the DMA engine and its
// interrupt. Weights and inputs are made up; every output is compared with the same arithmetic on the host. Exit code 0
// when all are equal.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/board/cpu.h"
#include "firmware/tensil/board_tensil.h"

enum { MOST_LANES = 64, IMAGES = 16, POINT = 8 };
enum { DRAM = 0x88000000, INPUT = 0, OUTPUT = 256 };  // OUTPUT, INPUT: vectors of DRAM0

static struct tensil tcu;
static uint32_t lanes;
static _Alignas(1024) uint8_t program_bytes[4096];
static int16_t constants[2][MOST_LANES + 1][MOST_LANES];  // of each layer: the bias, then a row for each input
static int16_t images[IMAGES][MOST_LANES];

static uint32_t seed = 1;
static int16_t any(int32_t most) {
  seed = seed * 1664525 + 1013904223;
  return (int16_t)((int32_t)(seed >> 8) % (2 * most + 1) - most);
}

static void fill(void) {
  for (unsigned layer = 0; layer < 2; ++layer)
    for (uint32_t row = 0; row <= lanes; ++row)
      for (uint32_t i = 0; i < lanes; ++i) constants[layer][row][i] = any(200);
  for (unsigned image = 0; image < IMAGES; ++image)
    for (uint32_t i = 0; i < lanes; ++i) images[image][i] = any(2000);
}

// x * y + z, rounded to nearest even, then saturated: what the array does at every step.
static int32_t multiply_add(int32_t x, int32_t y, int32_t z) {
  const int64_t exact = (int64_t)x * y + (int64_t)z * (1 << POINT);
  const int64_t rounded = (exact + (1 << (POINT - 1)) - 1 + (exact >> POINT & 1)) >> POINT;
  return rounded > INT16_MAX ? INT16_MAX : rounded < INT16_MIN ? INT16_MIN : (int32_t)rounded;
}

static void dense(unsigned layer, const int16_t* from, int16_t* to) {
  for (uint32_t i = 0; i < lanes; ++i) {
    int32_t sum = constants[layer][0][i];
    for (uint32_t j = 0; j < lanes; ++j) sum = multiply_add(from[j], constants[layer][j + 1][i], sum);
    to[i] = (int16_t)sum;
  }
}

static unsigned wrong_outputs(void) {
  const int16_t* outputs = (const int16_t*)(tcu.place.dram0 + (size_t)OUTPUT * tensil_vector_bytes(&tcu));
  unsigned wrong = 0;
  for (unsigned image = 0; image < IMAGES; ++image) {
    int16_t hidden[MOST_LANES], expected[MOST_LANES];
    dense(0, images[image], hidden);
    for (uint32_t i = 0; i < lanes; ++i)
      if (hidden[i] < 0) hidden[i] = 0;
    dense(1, hidden, expected);
    for (uint32_t i = 0; i < lanes; ++i) wrong += outputs[image * lanes + i] != expected[i];
  }
  return wrong;
}

// Local memory: constants of both layers, inputs, hidden values, outputs.
static size_t make_program(void) {
  const struct tensil_encoder* e = &tcu.encoder;
  struct tensil_program program = {program_bytes, 0, sizeof program_bytes, 0};
  const uint32_t layer = lanes + 1, input = 2 * layer, hidden = input + IMAGES, output = hidden + IMAGES;
  tensil_data_move(e, &program, TENSIL_DRAM1_TO_LOCAL, 0, 0, 2 * layer);
  tensil_data_move(e, &program, TENSIL_DRAM0_TO_LOCAL, input, INPUT, IMAGES);
  tensil_load_weight(e, &program, 0, layer);
  tensil_mat_mul(e, &program, 0, input, 0, IMAGES);
  tensil_simd(e, &program, 0, TENSIL_ZERO, 0, 0, 1, 0, 0);
  for (uint32_t i = 0; i < IMAGES; ++i)
    tensil_simd(e, &program, TENSIL_SIMD_READ | TENSIL_SIMD_WRITE, TENSIL_MAX, 0, 1, 0, i, i);
  tensil_data_move(e, &program, TENSIL_ACCUMULATOR_TO_LOCAL, hidden, 0, IMAGES);
  tensil_load_weight(e, &program, layer, layer);
  tensil_mat_mul(e, &program, 0, hidden, IMAGES, IMAGES);
  tensil_data_move(e, &program, TENSIL_ACCUMULATOR_TO_LOCAL, output, IMAGES, IMAGES);
  tensil_data_move(e, &program, TENSIL_LOCAL_TO_DRAM0, output, OUTPUT, IMAGES);
  tensil_append_probe(&tcu, &program);
  return program.full ? 0 : program.size;
}

static int complain(const char* what, int error) {
  printf("tensil_demo: %s (error %d)\n", what, -error);
  return 1;
}

int main(void) {
  struct tensil_architecture a;
  int error = board_tensil_architecture(&a);
  if (error == -ENODEV) {
    printf("tensil_demo: skipped, no Tensil TCU in the device tree\n");
    return 0;
  }
  lanes = a.array_size;
  if (a.scalar_bytes != 2 || lanes > MOST_LANES || a.simd_registers_depth < 1)
    return complain("takes 16-bit scalars, up to 64 of them", -EINVAL);
  uint8_t* const dram = (uint8_t*)(uintptr_t)DRAM;
  error = board_tensil_init(&tcu, dram, board_tensil_dram1(&a, dram));
  if (error != 0) return complain("the TCU of the device tree is not usable", error);
  printf("Tensil TCU: %" PRIu32 " x %" PRIu32 ", %s\n", lanes, lanes, tcu.wait != NULL ? "interrupt" : "polled");
  fill();
  for (unsigned layer = 0; layer < 2; ++layer)
    for (uint32_t row = 0; row <= lanes; ++row)
      tensil_load_constants(&tcu, layer * (lanes + 1) + row, constants[layer][row], 1);
  for (unsigned image = 0; image < IMAGES; ++image)
    for (uint32_t i = 0; i < lanes; ++i)
      ((int16_t*)(tcu.place.dram0 + (size_t)INPUT * tensil_vector_bytes(&tcu)))[image * lanes + i] = images[image][i];
  if ((error = tensil_set_offsets(&tcu, program_bytes, sizeof program_bytes)) != 0)
    return complain("no end of the settings", error);
  const size_t size = make_program();
  if (size == 0) return complain("the program has no room", -ENOSPC);
  const uint64_t start = cpu_cycles();
  if ((error = tensil_run(&tcu, program_bytes, (uint32_t)size)) != 0) return complain("no end of the program", error);
  const uint64_t finished = cpu_cycles();
  const unsigned wrong = wrong_outputs();
  printf("images: %u, streams accepted: %" PRIu32 ", CPU cycles: %" PRIu64 "\n", (unsigned)IMAGES, tcu.pieces,
         finished - start);
  printf("outputs equal to the reference: %u of %u\n", (unsigned)(IMAGES * lanes) - wrong, (unsigned)(IMAGES * lanes));
  printf("tensil_demo: %s\n", wrong == 0 ? "passed" : "FAILED");
  return wrong == 0 ? 0 : 1;
}
