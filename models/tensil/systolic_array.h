#pragma once

#include <cstdint>
#include <vector>

#include "models/tensil/architecture.h"
#include "models/tensil/dot_product.h"
#include "models/tensil/vector_memory.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// The array's N + 1 rows, a shift register: row 0 is the bias, row 1 + j the weights of input element j. All zero
/// after a reset.
class SystolicArray {
 public:
  explicit SystolicArray(const Architecture& architecture);

  /// All rows move down by one, the last falls off, and `vector` (nullptr: zeros) becomes row 0.
  void load(const std::int32_t* vector);
  void reset();
  void persist(Archive& archive);
  /// Rows of `results` (dense, row_scalars() each) from dense vectors of array_size scalars.
  void multiply(const std::int32_t* vectors, unsigned count, std::int32_t* results) const;

  /// The rows as the dot product wants them.
  unsigned inputs() const { return inputs_; }
  unsigned row_scalars() const { return lanes_; }
  /// Multiply-accumulates of one vector that are no padding: weight rows × lanes, without those at the end that are all
  /// zero.
  std::uint64_t useful_steps() const;

  void use(const DotProductVariant& variant) { dot_product_ = variant.function; }

 private:
  FixedPoint format_;
  unsigned inputs_;
  unsigned lanes_;
  DotProduct dot_product_;
  std::vector<std::int32_t> storage_;      ///< N + 1 rows in a ring
  std::vector<const std::int32_t*> rows_;  ///< by row number, twice around the ring
  unsigned head_ = 0;                      ///< place of row 0 in the ring
  mutable std::uint64_t useful_steps_ = 0;
  mutable bool counted_ = false;  ///< useful_steps_ holds for the present rows
};

}  // namespace vp::tensil
