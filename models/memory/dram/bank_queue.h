#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/memory/dram/bank_set.h"
#include "models/memory/dram/channel_statistics.h"

namespace vp {
class Archive;
}

namespace vp::dram {

/// A request in a bank's queue.
struct QueuedRequest {
  std::uint64_t id = 0;     ///< the caller's name for it
  std::uint64_t order = 0;  ///< how many requests were presented before it
  unsigned bank = 0;
  unsigned row = 0;
  unsigned column = 0;
  bool write = false;
  RowOutcome found = RowOutcome::hit;  ///< what had to be done for it so far

  void persist(Archive& archive);
};

/// The requests that wait for one bank, oldest first, at most 64. Keeps who of them is for the open row, so that nobody
/// has to look.
class BankQueue {
 public:
  explicit BankQueue(unsigned capacity) : capacity_(capacity) { requests_.reserve(capacity); }

  bool empty() const { return requests_.empty(); }
  bool full() const { return requests_.size() >= capacity_; }
  const QueuedRequest& operator[](unsigned index) const { return requests_[index]; }

  /// hit: it is for the open row of the bank.
  void push(const QueuedRequest& request, bool hit);
  /// Takes a request out; younger ones move up.
  QueuedRequest take(unsigned index);
  void clear();
  void persist(Archive& archive);

  void row_opened(unsigned row);
  void row_closed() { hits_ = 0; }
  /// A row was opened (`closed`: there was none), or another one closed, for the oldest request.
  void done_for_oldest(RowOutcome outcome) { requests_.front().found = std::max(requests_.front().found, outcome); }

  /// Requests for the open row: bit i stands for request i.
  std::uint64_t hits() const { return hits_; }
  /// Those of one direction that may go: a write not before an earlier read of the same burst.
  std::uint64_t hits(bool write) const { return write ? hits_ & writes_ & ~behind_read_ : hits_ & ~writes_; }

 private:
  bool follows_read(unsigned index) const;

  unsigned capacity_;
  std::vector<QueuedRequest> requests_;
  std::uint64_t hits_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t behind_read_ = 0;  // writes with an earlier read of the same burst in the queue
};

}  // namespace vp::dram
