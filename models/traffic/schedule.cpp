#include "models/traffic/schedule.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp {
namespace {

constexpr std::uint64_t kPicosecondsASecond = 1'000'000'000'000;

}  // namespace

TrafficSchedule::TrafficSchedule(const TrafficConfig& config, Picoseconds cycle)
    : cycle_(cycle),
      rate_(config.rate),
      interval_(rate_ ? config.burst * kPicosecondsASecond / rate_ : 0),
      remainder_(rate_ ? config.burst * kPicosecondsASecond % rate_ : 0),
      offered_(config.begin),
      answers_(config.outstanding) {}

Picoseconds TrafficSchedule::next() const { return std::max({offered_, answers_[oldest_], free_}); }

std::size_t TrafficSchedule::issue(Picoseconds at) {
  const std::size_t place = oldest_;
  free_ = at + cycle_;
  answers_[place] = kNever;
  oldest_ = (oldest_ + 1) % answers_.size();
  offered_ += interval_;
  carry_ += remainder_;
  if (rate_ != 0 && carry_ >= rate_) {
    carry_ -= rate_;
    ++offered_;
  }
  return place;
}

void TrafficSchedule::persist(Archive& archive) {
  archive("carry", carry_)("offered", offered_)("free", free_).fixed("answers", answers_);
  archive.below("oldest", oldest_, answers_.size());
}

}  // namespace vp
