// The life cycle of Tensil's own embedded driver through the names of Xilinx' hardware abstraction layer and of FatFs:
// both DMA engines set up, tested and their interrupts off, a program of settings, programs of whole words streamed in
// pieces and polled, samples taken meanwhile in blocks, the end awaited at the probe, samples counted by instruction.
// Sampling is on where the device tree has an engine for it. A file `program` (ff.c) replaces the built-in program,
// samples go to a file `samples`. Exit code 0 when all ends have come and the built-in program's results are right.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ff.h"
#include "firmware/board/board.h"
#include "firmware/board/device_tree.h"
#include "firmware/tensil/board_tensil.h"
#include "xaxidma.h"
#include "xil_cache.h"

enum { PROGRAM = 0x84000000, PROGRAM_BYTES = 0x2000000, SAMPLES = 0x87000000, SAMPLES_BYTES = 0x1000000 };
enum { DRAM = 0x88000000, OFFSET_UNIT = 1 << 16 };
enum { SAMPLE_BYTES = 8, SAMPLE_INTERVAL = 1000, TIMEOUT = 100, MAT_MULS = 100, ROUNDS = 2 };
enum { OPCODES = 16, MAT_MUL = 1 };

static struct {
  struct tensil tcu;  // its architecture and encoder only
  struct tensil_program buffer;
  XAxiDma instruction_dma, sample_dma;
  bool sampling;
  size_t sample_block;   // bytes
  size_t sample_offset;  // bytes that have been taken
} driver;

static int init_dma(u32 device, XAxiDma* dma) {
  XAxiDma_Config* const config = XAxiDma_LookupConfig(device);
  if (config == NULL || XAxiDma_CfgInitialize(dma, config) != XST_SUCCESS || XAxiDma_Selftest(dma) != XST_SUCCESS)
    return 1;
  XAxiDma_IntrDisable(dma, XAXIDMA_IRQ_ALL_MASK, XAXIDMA_DMA_TO_DEVICE);
  XAxiDma_IntrDisable(dma, XAXIDMA_IRQ_ALL_MASK, XAXIDMA_DEVICE_TO_DMA);
  return 0;
}

// The engine that takes the samples, and the size of its packets.
static bool find_sampling(u32* device) {
  struct device_tree_node node;
  uint32_t block;
  uint64_t address, size;
  if (!device_tree_find_having(board_get()->device_tree, "tensil,sample-block", 0, &node) ||
      !device_tree_cell(&node, "tensil,sample-block", 0, &block) || !device_tree_reg(&node, 0, &address, &size))
    return false;
  *device = address == XPAR_AXIDMA_0_BASEADDR ? XPAR_AXIDMA_0_DEVICE_ID : XPAR_AXIDMA_1_DEVICE_ID;
  driver.sample_block = (size_t)block * SAMPLE_BYTES;
  return true;
}

// The settings stand in front of the program, whose counter begins at one behind them.
static void begin_buffer(void) {
  driver.buffer.size = 0;
  if (driver.sampling) tensil_configure(&driver.tcu.encoder, &driver.buffer, TENSIL_PROGRAM_COUNTER, 1);
}

static int end_buffer(void) {
  tensil_append_probe(&driver.tcu, &driver.buffer);
  const size_t word = (size_t)driver.instruction_dma.TxBdRing.DataWidth;
  while (driver.buffer.size % word != 0 && !driver.buffer.full) tensil_no_op(&driver.tcu.encoder, &driver.buffer);
  Xil_DCacheFlushRange((UINTPTR)driver.buffer.bytes, driver.buffer.size);
  return driver.buffer.full;
}

static int start_instructions(size_t* offset) {
  size_t size = driver.buffer.size - *offset;
  if (size > driver.instruction_dma.TxBdRing.MaxTransferLen) size = driver.instruction_dma.TxBdRing.MaxTransferLen;
  size &= ~((size_t)driver.instruction_dma.TxBdRing.DataWidth - 1);
  const UINTPTR from = (UINTPTR)driver.buffer.bytes + *offset;
  *offset += size;
  return XAxiDma_SimpleTransfer(&driver.instruction_dma, from, (u32)size, XAXIDMA_DMA_TO_DEVICE) != XST_SUCCESS;
}
static bool instructions_busy(void) { return XAxiDma_Busy(&driver.instruction_dma, XAXIDMA_DMA_TO_DEVICE); }

static int start_sampling(void) {
  if (driver.sample_block > SAMPLES_BYTES - driver.sample_offset) return 1;
  return XAxiDma_SimpleTransfer(&driver.sample_dma, (UINTPTR)SAMPLES + driver.sample_offset, (u32)driver.sample_block,
                                XAXIDMA_DEVICE_TO_DMA) != XST_SUCCESS;
}
static bool samples_busy(void) { return XAxiDma_Busy(&driver.sample_dma, XAXIDMA_DEVICE_TO_DMA); }
static void complete_sampling(void) {
  driver.sample_offset += XAxiDma_ReadReg(driver.sample_dma.RxBdRing[0].ChanBase, XAXIDMA_BUFFLEN_OFFSET);
}

static int run_sampled(void) {
  size_t offset = 0;
  bool sampling = false, streaming = false;
  driver.sample_offset = 0;
  while (offset != driver.buffer.size) {
    if (!streaming && start_instructions(&offset) != 0) return 1;
    if (!sampling && start_sampling() != 0) return 1;
    do {
      sampling = samples_busy();
      streaming = instructions_busy();
    } while (sampling && streaming);
    if (!sampling) complete_sampling();
  }
  while (instructions_busy()) {
    if (!sampling && start_sampling() != 0) return 1;
    sampling = samples_busy();
    if (!sampling) complete_sampling();
  }
  if (sampling) {
    while (samples_busy()) {
    }
    complete_sampling();
  }
  return 0;
}

static int run_unsampled(void) {
  for (size_t offset = 0; offset != driver.buffer.size;) {
    if (start_instructions(&offset) != 0) return 1;
    while (instructions_busy()) {
    }
  }
  return 0;
}

static int run(void) {
  const size_t length = tensil_vector_bytes(&driver.tcu);
  uint8_t* const to = driver.tcu.place.dram0 + (size_t)(driver.tcu.architecture.dram0_depth - 2) * length;
  memset(to + length, 0, length);
  memset(to, 0xFF, length);
  Xil_DCacheFlushRange((UINTPTR)to, 2 * length);
  if ((driver.sampling ? run_sampled() : run_unsampled()) != 0) return 1;
  do {
    Xil_DCacheFlushRange((UINTPTR)to, 2 * length);
    __asm__ volatile("" ::: "memory");
  } while (memcmp(to, to + length, length) != 0);
  return 0;
}

static int configure(void) {
  const struct tensil_encoder* const e = &driver.tcu.encoder;
  begin_buffer();
  tensil_configure(e, &driver.buffer, TENSIL_DRAM0_OFFSET, (uint32_t)((UINTPTR)driver.tcu.place.dram0 / OFFSET_UNIT));
  tensil_configure(e, &driver.buffer, TENSIL_DRAM1_OFFSET, (uint32_t)((UINTPTR)driver.tcu.place.dram1 / OFFSET_UNIT));
  tensil_configure(e, &driver.buffer, TENSIL_TIMEOUT, TIMEOUT);
  if (driver.sampling) tensil_configure(e, &driver.buffer, TENSIL_SAMPLE_INTERVAL, SAMPLE_INTERVAL);
  return end_buffer() != 0 || run() != 0;
}

static int init(void) {
  u32 sample_device = XPAR_AXIDMA_1_DEVICE_ID;
  memset(&driver, 0, sizeof driver);
  if (board_tensil_architecture(&driver.tcu.architecture) != 0) return -1;
  if (tensil_encoder_init(&driver.tcu.encoder, &driver.tcu.architecture) != 0) return 1;
  driver.buffer = (struct tensil_program){(uint8_t*)(UINTPTR)PROGRAM, 0, PROGRAM_BYTES, 0};
  driver.tcu.place.dram0 = (uint8_t*)(UINTPTR)DRAM;
  driver.tcu.place.dram1 = board_tensil_dram1(&driver.tcu.architecture, driver.tcu.place.dram0);
  driver.sampling = find_sampling(&sample_device);
  if (init_dma(XPAR_AXIDMA_0_DEVICE_ID, &driver.instruction_dma) != 0) return 1;
  if (driver.sampling && init_dma(sample_device, &driver.sample_dma) != 0) return 1;
  return configure();
}

// As Tensil's driver reads its files: 0 no such file, -1 it cannot be read.
static int append_file(const char* name) {
  FILINFO info;
  FIL file;
  UINT bytes;
  struct tensil_program* const b = &driver.buffer;
  if (f_stat(name, &info) != FR_OK) return 0;
  if (info.fsize > b->capacity - b->size || f_open(&file, name, FA_READ) != FR_OK) return -1;
  const FRESULT result = f_read(&file, b->bytes + b->size, info.fsize, &bytes);
  f_close(&file);
  b->size += bytes;
  return result == FR_OK ? 1 : -1;
}

// Many products of zeroes: all results are the bias, vector 0 of DRAM1, which goes to vector 0 of DRAM0.
static void append_program(void) {
  const struct tensil_encoder* const e = &driver.tcu.encoder;
  const uint32_t vectors = driver.tcu.architecture.accumulator_depth / 2;
  tensil_data_move(e, &driver.buffer, TENSIL_DRAM1_TO_LOCAL, 0, 0, 1);
  tensil_load_weight(e, &driver.buffer, 0, 1);
  for (unsigned i = 0; i < MAT_MULS; ++i) tensil_mat_mul(e, &driver.buffer, TENSIL_ZEROES, 0, 0, vectors);
  tensil_data_move(e, &driver.buffer, TENSIL_ACCUMULATOR_TO_LOCAL, 1, vectors - 1, 1);
  tensil_data_move(e, &driver.buffer, TENSIL_LOCAL_TO_DRAM0, 1, 0, 1);
}

// The first sample of the program: the counter falls when it begins.
static size_t first_sample(const uint8_t* samples) {
  uint32_t before = 0, now;
  for (size_t at = 0; at < driver.sample_offset; at += SAMPLE_BYTES, before = now) {
    memcpy(&now, samples + at, sizeof now);
    if (now < before) return at;
  }
  return 0;
}

// Counts the samples by the operation that the program has at their counter; returns their number.
static unsigned count_samples(unsigned counts[OPCODES]) {
  const uint8_t* const samples = (const uint8_t*)(UINTPTR)SAMPLES;
  const size_t length = driver.tcu.encoder.layout.instruction_bytes;
  unsigned valid = 0;
  memset(counts, 0, OPCODES * sizeof counts[0]);
  for (size_t at = first_sample(samples) + SAMPLE_BYTES; at < driver.sample_offset; at += SAMPLE_BYTES, ++valid) {
    uint32_t counter;
    memcpy(&counter, samples + at, sizeof counter);
    if (counter * length >= driver.buffer.size) break;
    ++counts[driver.buffer.bytes[counter * length + length - 1] >> 4];
  }
  return valid;
}

static int report_samples(bool built_in) {
  static const char* const names[] = {"NoOp", "MatMul", "DataMove", "LoadWeight", "SIMD"};
  unsigned counts[OPCODES];
  const unsigned valid = count_samples(counts);
  printf("samples: %u, of the program: %u\n", (unsigned)(driver.sample_offset / SAMPLE_BYTES), valid);
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i) printf("  %-10s %u\n", names[i], counts[i]);
  FIL file;
  UINT bytes;
  if (f_open(&file, "samples", FA_WRITE | FA_CREATE_ALWAYS) == FR_OK) {
    f_write(&file, (const void*)(UINTPTR)SAMPLES, (UINT)driver.sample_offset, &bytes);
    f_close(&file);
  }
  const unsigned expected = MAT_MULS * (driver.tcu.architecture.accumulator_depth / 2) / SAMPLE_INTERVAL;
  return built_in && (counts[MAT_MUL] + 2 < expected || counts[MAT_MUL] > expected + 2);
}

static int complain(const char* what) {
  printf("tensil_hal: %s\n", what);
  return 1;
}

int main(void) {
  const int result = init();
  if (result < 0) {
    printf("tensil_hal: skipped, no Tensil TCU in the device tree\n");
    return 0;
  }
  if (result > 0) return complain("the engines are not as they should be");
  begin_buffer();
  const int from_file = append_file("0:/program");
  if (from_file < 0) return complain("the program cannot be read");
  if (from_file == 0) append_program();
  if (end_buffer() != 0) return complain("the program has no room");
  const size_t length = tensil_vector_bytes(&driver.tcu);
  for (unsigned round = 0; round < ROUNDS; ++round) {
    for (size_t i = 0; i < length; ++i) driver.tcu.place.dram1[i] = (uint8_t)(round + i);
    if (run() != 0) return complain("FAILED");
    if (from_file == 0 && memcmp(driver.tcu.place.dram0, driver.tcu.place.dram1, length) != 0)
      return complain("FAILED, a result is wrong");
  }
  if (driver.sampling && report_samples(from_file == 0) != 0) return complain("FAILED, samples do not fit the program");
  printf("tensil_hal: passed, %u programs of %u bytes\n", (unsigned)ROUNDS, (unsigned)driver.buffer.size);
  return 0;
}
