#include "sw/driver/tensil/tensil.h"

#include <errno.h>
#include <string.h>

// A reset waits for the accesses that are on the bus, no longer.
enum { RESET_POLLS = 100000 };
enum { OFFSET_UNIT = 1 << 16, INTERRUPTS = TENSIL_IRQ_IOC | TENSIL_IRQ_ERROR };

static uint32_t read_register(const struct tensil* tcu, uint32_t offset) {
  return tensil_io_read32(tcu->place.dma + offset);
}
static void write_register(const struct tensil* tcu, uint32_t offset, uint32_t value) {
  tensil_io_write32(tcu->place.dma + offset, value);
}

static bool can_be(const struct tensil_place* place) {
  return (uintptr_t)place->dram0 % OFFSET_UNIT == 0 && (uintptr_t)place->dram1 % OFFSET_UNIT == 0 &&
         place->data_width >= 32 && place->data_width <= 1024 && place->length_width >= 8 && place->length_width <= 26;
}

static int reset(struct tensil* tcu) {
  write_register(tcu, TENSIL_MM2S_DMACR, TENSIL_CR_RESET);
  for (uint32_t poll = 0; read_register(tcu, TENSIL_MM2S_DMACR) & TENSIL_CR_RESET; ++poll)
    if (poll == RESET_POLLS) return -ETIMEDOUT;
  return 0;
}

int tensil_init(struct tensil* tcu, const struct tensil_place* place, const struct tensil_architecture* architecture) {
  memset(tcu, 0, sizeof *tcu);
  if (!can_be(place)) return -EINVAL;
  tcu->place = *place;
  tcu->architecture = *architecture;
  const int error = tensil_encoder_init(&tcu->encoder, architecture);
  return error != 0 ? error : reset(tcu);
}

void tensil_use_interrupt(struct tensil* tcu, tensil_wait wait, void* context) {
  tcu->wait = wait;
  tcu->wait_context = context;
}

static volatile uint8_t* probe_vector(const struct tensil* tcu, uint32_t from_end) {
  return tcu->place.dram0 + (size_t)(tcu->architecture.dram0_depth - from_end) * tensil_vector_bytes(tcu);
}

static void arm_probe(const struct tensil* tcu) {
  volatile uint8_t *zeros = probe_vector(tcu, 1), *ones = probe_vector(tcu, 2);
  for (uint32_t i = 0; i < tensil_vector_bytes(tcu); ++i) zeros[i] = 0, ones[i] = 0xFF;
}

static bool probe_has_come(const struct tensil* tcu) {
  const volatile uint8_t *from = probe_vector(tcu, 1), *to = probe_vector(tcu, 2);
  for (uint32_t i = tensil_vector_bytes(tcu); i-- > 0;)
    if (from[i] != to[i]) return false;
  return true;
}

void tensil_append_probe(const struct tensil* tcu, struct tensil_program* program) {
  const struct tensil_architecture* a = &tcu->architecture;
  tensil_data_move(&tcu->encoder, program, TENSIL_DRAM0_TO_LOCAL, a->local_depth - 1, a->dram0_depth - 1, 1);
  tensil_data_move(&tcu->encoder, program, TENSIL_LOCAL_TO_DRAM0, a->local_depth - 1, a->dram0_depth - 2, 1);
}

int tensil_set_offsets(struct tensil* tcu, uint8_t* scratch, size_t bytes) {
  struct tensil_program program = {scratch, 0, bytes, 0};
  tensil_configure(&tcu->encoder, &program, TENSIL_DRAM0_OFFSET, (uint32_t)((uintptr_t)tcu->place.dram0 / OFFSET_UNIT));
  tensil_configure(&tcu->encoder, &program, TENSIL_DRAM1_OFFSET, (uint32_t)((uintptr_t)tcu->place.dram1 / OFFSET_UNIT));
  tensil_append_probe(tcu, &program);
  return program.full ? -ENOSPC : tensil_run(tcu, scratch, (uint32_t)program.size);
}

void tensil_load_constants(struct tensil* tcu, uint32_t vector, const void* bytes, uint32_t vectors) {
  memcpy(tcu->place.dram1 + (size_t)vector * tensil_vector_bytes(tcu), bytes,
         (size_t)vectors * tensil_vector_bytes(tcu));
}

// Writing LENGTH starts the engine, so it comes last.
static void start_piece(struct tensil* tcu) {
  const uint32_t word = tcu->place.data_width / 8, most = ((UINT32_C(1) << tcu->place.length_width) - 1) / word * word;
  const uint32_t piece = tcu->left < most ? tcu->left : most;
  const uint64_t address = (uintptr_t)tcu->next;
  tcu->next += piece;
  tcu->left -= piece;
  write_register(tcu, TENSIL_MM2S_SA, (uint32_t)address);
  if (tcu->place.address_width > 32) write_register(tcu, TENSIL_MM2S_SA_MSB, (uint32_t)(address >> 32));
  write_register(tcu, TENSIL_MM2S_LENGTH, piece);
}

int tensil_start(struct tensil* tcu, const uint8_t* program, uint32_t bytes) {
  if (tcu->streaming) return -EBUSY;
  if (bytes == 0 || (uintptr_t)program % (tcu->place.data_width / 8) != 0) return -EINVAL;
  if (read_register(tcu, TENSIL_MM2S_DMASR) & TENSIL_SR_ERRORS) {
    const int error = reset(tcu);
    if (error != 0) return error;
  }
  arm_probe(tcu);
  tcu->next = program;
  tcu->left = bytes;
  tcu->result = 0;
  tcu->streaming = true;
  write_register(tcu, TENSIL_MM2S_DMASR, INTERRUPTS);
  write_register(tcu, TENSIL_MM2S_DMACR, TENSIL_CR_RUN | (tcu->wait != NULL ? INTERRUPTS : 0));
  start_piece(tcu);
  return 0;
}

// A piece has been accepted: the next one, or no more. It does not say that the program is done.
static void look(struct tensil* tcu) {
  const uint32_t status = read_register(tcu, TENSIL_MM2S_DMASR), events = status & INTERRUPTS;
  if (events == 0) return;
  write_register(tcu, TENSIL_MM2S_DMASR, events);
  if (!tcu->streaming) return;
  if (status & TENSIL_SR_ERRORS) {
    tcu->result = -EIO;
    tcu->streaming = false;
  } else if (tcu->left > 0) {
    start_piece(tcu);
  } else {
    tcu->streaming = false;
  }
  tcu->pieces = tcu->pieces + 1;
}

void tensil_interrupt(struct tensil* tcu) { look(tcu); }

bool tensil_is_busy(struct tensil* tcu) {
  if (tcu->streaming && tcu->wait == NULL) look(tcu);
  return tcu->streaming || (tcu->result == 0 && !probe_has_come(tcu));
}

int tensil_finish(struct tensil* tcu) {
  for (uint32_t seen = tcu->pieces; tensil_is_busy(tcu); seen = tcu->pieces)
    if (tcu->wait != NULL && tcu->streaming) tcu->wait(tcu->wait_context, &tcu->pieces, seen);
  return tcu->result;
}

int tensil_run(struct tensil* tcu, const uint8_t* program, uint32_t bytes) {
  const int error = tensil_start(tcu, program, bytes);
  return error != 0 ? error : tensil_finish(tcu);
}
