#include "models/tensil/thread_order.h"

#include <algorithm>

namespace vp::tensil {

ThreadOrder::ThreadOrder(const Architecture& architecture)
    : threads_(architecture.number_of_threads),
      local_depth_(architecture.local_depth),
      accumulator_depth_(architecture.accumulator_depth),
      known_(std::size_t{threads_} * threads_),
      reads_((registers() + 1) * threads_),
      writes_(reads_.size()) {}

void ThreadOrder::wait_for(unsigned other) {
  if (other >= threads_ || other == thread_) return;
  std::uint32_t* mine = &known_[std::size_t{thread_} * threads_];
  const std::uint32_t* theirs = &known_[std::size_t{other} * threads_];
  for (unsigned t = 0; t < threads_; ++t) mine[t] = std::max(mine[t], theirs[t]);
  mine[other] = number_;
}

bool ThreadOrder::use(std::size_t shared, bool writes) {
  bool ordered = true;
  const std::size_t at = shared * threads_;
  for (unsigned t = 0; t < threads_; ++t) {
    if (t == thread_) continue;
    const std::uint32_t ended = known_[std::size_t{thread_} * threads_ + t];
    if (writes_[at + t] > ended || (writes && reads_[at + t] > ended)) ordered = false;
  }
  (writes ? writes_ : reads_)[at + thread_] = number_;
  return ordered;
}

}  // namespace vp::tensil
