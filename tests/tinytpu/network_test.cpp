#include "models/tinytpu/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "models/common/error.h"

namespace vp::tinytpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TinyTpuConfig sized(unsigned width) {
  TinyTpuConfig config;
  config.matrix_width = width;
  return config;
}

template <typename Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

// ---- values

/// The signed sigmoid by its formula: 16 steps a unit, rounded, from -88 to 70.
std::int8_t sigmoid(std::int32_t sum) {
  const int r = (sum >> 12) + (sum >> 11 & 1);
  if (r < -88) return 0;
  return static_cast<std::int8_t>(r > 70 ? 127 : std::floor(128 / (1 + std::exp(-r / 16.0)) + 0.5));
}

/// A network of random weights with what it makes of random vectors, by plain matrix products.
struct Reference {
  using Matrix = std::vector<std::vector<std::int8_t>>;

  Reference(std::vector<unsigned> sizes, unsigned count) : layers(std::move(sizes)), inputs(random(count, layers[0])) {
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) weights.push_back(random(layers[i], layers[i + 1]));
    for (const std::vector<std::int8_t>& input : inputs) {
      std::vector<std::int8_t> vector = input;
      for (const Matrix& matrix : weights) vector = through(vector, matrix);
      outputs.push_back(vector);
    }
  }

  std::vector<unsigned> layers;
  Matrix inputs;
  std::vector<Matrix> weights;  ///< [input][output] of each layer
  Matrix outputs;

 private:
  Matrix random(unsigned rows, unsigned columns) {
    Matrix matrix(rows, std::vector<std::int8_t>(columns));
    for (auto& row : matrix)
      for (std::int8_t& value : row) value = static_cast<std::int8_t>(dice_() % 256 - 128);
    return matrix;
  }
  static std::vector<std::int8_t> through(const std::vector<std::int8_t>& vector, const Matrix& matrix) {
    std::vector<std::int32_t> sums(matrix[0].size());
    for (std::size_t i = 0; i < vector.size(); ++i)
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += vector[i] * matrix[i][j];
    std::vector<std::int8_t> result;
    for (const std::int32_t sum : sums) result.push_back(sigmoid(sum));
    return result;
  }
  std::mt19937 dice_{7};
};

/// Up to N elements of a vector from `first` on, as a row.
std::vector<std::uint8_t> row_of(const std::vector<std::int8_t>& vector, std::size_t first, std::size_t n) {
  std::vector<std::uint8_t> row(n);
  for (std::size_t i = 0; i < n && first + i < vector.size(); ++i)
    row[i] = static_cast<std::uint8_t>(vector[first + i]);
  return row;
}

void load(Core& core, const Reference& reference, std::uint64_t vectors) {
  const unsigned n = core.config().matrix_width;
  unsigned row = 0;
  for (const auto& matrix : reference.weights)
    for (std::size_t block = 0; block < matrix[0].size(); block += n)
      for (std::size_t input = 0; input < (matrix.size() + n - 1) / n * n; ++input)
        core.write_weights(row++, input < matrix.size() ? row_of(matrix[input], block, n).data()
                                                        : std::vector<std::uint8_t>(n).data());
  row = 0;
  for (std::size_t pass = 0; pass < vectors; pass += n)
    for (std::size_t tile = 0; tile < reference.layers[0]; tile += n)
      for (std::size_t v = pass; v < pass + n; ++v, ++row)
        if (v < vectors) core.write_unified_buffer(row, row_of(reference.inputs[v], tile, n).data());
}

/// Runs the network and counts what is wrong with it: outputs that are not the reference's, hazards.
void expect_right(const Reference& reference, unsigned n, Edge gap, std::uint64_t vectors) {
  const Network network{reference.layers, NetworkLayout::synchronized, vectors};
  const NetworkProgram program = network_program(n, network);
  EXPECT_EQ(program.instructions.size(), program.size.instructions);
  Core core(fitted(sized(n), program.size));
  load(core, reference, vectors);
  const ProgramRun run = run_program(core, program.instructions, {gap});
  EXPECT_EQ(run.synchronizes.size(), reference.layers.size() - 1);
  std::vector<std::uint8_t> row(n);
  std::size_t wrong = 0, at = program.first_result_row;
  const std::size_t outputs = reference.layers.back();
  for (std::size_t pass = 0; pass < vectors; pass += n)
    for (std::size_t block = 0; block < outputs; block += n)
      for (std::size_t v = pass; v < pass + n; ++v, ++at) {
        core.read_unified_buffer(static_cast<unsigned>(at), row.data());
        if (v >= vectors) continue;
        const std::size_t columns = std::min<std::size_t>(n, outputs - block);
        const auto expected = row_of(reference.outputs[v], block, columns);
        wrong += !std::equal(expected.begin(), expected.end(), row.begin());
      }
  EXPECT_EQ(at, program.first_result_row + program.result_rows);
  EXPECT_EQ(wrong, 0u) << "N " << n << " gap " << gap << " vectors " << vectors;
  const HazardReport hazards = core.hazards();
  EXPECT_EQ(hazards.total(), 0u) << "N " << n << " gap " << gap << " vectors " << vectors;
  EXPECT_EQ(hazards.by_timing_count(), 0u) << "N " << n << " gap " << gap << " vectors " << vectors;
  for (unsigned kind = 0; kind < kHazardKinds; ++kind)
    for (const Hazard& hazard : hazards.findings(static_cast<HazardKind>(kind))) {
      ADD_FAILURE() << describe(hazard);
      return;
    }
}

TEST(TinyTpuNetwork, a_small_one_is_right_at_every_width_and_pace_of_the_host) {
  const Reference reference({65, 42, 10}, 256);
  for (unsigned n = 2; n <= 256; ++n)
    for (const Edge gap : {1, 12, 104}) expect_right(reference, n, gap, n);
}

TEST(TinyTpuNetwork, the_published_one_is_right_at_every_width) {
  const Reference reference({784, 504, 10}, 256);
  for (unsigned n = 2; n <= 256; ++n) expect_right(reference, n, 12, n);
}

TEST(TinyTpuNetwork, odd_shapes_are_right_in_any_number_of_passes) {
  const std::vector<std::vector<unsigned>> shapes = {{1, 1},         {3, 200, 3},          {17, 1, 33, 5}, {100, 1},
                                                     {256, 257, 64}, {14, 14, 14, 14, 14}, {29, 513}};
  for (const std::vector<unsigned>& shape : shapes) {
    const Reference reference(shape, 3 * 33 + 1);
    for (const unsigned n : {2u, 3u, 4u, 5u, 6u, 7u, 8u, 14u, 16u, 17u, 32u, 33u})
      for (const std::uint64_t vectors : {1u, n - 1, n, n + 1, 3 * n + 1}) expect_right(reference, n, 1, vectors);
  }
}

// ---- the stream as it was published

struct Published {
  unsigned width;
  std::size_t instructions;
  unsigned microseconds;
};

TEST(TinyTpuNetwork, the_published_table_comes_out_of_the_original_layout) {
  for (const Published& row : {Published{6, 431, 383}, {8, 326, 289}, {10, 261, 234}, {12, 216, 194}, {14, 186, 165}}) {
    const NetworkTiming timing = time_network(sized(row.width), {{784, 504, 10}, NetworkLayout::original}, {104});
    EXPECT_EQ(timing.instructions, row.instructions) << row.width;
    EXPECT_EQ(timing.duration / 1000000, row.microseconds) << row.width;
  }
}

TEST(TinyTpuNetwork, the_original_layout_takes_the_closed_form_s_time) {
  // Sum over layers of ceil(C/N) × (R padded + 10), + 2N + 22, when the feed does not limit.
  for (unsigned n : {7U, 10U, 14U, 32U, 100U}) {
    const auto blocks = [&](unsigned x) { return (x + n - 1) / n; };
    const std::uint64_t expected =
        blocks(300) * (blocks(500) * n + 10) + blocks(20) * (blocks(300) * n + 10) + 2 * n + 22;
    EXPECT_EQ(time_network(sized(n), {{500, 300, 20}, NetworkLayout::original}, {1}).cycles, expected) << n;
  }
}

TEST(TinyTpuNetwork, the_original_layout_repeats_its_stream_for_every_pass) {
  const Network network{{50, 30, 10}, NetworkLayout::original, 20};
  const NetworkProgram program = network_program(14, network);
  EXPECT_EQ(program.size.passes, 2u);
  EXPECT_EQ(program.instructions.size(),
            2 * network_program(14, {{50, 30, 10}, NetworkLayout::original}).size.instructions);
  EXPECT_EQ(program.instructions.size(), program.size.instructions);
  Core core(fitted(sized(14), program.size));
  EXPECT_EQ(run_program(core, program.instructions, {12}).synchronizes.size(), 2u);
}

TEST(TinyTpuNetwork, one_synchronize_s_elapsed_cycles_are_the_runtime_counter_s) {
  Core core(sized(14));
  const ProgramRun run =
      run_program(core, network_program(14, {{65, 42, 10}, NetworkLayout::original}).instructions, {104});
  ASSERT_EQ(run.runtimes.size(), 1u);
  EXPECT_EQ(run.elapsed(), run.runtimes[0]);
}

// ---- what it takes

TEST(TinyTpuNetwork, its_size_counts_rows_passes_and_useful_work) {
  const NetworkSize one = network_size(8, {{784, 504, 10}});
  EXPECT_EQ(one.vectors, 8u);
  EXPECT_EQ(one.passes, 1u);
  EXPECT_EQ(one.weight_rows, 50400u);
  EXPECT_EQ(one.buffer_rows, 784u + 504 + 16);
  EXPECT_EQ(one.useful_macs, 8u * (784 * 504 + 504 * 10));
  const NetworkSize more = network_size(8, {{784, 504, 10}, NetworkLayout::synchronized, 17});
  EXPECT_EQ(more.passes, 3u);
  EXPECT_EQ(more.weight_rows, one.weight_rows);
  EXPECT_EQ(more.buffer_rows, 3 * one.buffer_rows);
  EXPECT_EQ(more.useful_macs, 17u * (784 * 504 + 504 * 10));
  EXPECT_EQ(network_size(6, {{784, 504, 10}}).weight_rows, 67032u);
}

TEST(TinyTpuNetwork, a_buffer_that_is_too_small_is_found_and_enlarged) {
  TinyTpuConfig config = sized(32);
  config.weight_depth = 100;
  const NetworkSize size = network_size(32, {{1024, 2048, 2048, 1000}});
  const std::vector<BufferShortage> list = shortages(config, size);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_STREQ(list[0].parameter, "weight_depth");
  EXPECT_EQ(list[0].needs, 262144u);
  EXPECT_STREQ(list[1].parameter, "unified_buffer_depth");
  EXPECT_EQ(list[1].needs, 1024u + 2048 + 2048 + 1024);
  EXPECT_TRUE(shortages(fitted(config, size), size).empty());
  EXPECT_EQ(fitted(config, size).weight_depth, 262144u);
  EXPECT_EQ(fitted(sized(14), network_size(14, {{65, 42, 10}})).weight_depth, 32768u) << "nothing is made smaller";
}

TEST(TinyTpuNetwork, networks_that_cannot_be_are_refused) {
  EXPECT_THAT(error_of([] { network_program(14, {{784}}); }), HasSubstr("two layers"));
  EXPECT_THAT(error_of([] { network_program(14, {{784, 0}}); }), HasSubstr("empty"));
  EXPECT_THAT(error_of([] { network_program(14, {{900000, 900000}}); }), HasSubstr("rows of the weight buffer"));
  EXPECT_THAT(error_of([] {
                network_program(14, {{784, 10}, NetworkLayout::synchronized, 1'000'000});
              }),
              HasSubstr("rows of the unified buffer"));
  EXPECT_THAT(error_of([] {
                network_program(2, {{1000, 900}, NetworkLayout::synchronized, 200});
              }),
              HasSubstr("16777216"));
  EXPECT_THAT(parse_layers("784x504x10"), ElementsAre(784, 504, 10));
  for (const char* text : {"", "784x", "x", "7a4x1", "-1x2", "784,504", "1234567x1"})
    EXPECT_THAT(error_of([&] { parse_layers(text); }), HasSubstr("is no network")) << text;
}

}  // namespace
}  // namespace vp::tinytpu
