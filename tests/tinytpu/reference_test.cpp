// Random programs on the core and on a second, slow model of the specification.
#include <gtest/gtest.h>

#include <algorithm>
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

/// Every way of computing that there is, those that this processor lacks included.
class InnerProductByName : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::vector<InnerProductVariant>& all = inner_product_variants();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [](const InnerProductVariant& one) { return std::string(one.name) == GetParam(); });
    if (found == all.end())
      GTEST_SKIP() << "this processor has no " << GetParam() << ", or its kernel gives it to nobody";
    variant = *found;
  }
  InnerProductVariant variant{};
};
INSTANTIATE_TEST_SUITE_P(TinyTpu, InnerProductByName, testing::Values("amx", "avx512vnni", "avx2", "plain"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(InnerProductByName, random_programs_give_the_same_cycles_and_contents) {
  for (unsigned seed = 1000; seed < 1030; ++seed) {
    run_case(seed, variant);
    if (HasFatalFailure()) return;
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

using Bytes = std::vector<std::vector<std::uint8_t>>;

enum class RowSigns { are_unsigned, are_signed, are_mixed };

/// A tile and vectors with many extreme values, and what their products are by definition.
struct ProductCase {
  ProductCase(std::mt19937& random, unsigned width, RowSigns row_signs, bool with_signed_data, unsigned vectors)
      : weights(width), count(vectors), data_signed(with_signed_data) {
    const unsigned columns = padded_columns(width), elements = padded_elements(width);
    const auto byte = [&] { return static_cast<std::uint8_t>(random() % 4 ? random() : random() % 2 ? 128 : 255); };
    std::vector<std::int32_t> w(std::size_t{width} * columns);
    std::vector<std::uint8_t> bytes(columns);
    for (unsigned r = 0; r < width; ++r) {
      const bool is_signed = row_signs == RowSigns::are_mixed ? random() % 2 : row_signs == RowSigns::are_signed;
      for (unsigned c = 0; c < width; ++c) w[r * columns + c] = value(bytes[c] = byte(), is_signed);
      weights.set_row(r, bytes.data(), is_signed);
    }
    x.resize(std::size_t{count} * elements);
    products.resize(std::size_t{count} * columns);
    for (unsigned v = 0; v < count; ++v) {
      for (unsigned r = 0; r < width; ++r) {
        const std::int32_t one = value(x[v * elements + r] = byte(), data_signed);
        for (unsigned c = 0; c < columns; ++c)
          products[v * columns + c] += static_cast<std::uint32_t>(one * w[r * columns + c]);
      }
    }
  }
  static std::int32_t value(std::uint8_t b, bool is_signed) {
    return is_signed ? static_cast<std::int8_t>(b) : std::int32_t{b};
  }

  PackedWeights weights;
  unsigned count;
  bool data_signed;
  std::vector<std::uint8_t> x;
  std::vector<std::uint32_t> products;
};

void expect_products(const ProductCase& c, const InnerProductVariant& variant) {
  const Vectors vectors{c.x.data(), c.data_signed, c.count};
  const std::size_t columns = c.weights.blocks() * kBlockColumns;
  std::vector<std::uint32_t> sums(c.products.size(), 0xDEADBEEF);
  multiply(variant.function, c.weights, vectors, {sums.data(), columns, false});
  ASSERT_EQ(sums, c.products) << variant.name << " in place";
  std::vector<std::uint32_t> expected(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = static_cast<std::uint32_t>(i * 0x9E3779B9);
    expected[i] = sums[i] + c.products[i];
  }
  multiply(variant.function, c.weights, vectors, {sums.data(), columns, true});
  ASSERT_EQ(sums, expected) << variant.name << " added";
}

TEST_P(InnerProductByName, equals_the_definition_at_every_size_and_with_all_signs) {
  std::mt19937 random(7);
  for (unsigned width = 1; width <= kMostColumns; ++width) {
    for (const RowSigns rows : {RowSigns::are_unsigned, RowSigns::are_signed, RowSigns::are_mixed}) {
      for (const bool data_signed : {false, true}) {
        const unsigned count = 1 + random() % (width < 40 ? 70 : 4);
        expect_products({random, width, rows, data_signed, count}, variant);
        if (HasFatalFailure()) FAIL() << "N " << width << ", data signed " << data_signed << ", rows " << int(rows);
      }
    }
  }
}

TEST_P(InnerProductByName, equals_the_definition_for_any_number_of_vectors) {
  std::mt19937 random(17);
  for (unsigned count = 1; count <= 300; ++count) {
    const unsigned width = count % 50 == 0 ? 256 : 2 + random() % 70;
    expect_products({random, width, RowSigns(random() % 3), random() % 2 == 0, count}, variant);
    if (HasFatalFailure()) FAIL() << count << " vectors";
  }
}

Bytes random_rows(std::mt19937& random, unsigned width) {
  Bytes bytes(width, std::vector<std::uint8_t>(padded_columns(width)));
  for (auto& row : bytes)
    for (unsigned c = 0; c < width; ++c) row[c] = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(TinyTpuPackedWeights, rows_packed_at_once_are_those_packed_one_by_one) {
  std::mt19937 random(8);
  for (unsigned width : {1U, 2U, 13U, 14U, 16U, 33U, 100U, 255U, 256U}) {
    const Bytes rows = random_rows(random, width), before = random_rows(random, width);
    PackedWeights one_by_one(width), at_once(width);
    std::vector<std::uint8_t> memory;
    for (unsigned r = 0; r < width; ++r) {
      at_once.set_row(r, before[r].data(), r % 2);
      one_by_one.set_row(r, rows[r].data(), true);
      memory.insert(memory.end(), rows[r].begin(), rows[r].end());
    }
    at_once.set_rows(memory.data(), padded_columns(width), true);
    EXPECT_EQ(at_once.signs(), PackedWeights::Signs::all_signed);
    for (unsigned b = 0; b < at_once.blocks(); ++b)
      ASSERT_TRUE(std::equal(at_once.block(b), at_once.block(b) + at_once.quads() * kBlockColumns, one_by_one.block(b)))
          << "N " << width << ", block " << b;
  }
}

}  // namespace
}  // namespace vp::tinytpu
