#include "models/traffic/transactions.h"

#include "models/common/archive.h"

namespace vp {

TrafficTransactions::TrafficTransactions(const TrafficConfig& config)
    : random_order_(config.pattern == TrafficPattern::random),
      base_(config.base),
      distance_(config.pattern == TrafficPattern::strided ? config.stride : config.burst),
      places_((config.size - config.burst) / distance_ + 1),
      writes_(config.writes),
      random_(config.seed) {}

TrafficTransactions::Transaction TrafficTransactions::next() {
  Transaction transaction;
  const std::uint64_t place = random_order_ ? random_() % places_ : place_;
  place_ = (place_ + 1) % places_;
  transaction.address = base_ + place * distance_;
  transaction.write = writes_ != 0 && random_() % 100 < writes_;
  return transaction;
}

void TrafficTransactions::persist(Archive& archive) { archive("random", random_).below("place", place_, places_); }

}  // namespace vp
