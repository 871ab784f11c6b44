// Runs a network that Tensil's compiler made, from files that were loaded into memory (run --load FILE@ADDRESS). The
// boot arguments say where they are and what the .tmodel file says of them, all numbers in any C notation:
//   program=ADDRESS,BYTES     constants=ADDRESS,VECTORS     images=ADDRESS,COUNT,LANES
//   input=VECTOR,VECTORS      output=VECTOR,VECTORS         (of DRAM0)
// Images are raw scalars, so many lanes of each vector; the other lanes are zero. Prints the first ten scalars of each
// output, raw.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/board/cpu.h"
#include "firmware/tensil/board_tensil.h"
#include "firmware/tensil/boot_arguments.h"

enum { DRAM = 0x88000000, PROGRAM = 0x81000000, SHOWN = 10 };

static struct tensil tcu;
static _Alignas(1024) uint8_t scratch[256];

struct numbers {
  uint32_t value[3];
};

// The numbers behind "NAME=" among the boot arguments.
static bool argument(const char* name, unsigned count, struct numbers* numbers) {
  const char* from = boot_argument(name, NULL);
  for (unsigned i = 0; from != NULL && i < count; ++i) {
    char* end;
    numbers->value[i] = (uint32_t)strtoul(from, &end, 0);
    if (end == from || (i + 1 < count && *end != ',')) return false;
    from = end + 1;
  }
  return from != NULL;
}

static int complain(const char* what, int error) {
  printf("tensil_net: %s (error %d)\n", what, -error);
  return 1;
}

static void put_image(const uint8_t* from, uint32_t vector, uint32_t vectors, uint32_t part) {
  const uint32_t whole = tensil_vector_bytes(&tcu);
  uint8_t* to = tcu.place.dram0 + (size_t)vector * whole;
  for (uint32_t v = 0; v < vectors; ++v, to += whole, from += part) {
    memcpy(to, from, part);
    memset(to + part, 0, whole - part);
  }
}

static void show(unsigned image, uint32_t vector) {
  const uint8_t* from = tcu.place.dram0 + (size_t)vector * tensil_vector_bytes(&tcu);
  printf("image %u:", image);
  for (uint32_t i = 0; i < SHOWN && i < tcu.architecture.array_size; ++i) {
    int32_t value = 0;
    memcpy(&value, from + i * tcu.architecture.scalar_bytes, tcu.architecture.scalar_bytes);
    const unsigned unused = 32 - 8 * tcu.architecture.scalar_bytes;
    printf(" %" PRId32, (int32_t)((uint32_t)value << unused) >> unused);
  }
  printf("\n");
}

int main(void) {
  struct numbers program, constants, images, input, output;
  if (!argument("program", 2, &program) || !argument("constants", 2, &constants) || !argument("images", 3, &images) ||
      !argument("input", 2, &input) || !argument("output", 2, &output)) {
    printf("tensil_net: skipped, the boot arguments name no network\n");
    return 0;
  }
  struct tensil_architecture a;
  int error = board_tensil_architecture(&a);
  if (error != 0) return complain("no Tensil TCU in the device tree", error);
  uint8_t* const dram = (uint8_t*)(uintptr_t)DRAM;
  error = board_tensil_init(&tcu, dram, board_tensil_dram1(&a, dram));
  if (error != 0) return complain("the TCU of the device tree is not usable", error);
  if ((error = tensil_set_offsets(&tcu, scratch, sizeof scratch)) != 0)
    return complain("no end of the settings", error);
  tensil_load_constants(&tcu, 0, (const void*)(uintptr_t)constants.value[0], constants.value[1]);
  // The compiler's program tells no end: the probe goes behind it.
  uint8_t* const bytes = (uint8_t*)(uintptr_t)PROGRAM;
  memcpy(bytes, (const void*)(uintptr_t)program.value[0], program.value[1]);
  struct tensil_program whole = {bytes, program.value[1], (size_t)program.value[1] + sizeof scratch, 0};
  tensil_append_probe(&tcu, &whole);

  const uint32_t part = images.value[2] * a.scalar_bytes;
  uint64_t cycles = 0;
  for (uint32_t image = 0; image < images.value[1]; ++image) {
    put_image((const uint8_t*)(uintptr_t)images.value[0] + (size_t)image * input.value[1] * part, input.value[0],
              input.value[1], part);
    const uint64_t start = cpu_cycles();
    if ((error = tensil_run(&tcu, whole.bytes, (uint32_t)whole.size)) != 0)
      return complain("no end of the program", error);
    cycles += cpu_cycles() - start;
    show(image, output.value[0]);
  }
  printf("images: %" PRIu32 ", CPU cycles an image: %" PRIu64 "\n", images.value[1],
         images.value[1] != 0 ? cycles / images.value[1] : 0);
  return 0;
}
