#pragma once

#include <cstdint>
#include <vector>

#include "models/tensil/architecture.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// Finds what two threads share without a Wait that orders them. Instructions are numbered in program order from 1; of
/// two threads, each knows up to which instruction the other has surely ended.
class ThreadOrder {
 public:
  explicit ThreadOrder(const Architecture& architecture);

  // What can be shared, as numbers.
  std::size_t local_row(unsigned row) const { return row; }
  std::size_t accumulator_row(unsigned row) const { return local_depth_ + row; }
  std::size_t array() const { return local_depth_ + accumulator_depth_; }
  std::size_t registers() const { return array() + 1; }

  void begin_instruction(unsigned thread) {
    thread_ = thread;
    ++number_;
  }
  /// The instruction is a Wait of its thread for `other`.
  void wait_for(unsigned other);
  /// The instruction reads or writes `shared`. False if another thread's use of it may come before or after.
  bool read(std::size_t shared) { return use(shared, false); }
  bool write(std::size_t shared) { return use(shared, true); }
  void persist(Archive& archive);

 private:
  bool use(std::size_t shared, bool writes);

  unsigned threads_;
  std::size_t local_depth_;
  std::size_t accumulator_depth_;
  unsigned thread_ = 0;
  std::uint32_t number_ = 0;
  std::vector<std::uint32_t> known_;  ///< [thread][other]: the last instruction of `other` that has ended for `thread`
  std::vector<std::uint32_t> reads_;  ///< [shared][thread]: its last instruction that read it
  std::vector<std::uint32_t> writes_;
};

}  // namespace vp::tensil
