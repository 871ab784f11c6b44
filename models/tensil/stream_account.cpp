#include "models/tensil/stream_account.h"

#include <algorithm>
#include <numeric>

#include "models/common/archive.h"

namespace vp::tensil {
namespace {

HeldUp cause_of(Activity activity) {
  switch (activity) {
    case Activity::mat_mul:
    case Activity::load_weight:
      return HeldUp::array;
    case Activity::simd:
    case Activity::load_lut:
      return HeldUp::simd;
    case Activity::accumulator_move:
      return HeldUp::accumulator_moves;
    case Activity::dram0_read:
    case Activity::dram0_write:
      return HeldUp::port_dram0;
    case Activity::dram1_read:
    case Activity::dram1_write:
      return HeldUp::port_dram1;
    default:
      return HeldUp::instructions;
  }
}

}  // namespace

const char* name_of(HeldUp cause) {
  static constexpr const char* kNames[kHeldUp] = {
      "array", "simd", "accumulator_moves", "port_dram0", "port_dram1", "instructions", "stream", "host_feed"};
  return kNames[static_cast<unsigned>(cause)];
}

StreamAccount::Half StreamAccount::Sums::programs() const { return std::accumulate(held.begin(), held.end(), Half{0}); }

void StreamAccount::comes(Half since, bool goes_on) {
  since_ = since;
  goes_on_ = goes_on;
}

void StreamAccount::began(Activity activity, Half asked) {
  working_ = true;
  activity_ = activity;
  asked_ = asked;
}

/// The time between two instructions, by what was waited for.
void StreamAccount::fill(Sums& sums, Half from, Half to) const {
  const auto pass = [&](Half& sum, Half end) {
    end = std::clamp(end, from, to);
    sum += end - from;
    from = end;
  };
  pass(sums.of(HeldUp::simd), simd_free_);
  pass(sums.of(HeldUp::array), array_free_);
  pass(goes_on_ ? sums.of(HeldUp::host_feed) : sums.idle, since_);
  pass(sums.of(HeldUp::stream), to);
}

/// An instruction with what it waited for.
void StreamAccount::add(Sums& sums, Activity activity, Half asked, Half begin, Half end) const {
  const Half simd = std::clamp(simd_free_, asked, begin);
  sums.of(HeldUp::simd) += simd - asked;
  sums.of(HeldUp::array) += begin - simd;
  sums.of(cause_of(activity)) += end - begin;
}

void StreamAccount::ended(Activity activity, Half asked, Half begin, Half end, Half array_free, Half simd_free) {
  fill(sums_, at_, asked);
  add(sums_, activity, asked, begin, end);
  taken_ += end - asked;
  at_ = end;
  array_free_ = array_free;
  simd_free_ = simd_free;
  working_ = false;
}

StreamAccount::Sums StreamAccount::until(Half now) const {
  Sums sums = sums_;
  if (now <= at_) return sums;
  if (working_) {
    const Half asked = std::min(asked_, now);
    fill(sums, at_, asked);
    add(sums, activity_, asked, asked, now);
    sums.under_way = now - asked;
    sums.at = cause_of(activity_);
    return sums;
  }
  // Nothing has come any more.
  StreamAccount rest = *this;
  rest.comes(now, false);
  rest.fill(sums, at_, now);
  return sums;
}

void StreamAccount::reset(Half now) {
  sums_ = until(now);
  at_ = std::max(at_, now);
  working_ = false;
  goes_on_ = false;
  since_ = array_free_ = simd_free_ = now;
}

void StreamAccount::persist(Archive& archive) {
  archive("held", sums_.held)("idle", sums_.idle)("at", at_)("taken", taken_)("since", since_);
  archive("goes_on", goes_on_)("working", working_)("activity", activity_, Activity::skipped)("asked", asked_);
  archive("array_free", array_free_)("simd_free", simd_free_);
}

}  // namespace vp::tensil
