#include "firmware/tensil/board_tensil.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "firmware/board/board.h"
#include "firmware/board/cpu.h"
#include "firmware/board/device_tree.h"
#include "firmware/board/plic.h"

static const char compatible[] = "xlnx,axi-dma-1.00.a";

static void on_interrupt(void* tcu) { tensil_interrupt(tcu); }

static void wait(void* context, const volatile uint32_t* pieces, uint32_t seen) {
  (void)context;
  cpu_sleep_while_equal(pieces, seen);
}

// The first AXI DMA with a TCU at the other end of its stream.
static bool find_engine(struct board_device* place, struct device_tree_node* node) {
  uint32_t length;
  for (unsigned index = 0; board_find(compatible, index, place); ++index)
    if (device_tree_find_compatible(board_get()->device_tree, compatible, index, node) &&
        device_tree_property(node, "tensil,tcu", &length) != NULL)
      return true;
  return false;
}

// Whether the engine's first interrupt is that of MM2S.
static bool has_interrupt(const struct board_device* engine, const struct device_tree_node* node) {
  uint32_t length;
  const char* names = (const char*)device_tree_property(node, "interrupt-names", &length);
  return names != NULL && strcmp(names, "mm2s_introut") == 0 && engine->interrupt != 0 &&
         engine->interrupt < PLIC_SOURCES;
}

static void read_architecture(const struct device_tree_node* node, struct tensil_architecture* a) {
  memset(a, 0, sizeof *a);
  uint32_t length;
  const char* format = (const char*)device_tree_property(node, "tensil,tcu", &length);
  a->scalar_bytes = strcmp(format, "FP8BP4") == 0 ? 1 : strcmp(format, "FP16BP8") == 0 ? 2 : 4;
  device_tree_cell(node, "tensil,array-size", 0, &a->array_size);
  device_tree_cell(node, "tensil,dram0-depth", 0, &a->dram0_depth);
  device_tree_cell(node, "tensil,dram1-depth", 0, &a->dram1_depth);
  device_tree_cell(node, "tensil,local-depth", 0, &a->local_depth);
  device_tree_cell(node, "tensil,accumulator-depth", 0, &a->accumulator_depth);
  device_tree_cell(node, "tensil,simd-registers-depth", 0, &a->simd_registers_depth);
  device_tree_cell(node, "tensil,stride0-depth", 0, &a->stride0_depth);
  device_tree_cell(node, "tensil,stride1-depth", 0, &a->stride1_depth);
  device_tree_cell(node, "tensil,encoding", 0, &a->encoding);
}

int board_tensil_architecture(struct tensil_architecture* architecture) {
  struct board_device engine;
  struct device_tree_node node;
  if (!find_engine(&engine, &node)) return -ENODEV;
  read_architecture(&node, architecture);
  return 0;
}

uint8_t* board_tensil_dram1(const struct tensil_architecture* a, uint8_t* dram0) {
  const uintptr_t unit = 1 << 16;
  const uintptr_t end = (uintptr_t)dram0 + (uintptr_t)a->dram0_depth * a->array_size * a->scalar_bytes;
  return (uint8_t*)((end + unit - 1) / unit * unit);
}

int board_tensil_init(struct tensil* tcu, uint8_t* dram0, uint8_t* dram1) {
  struct board_device engine;
  struct device_tree_node node;
  if (!find_engine(&engine, &node)) return -ENODEV;
  struct tensil_architecture architecture;
  read_architecture(&node, &architecture);
  struct tensil_place place = {
      .dma = engine.base, .data_width = 32, .length_width = 26, .address_width = 32, .dram0 = dram0, .dram1 = dram1};
  device_tree_cell(&node, "xlnx,datawidth", 0, &place.data_width);
  device_tree_cell(&node, "xlnx,sg-length-width", 0, &place.length_width);
  device_tree_cell(&node, "xlnx,addrwidth", 0, &place.address_width);
  const int error = tensil_init(tcu, &place, &architecture);
  if (error != 0) return error;
  if (has_interrupt(&engine, &node)) {
    tensil_use_interrupt(tcu, wait, NULL);
    plic_connect(engine.interrupt, 1, on_interrupt, tcu);
    cpu_enable_interrupts();
  }
  return 0;
}
