#include "models/tinytpu/inner_product.h"

#include <algorithm>

#include "models/tinytpu/inner_product_x86.h"

namespace vp::tinytpu {
namespace {

std::int32_t value(std::uint32_t byte, bool is_signed) {
  return is_signed ? static_cast<std::int8_t>(byte) : static_cast<std::int32_t>(byte & 0xFF);
}

void plain(const InnerProductTask& task) {
  for (unsigned b = 0; b < task.weights.blocks(); ++b) {
    for (unsigned v = 0; v < task.count; ++v) {
      const std::uint8_t* vector = task.vectors + std::size_t{v} * task.elements();
      std::uint32_t sums[kBlockColumns] = {};
      const std::uint32_t* quad = task.weights.block(b);
      for (unsigned row = 0; row < task.elements(); ++row) {
        const std::int32_t x = value(vector[row], task.data_signed);
        const unsigned shift = row % kQuadRows * 8;
        for (unsigned c = 0; c < kBlockColumns; ++c)
          sums[c] += static_cast<std::uint32_t>(x * value(quad[c] >> shift, task.weights_signed));
        if (row % kQuadRows == kQuadRows - 1) quad += kBlockColumns;
      }
      std::copy_n(sums, kBlockColumns, task.products + std::size_t{v} * task.columns() + b * kBlockColumns);
    }
  }
}

/// Rows of both kinds: the sum of the products with each kind, the elements for the other one being zero.
void multiply_mixed(InnerProduct function, InnerProductTask task) {
  const std::size_t elements = std::size_t{task.count} * task.elements();
  const std::size_t words = std::size_t{task.count} * task.columns();
  const std::uint8_t* all = task.vectors;
  std::uint32_t* sums = task.products;
  std::vector<std::uint8_t> some(elements);
  std::vector<std::uint32_t> products(words);
  task.vectors = some.data();
  task.products = products.data();
  std::fill_n(sums, words, 0);
  for (const PackedWeights::Signs sign : {PackedWeights::Signs::all_signed, PackedWeights::Signs::all_unsigned}) {
    for (std::size_t i = 0; i < elements; ++i) {
      const unsigned row = static_cast<unsigned>(i % task.elements());
      some[i] = row < task.weights.rows() && task.weights.signs(row) == sign ? all[i] : 0;
    }
    task.weights_signed = sign == PackedWeights::Signs::all_signed;
    function(task);
    for (std::size_t i = 0; i < words; ++i) sums[i] += products[i];
  }
}

std::vector<InnerProductVariant> usable_variants() {
  std::vector<InnerProductVariant> variants = x86_inner_products();
  variants.push_back({"plain", plain, 0});
  return variants;
}

}  // namespace

const std::vector<InnerProductVariant>& inner_product_variants() {
  static const std::vector<InnerProductVariant> variants = usable_variants();
  return variants;
}

const InnerProductVariant& fastest_inner_product(unsigned width) {
  const std::vector<InnerProductVariant>& variants = inner_product_variants();
  return *std::find_if(variants.begin(), variants.end(),
                       [&](const InnerProductVariant& variant) { return variant.narrowest <= width; });
}

void multiply(InnerProduct function, const PackedWeights& weights, const std::uint8_t* vectors, bool data_signed,
              unsigned count, std::uint32_t* products) {
  const PackedWeights::Signs signs = weights.signs();
  const InnerProductTask task{weights, signs == PackedWeights::Signs::all_signed, vectors, data_signed, count,
                              products};
  if (signs == PackedWeights::Signs::mixed) return multiply_mixed(function, task);
  function(task);
}

}  // namespace vp::tinytpu
