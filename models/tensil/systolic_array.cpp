#include "models/tensil/systolic_array.h"

#include <algorithm>

namespace vp::tensil {

SystolicArray::SystolicArray(const Architecture& architecture)
    : format_(architecture.format()),
      inputs_(architecture.array_size),
      lanes_(padded_lanes(architecture.array_size)),
      dot_product_(fastest_dot_product(format_).function),
      storage_(std::size_t{inputs_ + 1} * lanes_) {
  for (unsigned around = 0; around < 2; ++around)
    for (unsigned i = 0; i <= inputs_; ++i) rows_.push_back(&storage_[std::size_t{i} * lanes_]);
}

void SystolicArray::load(const std::int32_t* vector) {
  head_ = head_ == 0 ? inputs_ : head_ - 1;
  std::int32_t* row = &storage_[std::size_t{head_} * lanes_];
  if (vector)
    std::copy_n(vector, lanes_, row);
  else
    std::fill_n(row, lanes_, 0);
  counted_ = false;
}

void SystolicArray::reset() {
  std::fill(storage_.begin(), storage_.end(), 0);
  counted_ = false;
}

void SystolicArray::multiply(const std::int32_t* vectors, unsigned count, std::int32_t* results) const {
  dot_product_(format_, {&rows_[head_], inputs_, lanes_}, vectors, count, results);
}

std::uint64_t SystolicArray::useful_steps() const {
  if (counted_) return useful_steps_;
  std::uint64_t rows = 0, lanes = 0;  // up to the last that is not all zero
  for (unsigned r = 0; r <= inputs_; ++r) {
    const std::int32_t* row = rows_[head_ + r];
    std::uint64_t used = inputs_;
    while (used > 0 && row[used - 1] == 0) --used;
    if (used > 0) rows = r;
    lanes = std::max(lanes, used);
  }
  useful_steps_ = rows * lanes;
  counted_ = true;
  return useful_steps_;
}

}  // namespace vp::tensil
