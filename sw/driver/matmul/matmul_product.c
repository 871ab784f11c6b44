#include "sw/driver/matmul/matmul_product.h"

#include <errno.h>

// A message follows its WRITE at once; this allows for a host that looks rarely.
enum { MESSAGE_TIMEOUT_BYTES = 1000 };

// A product in work: how many tiles there are and where they lie.
struct plan {
  struct matmul* device;
  const struct matmul_shape* shape;
  uint32_t rows, inner, columns;  // in tiles
};

static const uint8_t zero_page = 0;

static uint8_t page_a(const struct plan* plan, uint32_t row, uint32_t inner) {
  return (uint8_t)(1 + row * plan->inner + inner);
}

static uint8_t page_b(const struct plan* plan, uint32_t inner, uint32_t column) {
  return (uint8_t)(1 + plan->rows * plan->inner + inner * plan->columns + column);
}

static uint8_t page_c(const struct plan* plan, uint32_t row, uint32_t column) {
  return (uint8_t)(1 + (plan->rows + plan->columns) * plan->inner + row * plan->columns + column);
}

static struct plan make_plan(struct matmul* device, const struct matmul_shape* shape) {
  const uint32_t side = device->side;
  const struct plan plan = {device, shape, (shape->rows - 1) / side + 1, (shape->inner - 1) / side + 1,
                            (shape->columns - 1) / side + 1};
  return plan;
}

uint32_t matmul_product_pages(const struct matmul* device, const struct matmul_shape* shape) {
  if (shape->rows == 0 || shape->inner == 0 || shape->columns == 0) return 0;
  struct matmul copy = *device;
  const struct plan plan = make_plan(&copy, shape);
  if (plan.rows > MATMUL_PAGES || plan.inner > MATMUL_PAGES || plan.columns > MATMUL_PAGES) return 0;
  const uint32_t pages = 1 + plan.rows * plan.inner + plan.inner * plan.columns + plan.rows * plan.columns;
  return pages <= MATMUL_PAGES ? pages : 0;
}

// Stores a tile of a matrix of `height` × `width`; what is outside it is zero.
static void store_tile(struct matmul* device, uint8_t page, const int32_t* matrix, uint32_t height, uint32_t width,
                       uint32_t tile_row, uint32_t tile_column) {
  int32_t words[MATMUL_MAX_SIDE * MATMUL_MAX_SIDE] = {0};
  const uint32_t side = device->side;
  for (uint32_t row = 0; row < side && tile_row * side + row < height; ++row) {
    for (uint32_t column = 0; column < side && tile_column * side + column < width; ++column)
      words[row * side + column] = matrix[(tile_row * side + row) * width + tile_column * side + column];
  }
  matmul_store_block(device, page, words);
}

static void store_operands(const struct plan* plan, const int32_t* a, const int32_t* b) {
  const struct matmul_shape* shape = plan->shape;
  store_tile(plan->device, zero_page, NULL, 0, 0, 0, 0);
  for (uint32_t row = 0; row < plan->rows; ++row) {
    for (uint32_t inner = 0; inner < plan->inner; ++inner)
      store_tile(plan->device, page_a(plan, row, inner), a, shape->rows, shape->inner, row, inner);
  }
  for (uint32_t inner = 0; inner < plan->inner; ++inner) {
    for (uint32_t column = 0; column < plan->columns; ++column)
      store_tile(plan->device, page_b(plan, inner, column), b, shape->inner, shape->columns, inner, column);
  }
}

static void store_load(const struct plan* plan, unsigned thread, uint32_t step) {
  const uint32_t program[] = {matmul_load(page_b(plan, step % plan->inner, step / plan->inner)), matmul_term()};
  matmul_store_program(plan->device, thread, program, 2);
}

// All rows of A times the tile of B of this step, added to what the column of C has so far.
static void store_compute(const struct plan* plan, unsigned thread, uint32_t step) {
  const uint32_t inner = step % plan->inner, column = step / plan->inner;
  uint32_t program[MATMUL_PROGRAM_WORDS];
  for (uint32_t row = 0; row < plan->rows; ++row) {
    const uint8_t c = page_c(plan, row, column);
    program[row] = matmul_comp(page_a(plan, row, inner), inner == 0 ? zero_page : c, c);
  }
  program[plan->rows] = matmul_term();
  matmul_store_program(plan->device, thread, program, plan->rows + 1);
}

// The next command takes far longer on the line than a program without WRITE, so it never meets a running thread.
static void compute(const struct plan* plan) {
  const uint32_t steps = plan->inner * plan->columns;
  store_load(plan, 0, 0);
  matmul_start(plan->device, 1);
  for (uint32_t step = 0; step < steps; ++step) {
    const unsigned computing = step & 1, loading = computing ^ 1;
    const bool more = step + 1 < steps;
    store_compute(plan, computing, step);
    if (more) store_load(plan, loading, step + 1);
    matmul_start(plan->device, more ? 3 : 1u << computing);
  }
}

static void take_tile(const struct plan* plan, const struct matmul_message* message, uint32_t tile, int32_t* c) {
  const uint32_t side = plan->device->side;
  const uint32_t top = tile / plan->columns * side, left = tile % plan->columns * side;
  for (uint32_t row = 0; row < side && top + row < plan->shape->rows; ++row) {
    for (uint32_t column = 0; column < side && left + column < plan->shape->columns; ++column)
      c[(top + row) * plan->shape->columns + left + column] = message->words[row * side + column];
  }
}

// Fetches tiles `first` to `first` + `count` - 1 of C, the header of each being its number.
static int fetch(const struct plan* plan, uint32_t first, uint32_t count, int32_t* c) {
  uint32_t program[MATMUL_PROGRAM_WORDS];
  for (uint32_t i = 0; i < count; ++i)
    program[i] = matmul_write((uint8_t)(page_c(plan, 0, 0) + first + i), (uint8_t)(first + i));
  program[count] = matmul_term();
  matmul_store_program(plan->device, 0, program, count + 1);
  matmul_start(plan->device, 1);
  for (uint32_t i = 0; i < count; ++i) {
    struct matmul_message message;
    int error = matmul_receive(plan->device, &message, (uint64_t)MESSAGE_TIMEOUT_BYTES * plan->device->byte_time);
    if (error == 0 && message.header != (uint8_t)(first + i)) error = -EPROTO;
    if (error != 0) return error;
    take_tile(plan, &message, first + i, c);
  }
  return 0;
}

int matmul_product(struct matmul* device, const struct matmul_shape* shape, const int32_t* a, const int32_t* b,
                   int32_t* c) {
  const uint32_t portion = matmul_safe_writes(device);
  if (portion == 0) return -ENOTSUP;
  if (matmul_product_pages(device, shape) == 0) return -E2BIG;
  const struct plan plan = make_plan(device, shape);
  if (plan.rows >= MATMUL_PROGRAM_WORDS) return -E2BIG;
  store_operands(&plan, a, b);
  compute(&plan);
  const uint32_t tiles = plan.rows * plan.columns;
  for (uint32_t first = 0; first < tiles; first += portion) {
    const int error = fetch(&plan, first, tiles - first < portion ? tiles - first : portion, c);
    if (error != 0) {
      matmul_resynchronise(device);
      return error;
    }
  }
  return 0;
}
