#include "models/bus/arbiter.h"

#include <utility>

namespace vp {
namespace {

class FirstCome : public Arbiter {
 public:
  bool goes_first(const LinkRequest& newcomer, const LinkRequest& waiting, unsigned) const override {
    return newcomer.initiator != waiting.initiator && newcomer.arrival < waiting.arrival;
  }
  bool keeps_arrivals() const override { return true; }
};

class FixedPriority : public Arbiter {
 public:
  explicit FixedPriority(std::vector<unsigned> ranks) : ranks_(std::move(ranks)) {}
  bool goes_first(const LinkRequest& newcomer, const LinkRequest& waiting, unsigned) const override {
    return ranks_[newcomer.initiator] < ranks_[waiting.initiator];
  }

 private:
  std::vector<unsigned> ranks_;
};

/// The next in line after the one served, in a circle of the initiators' numbers.
class RoundRobin : public Arbiter {
 public:
  explicit RoundRobin(unsigned initiators) : initiators_(initiators) {}
  bool goes_first(const LinkRequest& newcomer, const LinkRequest& waiting, unsigned served) const override {
    return turn(newcomer.initiator, served) < turn(waiting.initiator, served);
  }

 private:
  unsigned turn(unsigned initiator, unsigned served) const {
    const unsigned last = served == kNobody ? initiators_ - 1 : served;
    return (initiator + initiators_ - last - 1) % initiators_;
  }
  unsigned initiators_;
};

}  // namespace

std::unique_ptr<Arbiter> make_arbiter(Arbitration policy, std::vector<unsigned> ranks) {
  switch (policy) {
    case Arbitration::first_come:
      break;
    case Arbitration::fixed_priority:
      return std::make_unique<FixedPriority>(std::move(ranks));
    case Arbitration::round_robin:
      return std::make_unique<RoundRobin>(static_cast<unsigned>(ranks.size()));
  }
  return std::make_unique<FirstCome>();
}

}  // namespace vp
