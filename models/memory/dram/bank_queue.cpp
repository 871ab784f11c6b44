#include "models/memory/dram/bank_queue.h"

namespace vp::dram {
namespace {

std::uint64_t bit(unsigned index) { return std::uint64_t{1} << index; }

/// Without bit `index`; the higher ones move down.
std::uint64_t without(std::uint64_t bits, unsigned index) {
  const std::uint64_t below = bit(index) - 1;
  return (bits & below) | (bits >> 1 & ~below);
}

}  // namespace

bool BankQueue::follows_read(unsigned index) const {
  const QueuedRequest& write = requests_[index];
  for (unsigned i = 0; i < index; ++i)
    if (!requests_[i].write && requests_[i].row == write.row && requests_[i].column == write.column) return true;
  return false;
}

void BankQueue::push(const QueuedRequest& request, bool hit) {
  const unsigned index = static_cast<unsigned>(requests_.size());
  requests_.push_back(request);
  if (hit) hits_ |= bit(index);
  if (!request.write) return;
  writes_ |= bit(index);
  if (follows_read(index)) behind_read_ |= bit(index);
}

QueuedRequest BankQueue::take(unsigned index) {
  const QueuedRequest request = requests_[index];
  requests_.erase(requests_.begin() + index);
  hits_ = without(hits_, index);
  writes_ = without(writes_, index);
  behind_read_ = without(behind_read_, index);
  if (!request.write)
    for (std::uint64_t waiting = behind_read_; waiting != 0; waiting &= waiting - 1)
      if (!follows_read(lowest_bit(waiting))) behind_read_ &= ~bit(lowest_bit(waiting));
  return request;
}

void BankQueue::clear() {
  requests_.clear();
  hits_ = writes_ = behind_read_ = 0;
}

void BankQueue::row_opened(unsigned row) {
  hits_ = 0;
  for (unsigned i = 0; i < requests_.size(); ++i)
    if (requests_[i].row == row) hits_ |= bit(i);
}

}  // namespace vp::dram
