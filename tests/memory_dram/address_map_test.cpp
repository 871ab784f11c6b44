#include "models/memory/dram/address_map.h"

#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "models/common/error.h"
#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(AddressMap, CountsColumnsInBurstsAboveTheByteInTheBurst) {
  const AddressMap map(preset("ddr4-2400"));  // offset 6, column 7, group 2, bank 2, row 16
  EXPECT_EQ(map.locate(63).column, 0u);
  EXPECT_EQ(map.locate(64).column, 1u);
  EXPECT_EQ(map.locate(127 * 64).column, 127u);
}

TEST(AddressMap, PutsTheBankGroupAboveTheColumnByDefault) {
  const AddressMap map(preset("ddr4-2400"));
  EXPECT_EQ(map.locate(1u << 13).group, 1u);
  EXPECT_EQ(map.locate(1u << 13).bank, 4u);  // first bank of the second group
  EXPECT_EQ(map.locate(1u << 15).bank, 1u);
  EXPECT_EQ(map.locate(std::uint64_t{1} << 17).row, 1u);
}

TEST(AddressMap, FollowsTheLettersFromHighToLow) {
  ChannelConfig config = preset("ddr4-2400");
  config.address_mapping = "rochracobabg";
  const AddressMap map(config);
  EXPECT_EQ(map.locate(64).group, 1u);
  EXPECT_EQ(map.locate(64 * 4).bank, 1u);
  EXPECT_EQ(map.locate(64 * 16).column, 1u);
}

TEST(AddressMap, GivesEachRankItsOwnBanks) {
  ChannelConfig config = preset("ddr4-2400");
  config.size_mib *= 2;
  const AddressMap map(config);
  const Location second = map.locate(std::uint64_t{1} << 17);
  EXPECT_EQ(second.rank, 1u);
  EXPECT_EQ(second.bank, 16u);
  EXPECT_EQ(second.group, 4u);
}

TEST(AddressMap, MapsEveryBurstOfARegionToAPlaceOfItsOwn) {
  ChannelConfig config = preset("ddr3-1600");
  for (const char* mapping : {"rochrababgco", "rochrabacobg", "cobabgrorach", "chrarobacobg"}) {
    config.address_mapping = mapping;
    const AddressMap map(config);
    std::set<std::tuple<unsigned, unsigned, unsigned>> places;
    for (std::uint64_t address = 0; address < 1 << 20; address += 64) {
      const Location at = map.locate(address);
      places.insert({at.bank, at.row, at.column});
    }
    EXPECT_EQ(places.size(), (1u << 20) / 64) << mapping;
  }
}

TEST(AddressMap, RefusesAMappingOfTheWrongLetters) {
  for (const char* mapping : {"", "rochrababg", "rochrababgbg", "rochrababgxx", "rochrababgcoco"})
    EXPECT_THAT([&] { check_mapping(mapping); },
                ThrowsMessage<UserError>(HasSubstr("12 characters made of ro, ch, ra, ba, bg and co")))
        << mapping;
}

}  // namespace
}  // namespace vp::dram
