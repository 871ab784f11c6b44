#include "sw/driver/matmul/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <vector>

#include "models/matmul/core.h"
#include "sw/driver/matmul/matmul_product.h"

namespace {

using vp::matmul::Core;
using vp::matmul::CoreConfig;
using vp::matmul::ErrataEvent;
using vp::matmul::SentFrame;

constexpr std::uint64_t kClocksPerMicrosecond = 125;

/// The driver's line, straight to a device's core. Bytes can be lost on purpose.
struct Wire {
  explicit Wire(const CoreConfig& config) : core(config) {}

  static void send(void* context, const std::uint8_t* bytes, std::size_t count) {
    Wire& wire = *static_cast<Wire*>(context);
    for (std::size_t i = 0; i < count; ++i) {
      if (wire.sent++ == wire.lose_sent) continue;
      const std::uint64_t first = wire.core.line_free_at();
      wire.core.put_frame(bytes[i], first);
      wire.core.advance_to(first - 1 + wire.core.config().frame_clocks());
    }
  }
  static std::size_t receive(void* context, std::uint8_t* bytes, std::size_t count) {
    Wire& wire = *static_cast<Wire*>(context);
    for (const SentFrame& frame : wire.core.take_frames())
      if (wire.received++ != wire.lose_received) wire.frames.push_back(frame);
    std::size_t taken = 0;
    const std::uint64_t frame_clocks = wire.core.config().frame_clocks();
    while (taken < count && !wire.frames.empty() &&
           wire.frames.front().start_cycle + frame_clocks <= wire.core.cycle() + 1) {
      bytes[taken++] = wire.frames.front().byte;
      wire.frames.erase(wire.frames.begin());
    }
    return taken;
  }
  static std::uint64_t microseconds(void* context) {
    return static_cast<Wire*>(context)->core.cycle() / kClocksPerMicrosecond;
  }
  static void wait(void* context, std::uint64_t deadline) {
    Wire& wire = *static_cast<Wire*>(context);
    wire.core.advance_to(
        std::min(deadline * kClocksPerMicrosecond, wire.core.cycle() + wire.core.config().frame_clocks()));
  }

  Core core;
  std::vector<SentFrame> frames;
  std::uint64_t sent = 0, received = 0;
  std::uint64_t lose_sent = ~std::uint64_t{0}, lose_received = ~std::uint64_t{0};
};

struct Bench {
  explicit Bench(unsigned mesh = 2, unsigned tile = 2) : wire(config(mesh, tile)) {
    const matmul_line line = {&wire, Wire::send, Wire::receive, Wire::microseconds, Wire::wait};
    EXPECT_EQ(matmul_init(&device, &line, mesh, tile, 115200), 0);
  }
  static CoreConfig config(unsigned mesh, unsigned tile) {
    CoreConfig core;
    core.mesh = mesh;
    core.tile = tile;
    return core;
  }
  void run(unsigned thread, const std::vector<std::uint32_t>& program) {
    ASSERT_EQ(matmul_store_program(&device, thread, program.data(), program.size()), 0);
    matmul_start(&device, 1u << thread);
  }

  Wire wire;
  matmul device;
  matmul_message message;
};

const std::vector<std::int32_t> kBlock = {1, -2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

TEST(MatmulDriver, a_message_carries_header_and_words) {
  Bench bench;
  matmul_store_block(&bench.device, 7, kBlock.data());
  for (unsigned thread = 0; thread < 2; ++thread) {
    bench.run(thread, {matmul_write(7, static_cast<std::uint8_t>(0x90 + thread)), matmul_term()});
    ASSERT_EQ(matmul_receive(&bench.device, &bench.message, 10000), 0);
    EXPECT_EQ(bench.message.header, 0x90 + thread);
    EXPECT_TRUE(std::equal(kBlock.begin(), kBlock.end(), bench.message.words));
  }
}

TEST(MatmulDriver, both_threads_start_in_the_same_clock) {
  struct Observer : vp::matmul::CoreObserver {
    void on_fetch(unsigned thread, std::uint64_t cycle) override { fetched[thread] = cycle; }
    std::uint64_t fetched[2] = {0, 1};
  } observer;
  Bench bench;
  bench.wire.core.add_observer(observer);
  matmul_start(&bench.device, 3);
  EXPECT_EQ(observer.fetched[0], observer.fetched[1]);
}

TEST(MatmulDriver, sizes_that_cannot_be_are_refused) {
  Bench bench;
  const matmul_line line = bench.device.line;
  matmul device;
  EXPECT_EQ(matmul_init(&device, &line, 0, 2, 115200), -EINVAL);
  EXPECT_EQ(matmul_init(&device, &line, 1, 3, 115200), -EINVAL);
  EXPECT_EQ(matmul_init(&device, &line, 17, 1, 115200), -EINVAL);
  EXPECT_EQ(matmul_init(&device, &line, 0x10000, 0x10000, 115200), -EINVAL);
  EXPECT_EQ(matmul_store_program(&bench.device, 2, nullptr, 0), -EINVAL);
  EXPECT_EQ(matmul_store_program(&bench.device, 0, nullptr, 257), -EINVAL);
}

TEST(MatmulDriver, silence_is_a_time_out_after_the_time_asked_for) {
  Bench bench;
  const std::uint64_t before = Wire::microseconds(&bench.wire);
  EXPECT_EQ(matmul_receive(&bench.device, &bench.message, 5000), -ETIMEDOUT);
  EXPECT_GE(Wire::microseconds(&bench.wire) - before, 5000u);
  EXPECT_LE(Wire::microseconds(&bench.wire) - before, 5100u);
}

TEST(MatmulDriver, a_byte_lost_on_its_way_to_the_host_is_found_and_the_next_message_is_whole) {
  for (const unsigned lost : {0u, 1u, 4u, 30u, 68u}) {
    Bench bench;
    matmul_store_block(&bench.device, 7, kBlock.data());
    bench.wire.lose_received = lost;
    bench.run(0, {matmul_write(7, 1), matmul_term()});
    EXPECT_EQ(matmul_receive(&bench.device, &bench.message, 10000), -EPROTO) << lost;
    EXPECT_EQ(matmul_resynchronise(&bench.device), 0);
    bench.run(0, {matmul_write(7, 2), matmul_term()});
    ASSERT_EQ(matmul_receive(&bench.device, &bench.message, 10000), 0) << lost;
    EXPECT_EQ(bench.message.header, 2);
  }
}

TEST(MatmulDriver, a_byte_lost_on_its_way_to_the_device_is_overcome_by_resynchronising) {
  for (std::uint64_t lost = 0; lost < 90; ++lost) {
    Bench bench;
    bench.wire.lose_sent = lost;
    matmul_store_block(&bench.device, 7, kBlock.data());
    bench.run(0, {matmul_write(7, 1), matmul_term()});
    matmul_receive(&bench.device, &bench.message, 10000);  // whatever became of it
    ASSERT_EQ(matmul_resynchronise(&bench.device), 0) << lost;
    matmul_store_block(&bench.device, 7, kBlock.data());
    bench.run(0, {matmul_write(7, 2), matmul_term()});
    ASSERT_EQ(matmul_receive(&bench.device, &bench.message, 10000), 0) << lost;
    EXPECT_EQ(bench.message.header, 2) << lost;
    EXPECT_TRUE(std::equal(kBlock.begin(), kBlock.end(), bench.message.words)) << lost;
  }
}

TEST(MatmulDriver, more_writes_than_are_safe_lose_bytes_and_the_driver_finds_out) {
  Bench bench;
  const unsigned safe = matmul_safe_writes(&bench.device);
  EXPECT_EQ(safe, 3u);
  std::vector<std::uint32_t> program(safe, matmul_write(7, 1));
  bench.run(0, program);
  for (unsigned i = 0; i < safe; ++i) EXPECT_EQ(matmul_receive(&bench.device, &bench.message, 10000), 0);
  EXPECT_EQ(bench.wire.core.errata().count(ErrataEvent::Kind::fifo_byte_loss), 0u);
  program.resize(6, matmul_write(7, 1));
  bench.run(0, program);
  int error = 0;
  for (unsigned i = 0; i < 6 && error == 0; ++i) error = matmul_receive(&bench.device, &bench.message, 10000);
  EXPECT_EQ(error, -EPROTO);
  EXPECT_EQ(matmul_resynchronise(&bench.device), 0);
  EXPECT_GT(bench.device.lost_bytes, 0u);
}

std::vector<std::int32_t> random_matrix(std::mt19937& random, std::uint32_t words) {
  std::vector<std::int32_t> matrix(words);
  for (std::int32_t& word : matrix) word = static_cast<std::int32_t>(random());
  return matrix;
}

void expect_product(const matmul_shape& shape, const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b,
                    const std::vector<std::int32_t>& c) {
  for (std::uint32_t row = 0; row < shape.rows; ++row) {
    for (std::uint32_t column = 0; column < shape.columns; ++column) {
      std::uint32_t sum = 0;
      for (std::uint32_t k = 0; k < shape.inner; ++k) {
        sum += static_cast<std::uint32_t>(a[row * shape.inner + k]) *
               static_cast<std::uint32_t>(b[k * shape.columns + column]);
      }
      ASSERT_EQ(static_cast<std::uint32_t>(c[row * shape.columns + column]), sum) << row << "," << column;
    }
  }
}

TEST(MatmulProduct, matrices_larger_than_the_array_are_multiplied_without_striking_any_defect) {
  std::mt19937 random(4);
  for (const auto& [mesh, tile] : std::vector<std::pair<unsigned, unsigned>>{{2, 2}, {1, 1}, {3, 2}, {1, 4}, {4, 1}}) {
    for (const matmul_shape shape :
         {matmul_shape{10, 9, 7}, matmul_shape{4, 4, 4}, matmul_shape{1, 8, 1}, matmul_shape{8, 1, 5}}) {
      Bench bench(mesh, tile);
      if (matmul_product_pages(&bench.device, &shape) == 0) continue;
      const auto a = random_matrix(random, shape.rows * shape.inner),
                 b = random_matrix(random, shape.inner * shape.columns);
      std::vector<std::int32_t> c(shape.rows * shape.columns);
      ASSERT_EQ(matmul_product(&bench.device, &shape, a.data(), b.data(), c.data()), 0) << mesh << "x" << tile;
      expect_product(shape, a, b, c);
      EXPECT_TRUE(bench.wire.core.errata().events().empty()) << mesh << "x" << tile;
    }
  }
}

TEST(MatmulProduct, the_loads_run_while_the_other_thread_computes) {
  struct Observer : vp::matmul::CoreObserver {
    void on_issue(unsigned thread, std::uint32_t, vp::matmul::Opcode opcode, bool) override {
      working[thread] = opcode;
      overlaps += working[0] != working[1] && opcode != vp::matmul::Opcode::term &&
                  working[1 - thread] != vp::matmul::Opcode::term && opcode == vp::matmul::Opcode::load;
    }
    void on_rest(unsigned thread, std::uint64_t, bool) override { working[thread] = vp::matmul::Opcode::term; }
    vp::matmul::Opcode working[2] = {};
    unsigned overlaps = 0;
  } observer;
  Bench bench;
  bench.wire.core.add_observer(observer);
  const matmul_shape shape = {8, 8, 8};
  const std::vector<std::int32_t> ones(64, 1);
  std::vector<std::int32_t> c(64);
  ASSERT_EQ(matmul_product(&bench.device, &shape, ones.data(), ones.data(), c.data()), 0);
  EXPECT_EQ(c[63], 8);
  EXPECT_GT(observer.overlaps, 0u);
  EXPECT_EQ(
      bench.wire.core.counters().threads[0].instructions[2] + bench.wire.core.counters().threads[1].instructions[2],
      4u);
}

TEST(MatmulProduct, what_does_not_fit_is_refused) {
  Bench bench;
  std::vector<std::int32_t> matrix(1);
  const matmul_shape large = {64, 64, 64}, empty = {0, 1, 1}, huge = {0xffffffff, 0xffffffff, 0xffffffff};
  for (const matmul_shape* shape : {&large, &empty, &huge}) {
    EXPECT_EQ(matmul_product(&bench.device, shape, matrix.data(), matrix.data(), matrix.data()), -E2BIG);
  }
  Bench wide(4, 2);
  const matmul_shape one = {1, 1, 1};
  EXPECT_EQ(matmul_product(&wide.device, &one, matrix.data(), matrix.data(), matrix.data()), -ENOTSUP);
}

}  // namespace
