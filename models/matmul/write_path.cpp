#include "models/matmul/write_path.h"

namespace vp::matmul {

WritePath::WritePath(const CoreConfig& config)
    : frame_clocks_(10 * std::uint64_t{config.symbol_clocks}),
      fifo_byte_loss_(config.errata.fifo_byte_loss),
      cts_byte_loss_(config.errata.cts_byte_loss),
      fifo_(config.tx_fifo_bytes, 0) {}

void WritePath::reset() {
  head_ = 0;
  count_ = 0;
  owner_ = -1;
  busy_until_ = 0;
}

// The original looks at the FIFO alone, so the byte on its way into the last place does not count. The repaired device
// counts it.
bool WritePath::ready(const Requests& requests) const {
  const unsigned on_the_way = !fifo_byte_loss_ && offered(requests) ? 1 : 0;
  return count_ + on_the_way < fifo_.size();
}

// On release the lock passes directly to the waiting other thread.
int WritePath::next_owner(const Requests& requests) const {
  if (!ready(requests)) return owner_;  // a full FIFO freezes the lock
  if (owner_ >= 0 && requests[static_cast<unsigned>(owner_)].write_request) return owner_;
  for (int thread = 0; thread < 2; ++thread)
    if (requests[static_cast<unsigned>(thread)].write_request) return thread;
  return -1;
}

WritePath::Outcome WritePath::clock(std::uint64_t cycle, const Requests& requests, bool cts) {
  Outcome outcome;
  const int next = next_owner(requests);
  const bool pop = takes_head(cycle - 1, cts);
  const bool push = offered(requests);
  const bool room = count_ < fifo_.size();
  if (push && room) fifo_[(head_ + count_) % fifo_.size()] = requests[static_cast<unsigned>(owner_)].byte;
  outcome.lost_to_fifo = push && !room;
  if (pop) {
    outcome.started = cts;
    outcome.lost_to_cts = !cts;
    outcome.frame = {cycle, fifo_[head_]};
    if (cts) busy_until_ = cycle + frame_clocks_;
    head_ = (head_ + 1) % fifo_.size();
  }
  count_ = count_ + (push && room ? 1 : 0) - (pop ? 1 : 0);
  owner_ = next;
  return outcome;
}

std::uint64_t WritePath::next_edge(std::uint64_t cycle, const Requests& requests, bool cts) const {
  if (offered(requests) || next_owner(requests) != owner_ || takes_head(cycle, cts)) return cycle + 1;
  if (idle(cycle)) return ~std::uint64_t{0};
  return count_ > 0 ? busy_until_ + 1 : busy_until_;
}

}  // namespace vp::matmul
