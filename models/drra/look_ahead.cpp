#include "models/drra/look_ahead.h"

#include "models/common/archive.h"

namespace vp::drra {
namespace {

// When a look goes on beyond its span: over waits of so many cycles, so many times.
constexpr Cycle kShortestWait = 64;
constexpr unsigned kMostWaits = 32;

}  // namespace

LookAhead::LookAhead(const DrraConfig& config)
    : present_(std::make_unique<Core>(config)), ahead_(std::make_unique<Core>(config)) {}

void LookAhead::advance_to(Cycle cycle) {
  if (looked_ && cycle >= ahead_->cycle()) {
    if (!watched_) present_.swap(ahead_);
    looked_ = false;
  }
  present_->advance_to(cycle);
}

Cycle LookAhead::look() {
  if (present_->done()) return kNever;
  if (!looked_) {
    ahead_->become(*present_);
    looked_ = true;
    ahead_->run_to(ahead_->cycle() + span_);
    // Waits cost nothing, however long they are.
    for (unsigned waits = 0; waits < kMostWaits && !ahead_->done(); ++waits) {
      const Cycle next = ahead_->next_event();
      if (next < ahead_->cycle() + kShortestWait) break;
      ahead_->run_to(next + kShortestWait);
    }
    span_ = std::min(2 * span_, std::max(kShortestSpan, kLongestWork / ahead_->cells()));
  }
  return ahead_->cycle();
}

void LookAhead::persist(Archive& archive) {
  archive("fabric", *present_)("span", span_);
  const Cycle longest = std::max(kShortestSpan, kLongestWork / present_->cells());
  archive.require(span_ >= 1 && span_ <= longest, "span", "is out of range");
  if (archive.loading()) looked_ = false;
}

}  // namespace vp::drra
