// The translations that a hart keeps, by themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "models/cpu/pmp.h"
#include "models/cpu/translation.h"
#include "tests/support/saved_state.h"

namespace vp::cpu {
namespace {

using Word = std::uint64_t;
using testing::ElementsAre;
using testing::IsEmpty;

Mapping<Word> mapping_of(Word page, unsigned shift = 12) {
  Mapping<Word> mapping;
  mapping.page = page << 12;
  mapping.physical = mapping.page + 0x8000'0000;
  mapping.rights = 0xc7;
  mapping.shift = static_cast<std::uint8_t>(shift);
  return mapping;
}

class KeptMappings : public testing::Test {
 protected:
  void keep(Word page, bool few, unsigned shift = 12) {
    kept_.keep(mapping_of(page, shift), few, [this](Word dropped) { dropped_.push_back(dropped >> 12); });
  }
  void keep_few() {
    kept_.keep_few([this](Word dropped) { dropped_.push_back(dropped >> 12); });
  }
  void forget(Word page) {
    kept_.forget(page << 12 | 0x123, [this](Word dropped) { dropped_.push_back(dropped >> 12); });
  }
  bool has(Word page) { return kept_.of(page << 12).covers(page << 12); }
  std::vector<Word> dropped() { return std::exchange(dropped_, {}); }

  DataMappings<Word> kept_;
  std::vector<Word> dropped_;
};

TEST_F(KeptMappings, are_1024_pages_direct_mapped_in_timed_mode) {
  for (const Word page : {3, 4, 1027, 4099, 4099}) keep(page, true);
  EXPECT_THAT(dropped(), ElementsAre(3, 1027, 4099)) << "the last one in the place of what was known of it before";
  EXPECT_TRUE(has(4) && has(4099));
  EXPECT_FALSE(has(3) || has(1027));
}

TEST_F(KeptMappings, are_more_where_walks_take_no_time) {
  for (const Word page : {3, 1027, 2051, 4099}) keep(page, false);
  EXPECT_THAT(dropped(), ElementsAre(3));
  EXPECT_TRUE(has(1027) && has(2051) && has(4099));
}

TEST_F(KeptMappings, become_those_found_last_when_timed_mode_begins) {
  for (const Word page : {3, 1027, 5, 4100, 1028}) keep(page, false);
  keep_few();
  EXPECT_THAT(dropped(), testing::UnorderedElementsAre(3, 4100));
  EXPECT_TRUE(has(1027) && has(5) && has(1028));
  keep(1029, true);
  EXPECT_THAT(dropped(), ElementsAre(5));
}

TEST_F(KeptMappings, of_a_superpage_are_forgotten_together) {
  keep(512, false, 21);
  keep(700, false, 21);
  keep(1300, false);
  forget(600);
  EXPECT_THAT(dropped(), ElementsAre(512, 700));
  forget(600);
  EXPECT_THAT(dropped(), IsEmpty());
  EXPECT_TRUE(has(1300));
  forget(1300);
  EXPECT_THAT(dropped(), ElementsAre(1300));
}

/// Random pages, superpages among them, as a test of saved states wants it.
struct MappingsBench {
  void step(Dice& dice) {
    const auto drop = [this](Word page) { seen << page << ' '; };
    const Word page = dice.from_to(0, 3) * 1024 + dice.from_to(0, 5);
    const unsigned what = dice.from_to(0, 9);
    if (what == 0) {
      mappings.forget(page << 12, drop);
    } else if (what == 1) {
      timed = !timed;
      if (timed) mappings.keep_few(drop);
    } else {
      mappings.keep(mapping_of(page, page % 8 == 5 ? 21 : 12), timed, drop);
    }
  }
  void persist(Archive& archive) { archive("mappings", mappings)("timed", timed); }

  DataMappings<Word> mappings;
  bool timed = false;
  std::ostringstream seen;
};

TEST_F(KeptMappings, are_the_same_after_loading) {
  expect_equal_after_loading([] { return std::make_unique<MappingsBench>(); }, 7, 40, 60);
}

/// The range that is looked at first holds only what the entries allow to everybody, and all of it.
template <typename Register>
void expect_open_range_is_open(unsigned seed) {
  std::mt19937_64 random(seed);
  unsigned open = 0;
  for (int round = 0; round < 3000; ++round) {
    State<Register> state;
    for (unsigned i = 0; i < 5; ++i) {
      write_pmpaddr<Register>(state, i,
                              static_cast<Register>(0x2000'0000 + random() % 16 * 256 + (random() % 2) * 127));
      write_pmpcfg<Register>(state, i, static_cast<std::uint8_t>(random() % 3 ? 0x07 | random() % 4 << 3 : random()));
    }
    const PmpRange& range = state.pmp_open;
    open += range.first != range.end;
    for (int i = 0; i < 40; ++i) {
      const std::uint64_t address = 0x8000'0000 + random() % 0x6000, size = std::uint64_t{1} << random() % 4;
      const auto access = static_cast<Access>(1u << random() % 3);
      for (const Mode mode : {Mode::kUser, Mode::kSupervisor, Mode::kMachine})
        ASSERT_EQ(pmp_allows(state, mode, access, address, size),
                  state.pmp_used == 0 ? mode == Mode::kMachine : pmp_entries_allow(state, mode, access, address, size))
            << std::hex << address << ' ' << size << ' ' << range.first << ' ' << range.end;
    }
  }
  EXPECT_GT(open, 1000u);
}

TEST(PmpOpenRange, holds_what_the_entries_allow_to_everybody) {
  expect_open_range_is_open<std::uint32_t>(1);
  expect_open_range_is_open<std::uint64_t>(2);
}

TEST(PmpOpenRange, is_the_memory_behind_the_firmware) {
  State<std::uint64_t> state;
  write_pmpaddr<std::uint64_t>(state, 0, (0x8000'0000 >> 2) | 0xFFFF);  // 512 KiB, for machine mode only
  write_pmpcfg<std::uint64_t>(state, 0, 0x18);
  write_pmpaddr<std::uint64_t>(state, 1, ~std::uint64_t{0});
  write_pmpcfg<std::uint64_t>(state, 1, 0x1f);
  EXPECT_EQ(state.pmp_open.first, 0x8008'0000u);
  EXPECT_GT(state.pmp_open.end, std::uint64_t{1} << 55);
}

}  // namespace
}  // namespace vp::cpu
