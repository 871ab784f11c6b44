#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/statistics.h"
#include "tests/support/dice.h"

namespace vp {

/// The figures of a model as text.
template <typename Figures>
std::string text_of(const Figures& figures) {
  Statistics statistics;
  write_figures(figures, statistics);
  std::ostringstream out;
  statistics.write_text(out);
  return out.str();
}

/// Saves a bench at random moments into another one that has a past of its own, and lets both go on with the same
/// stimuli: what they show and what they save stays the same. So a member that persist() forgets is found as soon as it
/// matters.
///
/// A bench has `step(Dice&)`, one random stimulus; `seen`, an ostringstream of all that can be seen from outside;
/// `persist(Archive&)`, the model and what the bench itself must keep; make() gives a new one.
template <typename Make>
void expect_equal_after_loading(Make make, unsigned seed, unsigned rounds, unsigned steps) {
  Dice dice(seed), other_dice(seed + 1'000'000);
  auto bench = make();
  for (unsigned round = 0; round < rounds; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    for (unsigned i = dice.from_to(1, steps); i > 0; --i) bench->step(dice);
    auto copy = make();
    for (unsigned i = other_dice.from_to(0, steps); i > 0; --i) copy->step(other_dice);

    const std::string state = save_state(*bench);
    ASSERT_EQ(state_difference(*bench, state), "") << "saving changes nothing that is saved";
    load_state(*copy, state);
    ASSERT_EQ(state_difference(*copy, state), "");
    ASSERT_EQ(save_state(*copy), state);

    bench->seen.str("");
    copy->seen.str("");
    Dice same = dice;
    for (unsigned i = 0; i < steps; ++i) {
      bench->step(dice);
      copy->step(same);
      ASSERT_EQ(bench->seen.str(), copy->seen.str()) << "after " << i + 1 << " steps";
      bench->seen.str("");
      copy->seen.str("");
    }
    ASSERT_EQ(state_difference(*copy, save_state(*bench)), "");
    if (dice.one_in(2)) bench = std::move(copy);
  }
}

}  // namespace vp
