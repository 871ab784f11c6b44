#include "models/memory/dram/transaction_queue.h"

#include <stdexcept>

namespace vp::dram {

TransactionQueue::TransactionQueue(unsigned capacity, unsigned banks)
    : slots_(capacity), lines_(banks), movable_(banks) {
  clear();
}

void TransactionQueue::clear() {
  for (unsigned i = 0; i < slots_.size(); ++i) slots_[i].next = i + 1 < slots_.size() ? i + 1 : kNone;
  free_ = 0;
  arriving_ = last_arriving_ = kNone;
  lines_.assign(lines_.size(), Line{});
  movable_.clear();
}

void TransactionQueue::push(const QueuedRequest& request, Cycle from) {
  if (full()) throw std::logic_error("DRAM: a request is presented to a full queue");
  const unsigned index = free_;
  free_ = slots_[index].next;
  slots_[index] = {request, from, kNone};
  (arriving_ == kNone ? arriving_ : slots_[last_arriving_].next) = index;
  last_arriving_ = index;
}

void TransactionQueue::link_next() {
  const unsigned index = arriving_;
  Slot& slot = slots_[index];
  arriving_ = slot.next;
  slot.next = kNone;
  Line& line = lines_[slot.request.bank];
  (line.first == kNone ? line.first : slots_[line.last].next) = index;
  line.last = index;
}

QueuedRequest TransactionQueue::pop() {
  unsigned oldest = kNone;
  movable_.for_each([&](unsigned bank) {
    const unsigned first = lines_[bank].first;
    if (oldest == kNone || slots_[first].request.order < slots_[oldest].request.order) oldest = first;
  });
  Slot& slot = slots_[oldest];
  lines_[slot.request.bank].first = slot.next;
  slot.next = free_;
  free_ = oldest;
  return slot.request;
}

}  // namespace vp::dram
