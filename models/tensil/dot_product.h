#pragma once

#include <cstdint>
#include <vector>

#include "models/tensil/fixed_point.h"

namespace vp::tensil {

/// What the array multiplies with: row 0 is the bias, row 1 + j the weights that multiply input element j. A row has
/// `lanes` scalars, a multiple of 16.
struct ArrayRows {
  const std::int32_t* const* rows;
  unsigned inputs;
  unsigned lanes;
};

/// results[v][i] = bias[i] + Σ vectors[v][j] · weight[j][i], element after element in the order of j, rounded to
/// nearest even and saturated after every step. vectors: `count` dense rows of `inputs` scalars; results: dense rows of
/// `lanes`.
using DotProduct = void (*)(const FixedPoint& format, const ArrayRows& array, const std::int32_t* vectors,
                            unsigned count, std::int32_t* results);

/// One way of computing it, all with equal results.
struct DotProductVariant {
  const char* name;
  /// Whether it can compute in this format.
  bool (*takes)(const FixedPoint& format);
  DotProduct function;
};

/// Those that this processor can run, fastest first; the last is plain C++ and takes every format.
const std::vector<DotProductVariant>& dot_product_variants();

/// The fastest for a format.
const DotProductVariant& fastest_dot_product(const FixedPoint& format);

}  // namespace vp::tensil
