// Random programs on the core and on a second, slow model of the specification.
#include <gtest/gtest.h>

#include <random>

#include "models/tinytpu/activation.h"
#include "models/tinytpu/core.h"
#include "tests/tinytpu/reference_model.h"

namespace vp::tinytpu {
namespace {

using Word = ReferenceModel::Word;

struct Case {
  explicit Case(unsigned seed) : random(seed), config(make_config()), core(config) {}

  unsigned below(unsigned limit) { return random() % limit; }
  bool one_in(unsigned n) { return below(n) == 0; }

  TinyTpuConfig make_config() {
    static constexpr unsigned widths[] = {2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15, 16, 17, 33};
    TinyTpuConfig c;
    c.matrix_width = widths[below(std::size(widths))];
    c.weight_depth = 1 + below(4 * c.matrix_width);
    c.unified_buffer_depth = 1 + below(4 * c.matrix_width);
    c.fifo_depth = one_in(2) ? 32 : 1 + below(4);
    return c;
  }

  Word random_word() {
    static constexpr std::uint8_t usual[] = {0x08, 0x09, 0x20, 0x21, 0x22, 0x23, 0x81,
                                             0x91, 0x89, 0x99, 0x80, 0x90, 0xFF};
    Word w{};
    w.op = one_in(8) ? static_cast<std::uint8_t>(random()) : usual[below(std::size(usual))];
    const unsigned n = config.matrix_width;
    w.length = one_in(3) ? n : one_in(3) ? below(6) : below(4 * n + 20);
    w.address = one_in(6) ? random() << 8 ^ random() : below(2 * n) | std::uint64_t{below(2 * n)} << 16;
    w.address &= 0xFFFFFFFFFF;
    return w;
  }
  ReferenceModel::Row random_row() {
    ReferenceModel::Row row(config.matrix_width);
    for (auto& byte : row) byte = static_cast<std::uint8_t>(random());
    return row;
  }
  ReferenceModel::HostAccess random_access(std::uint64_t edge, unsigned depth, bool write) {
    ReferenceModel::HostAccess access{edge, below(depth), std::nullopt, ReferenceModel::Row(config.matrix_width)};
    if (write) {
      access.data = random_row();
      for (auto& flag : access.enable) flag = one_in(2);
    }
    return access;
  }

  std::mt19937 random;
  TinyTpuConfig config;
  Core core;
};

Instruction instruction_of(const Word& w) {
  Instruction in;
  in.opcode = w.op;
  in.length = w.length;
  in.set_weight_address(w.address);
  return in;
}

void take_pulses(Core& core, Edge last, std::vector<std::uint64_t>& edges, std::vector<std::uint64_t>& runtimes) {
  while (core.next_synchronize() <= last) {
    edges.push_back(core.take_synchronize());
    runtimes.push_back(core.runtime(edges.back()));
  }
}

void compare_memories(Case& c, const ReferenceModel& reference) {
  std::vector<std::uint8_t> row(c.config.matrix_width);
  for (unsigned r = 0; r < c.config.unified_buffer_depth; ++r) {
    c.core.read_unified_buffer(r, row.data());
    ASSERT_EQ(row, reference.buffer[r]) << "unified buffer row " << r;
  }
  for (unsigned r = 0; r < kAccumulatorRows; ++r)
    ASSERT_EQ(c.core.accumulators(r), reference.accumulators[r]) << "row " << r;
}

/// One random run. `variant`: which inner product.
void run_case(unsigned seed, const InnerProductVariant& variant) {
  Case c(seed);
  SCOPED_TRACE(std::string(variant.name) + ", seed " + std::to_string(seed) + ", N " +
               std::to_string(c.config.matrix_width));
  c.core.use(variant);
  ReferenceModel reference(c.config.matrix_width, c.config.weight_depth, c.config.unified_buffer_depth,
                           c.config.fifo_depth);
  for (unsigned r = 0; r < c.config.weight_depth; ++r) {
    reference.weights[r] = c.random_row();
    c.core.write_weights(r, reference.weights[r].data());
  }
  for (unsigned r = 0; r < c.config.unified_buffer_depth; ++r) {
    reference.buffer[r] = c.random_row();
    c.core.write_unified_buffer(r, reference.buffer[r].data());
  }
  const bool hosts = c.one_in(3), resets = c.one_in(8), looks_often = c.one_in(2);
  const unsigned gap = c.one_in(2) ? 1 : 1 + c.below(40);
  const unsigned words = 5 + c.below(40);
  std::vector<std::uint64_t> pulses, runtimes;
  std::vector<ReferenceModel::Row> host_reads;
  std::uint64_t next_push = 0, end = 400;
  unsigned pushed = 0;
  for (std::uint64_t e = 0; e <= end; ++e) {
    std::optional<Word> push;
    if (pushed < words && e >= next_push && !reference.full()) push = c.random_word();
    std::optional<ReferenceModel::HostAccess> host, host_weights;
    if (hosts && c.one_in(9)) host = c.random_access(e, c.config.unified_buffer_depth, c.one_in(2));
    if (hosts && c.one_in(9)) host_weights = c.random_access(e, c.config.weight_depth, true);
    if (push) {
      ASSERT_EQ(c.core.predict_push_edge(next_push), e);
    }
    if (e > 0) take_pulses(c.core, e - 1, pulses, runtimes);
    if (host_weights)
      c.core.host_write_weights(host_weights->row, host_weights->data->data(), host_weights->enable.data(), e);
    if (host) {
      HostAccess access;
      access.row = host->row;
      access.data = host->data ? host->data->data() : nullptr;
      access.enable = host->enable.data();
      host_reads.push_back(c.core.host_access(access, e));
    }
    reference.step(push, host ? &*host : nullptr, host_weights ? &*host_weights : nullptr);
    if (push) {
      take_pulses(c.core, e, pulses, runtimes);
      c.core.push(instruction_of(*push), e);
      ++pushed;
      next_push = e + gap;
      end = std::max(end, e + 4 * c.config.matrix_width * 45);
    }
    if (resets && c.one_in(300)) {
      take_pulses(c.core, e, pulses, runtimes);
      c.core.reset(e);
      reference.reset();
    }
    if (looks_often && c.one_in(5)) c.core.hazards();  // brings the data up to here, so windows get cut
  }
  take_pulses(c.core, end, pulses, runtimes);
  c.core.advance_to(end);
  ASSERT_EQ(pulses, reference.synchronizes);
  ASSERT_EQ(runtimes, reference.runtimes);
  ASSERT_EQ(host_reads, reference.host_reads);
  compare_memories(c, reference);
}

TEST(TinyTpuReference, RandomProgramsGiveTheSameCyclesAndContents) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    run_case(seed, inner_product_variants().front());
    if (HasFatalFailure()) return;
  }
}

TEST(TinyTpuReference, EveryInnerProductGivesTheSame) {
  for (const InnerProductVariant& variant : inner_product_variants()) {
    for (unsigned seed = 1000; seed < 1020; ++seed) {
      run_case(seed, variant);
      if (HasFatalFailure()) return;
    }
  }
}

/// All codes at all steps and limits of the functions, and at random.
TEST(TinyTpuActivation, EveryFunctionFollowsItsFormula) {
  std::mt19937 random(6);
  std::vector<std::uint32_t> values;
  for (std::int64_t step = -600; step <= 600; ++step)
    for (std::int64_t scale : {64, 128, 1024, 2048, 4096})
      for (std::int64_t near : {-1, 0, 1}) values.push_back(static_cast<std::uint32_t>(step * scale + near));
  for (std::uint32_t limit :
       {0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU, 0x007FFFFFU, 0xFFFFFF80U, 0xFFFFF800U, 0xFFFFFC00U})
    values.push_back(limit);
  for (int i = 0; i < 20000; ++i) values.push_back(static_cast<std::uint32_t>(random()) >> random() % 24);
  for (unsigned code = 0; code < 16; ++code)
    for (bool is_signed : {false, true})
      for (std::uint32_t a : values)
        ASSERT_EQ(activate_value(a, code, is_signed), ReferenceModel::activated(a, code, is_signed))
            << code << ' ' << a;
}

/// The kernels alone, with extreme values, all sizes and all pairs of signs.
TEST(TinyTpuInnerProduct, AllVariantsAreEqualToTheDefinition) {
  std::mt19937 random(7);
  const auto byte = [&] { return static_cast<std::uint8_t>(random() % 4 ? random() : random() % 2 ? 128 : 255); };
  const auto value = [](std::uint8_t b, bool is_signed) { return is_signed ? static_cast<std::int8_t>(b) : int{b}; };
  enum class Rows { are_unsigned, are_signed, are_mixed };
  for (unsigned width : {2U, 3U, 7U, 14U, 15U, 16U, 17U, 31U, 32U, 33U, 64U, 65U, 100U, 255U, 256U}) {
    for (const Rows rows : {Rows::are_unsigned, Rows::are_signed, Rows::are_mixed}) {
      const unsigned columns = padded_columns(width), elements = padded_elements(width), count = 1 + random() % 64;
      const bool data_signed = random() % 2;
      PackedWeights weights(width);
      std::vector<std::vector<int>> w(width, std::vector<int>(columns));
      std::vector<std::uint8_t> bytes(columns), x(std::size_t{count} * elements);
      for (unsigned r = 0; r < width; ++r) {
        const bool is_signed = rows == Rows::are_mixed ? random() % 2 : rows == Rows::are_signed;
        for (unsigned c = 0; c < width; ++c) w[r][c] = value(bytes[c] = byte(), is_signed);
        weights.set_row(r, bytes.data(), is_signed);
      }
      for (unsigned v = 0; v < count; ++v)
        for (unsigned r = 0; r < width; ++r) x[v * elements + r] = byte();
      for (const InnerProductVariant& variant : inner_product_variants()) {
        std::vector<std::uint32_t> products(std::size_t{count} * columns, 0xDEADBEEF);
        multiply(variant.function, weights, x.data(), data_signed, count, products.data());
        for (unsigned v = 0; v < count; ++v) {
          for (unsigned c = 0; c < columns; ++c) {
            std::int64_t sum = 0;
            for (unsigned r = 0; r < width; ++r) sum += value(x[v * elements + r], data_signed) * w[r][c];
            ASSERT_EQ(products[v * columns + c], static_cast<std::uint32_t>(sum))
                << variant.name << " N " << width << " data signed " << data_signed << " rows " << int(rows);
          }
        }
      }
    }
  }
}

TEST(TinyTpuInnerProduct, rows_that_are_copied_are_equal_and_the_others_stay) {
  constexpr unsigned kWidth = 33;
  std::mt19937 random(8);
  const auto rows = [&] {
    std::vector<std::vector<std::uint8_t>> bytes(kWidth, std::vector<std::uint8_t>(padded_columns(kWidth)));
    for (auto& row : bytes)
      for (unsigned c = 0; c < kWidth; ++c) row[c] = static_cast<std::uint8_t>(random());
    return bytes;
  };
  const auto packed = [](const std::vector<std::vector<std::uint8_t>>& bytes) {
    PackedWeights weights(kWidth);
    for (unsigned r = 0; r + 4 < kWidth; r += 4)
      weights.set_four_rows(r, {bytes[r].data(), bytes[r + 1].data(), bytes[r + 2].data(), bytes[r + 3].data()}, true);
    weights.set_row(kWidth - 1, bytes.back().data(), true);
    return weights;
  };
  const auto mine = rows(), others = rows();
  const PackedWeights from = packed(others);
  for (unsigned first = 0; first <= kWidth; ++first) {
    for (unsigned end = first; end <= kWidth; ++end) {
      PackedWeights now = packed(mine);
      now.copy_rows(from, first, end);
      auto expected = mine;
      std::copy(others.begin() + first, others.begin() + end, expected.begin() + first);
      const PackedWeights wanted = packed(expected);
      for (unsigned b = 0; b < now.blocks(); ++b)
        ASSERT_TRUE(std::equal(now.block(b), now.block(b) + now.quads() * kBlockColumns, wanted.block(b)))
            << first << ".." << end;
    }
  }
}

}  // namespace
}  // namespace vp::tinytpu
