#include "models/tensil/dot_product.h"

#include <gtest/gtest.h>

#include "models/tensil/vector_memory.h"
#include "tests/support/dice.h"

namespace vp::tensil {
namespace {

/// Scalars of a format, every fourth an extreme one, every fourth zero.
std::vector<std::int32_t> drawn(Dice& dice, const FixedPoint& format, std::size_t count) {
  std::vector<std::int32_t> values(count);
  for (auto& value : values) {
    if (dice.one_in(4))
      value = dice.one_in(2) ? format.minimum() : format.maximum();
    else if (!dice.one_in(3))
      value = saturate(format, static_cast<std::int32_t>(dice.source()()) >> dice.from_to(0, 31));
  }
  return values;
}

std::vector<std::int32_t> step_by_step(const FixedPoint& format, const ArrayRows& array,
                                       const std::vector<std::int32_t>& vectors, unsigned count) {
  std::vector<std::int32_t> results(std::size_t{count} * array.lanes);
  for (unsigned v = 0; v < count; ++v)
    for (unsigned i = 0; i < array.lanes; ++i) {
      std::int32_t sum = array.rows[0][i];
      for (unsigned j = 0; j < array.inputs; ++j)
        sum = multiply_add(format, vectors[std::size_t{v} * array.inputs + j], array.rows[1 + j][i], sum);
      results[std::size_t{v} * array.lanes + i] = sum;
    }
  return results;
}

TEST(DotProduct, all_variants_equal_the_steps_one_by_one) {
  Dice dice(1);
  unsigned compared = 0;
  for (const FixedPoint& format : kFixedPoints)
    for (const unsigned inputs : {1u, 4u, 8u, 17u, 32u, 48u})
      for (const unsigned count : {1u, 2u, 3u, 8u, 21u}) {
        const unsigned lanes = padded_lanes(inputs);
        const std::vector<std::int32_t> weights = drawn(dice, format, std::size_t{inputs + 1} * lanes);
        const std::vector<std::int32_t> vectors = drawn(dice, format, std::size_t{count} * inputs);
        std::vector<const std::int32_t*> rows;
        for (unsigned r = 0; r <= inputs; ++r) rows.push_back(&weights[std::size_t{r} * lanes]);
        const ArrayRows array{rows.data(), inputs, lanes};
        const std::vector<std::int32_t> expected = step_by_step(format, array, vectors, count);
        for (const DotProductVariant& variant : dot_product_variants()) {
          if (!variant.takes(format)) continue;
          std::vector<std::int32_t> results(expected.size());
          variant.function(format, array, vectors.data(), count, results.data());
          ASSERT_EQ(results, expected) << variant.name << ", " << format.name << ", " << inputs << " inputs";
          ++compared;
        }
      }
  EXPECT_GE(compared, 120u);
}

TEST(DotProduct, plain_is_always_there_and_takes_every_format) {
  ASSERT_STREQ(dot_product_variants().back().name, "plain");
  for (const FixedPoint& format : kFixedPoints) EXPECT_TRUE(dot_product_variants().back().takes(format));
}

}  // namespace
}  // namespace vp::tensil
