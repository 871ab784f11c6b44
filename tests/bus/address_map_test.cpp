#include "models/bus/address_map.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "models/common/error.h"

namespace vp {
namespace {

std::string error_of(std::vector<BusWindow> windows) {
  try {
    AddressMap map(std::move(windows));
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(AddressMap, FindsTheWindowThatHoldsTheWholeAccess) {
  const AddressMap map({{"ram", 0x8000'0000, 0x1000}, {"uart", 0x1000, 0x100}, {"top", ~std::uint64_t{0} - 7, 8}});
  EXPECT_EQ(map.windows()[map.find(0x1000, 1)].name, "uart");
  EXPECT_EQ(map.windows()[map.find(0x10FC, 4)].name, "uart");
  EXPECT_EQ(map.find(0x10FD, 4), AddressMap::kNone);
  EXPECT_EQ(map.find(0xFFF, 1), AddressMap::kNone);
  EXPECT_EQ(map.find(0xFFE, 8), AddressMap::kNone);
  EXPECT_EQ(map.windows()[map.find(0x8000'0000, 0x1000)].name, "ram");
  EXPECT_EQ(map.windows()[map.find(~std::uint64_t{0}, 1)].name, "top");
  EXPECT_EQ(map.find(~std::uint64_t{0}, 2), AddressMap::kNone);
}

TEST(AddressMap, RefusesOverlapEmptinessAndOverflow) {
  EXPECT_EQ(error_of({{"a", 0x1000, 0x100}, {"b", 0x10FF, 0x10}}),
            "the address windows of a (0x00001000 to 0x000010ff) and b (0x000010ff to 0x0000110e) overlap");
  EXPECT_EQ(error_of({{"a", 0x1000, 0x100}, {"b", 0x1100, 0x10}}), "");
  EXPECT_EQ(error_of({{"a", 0x1000, 0x100}, {"b", 0x1010, 0x10}, {"c", 0x1050, 4}}).find("the address windows of a"),
            0u);
  EXPECT_EQ(error_of({{"a", 0x1000, 0}}), "the address window of a is empty");
  EXPECT_NE(error_of({{"a", ~std::uint64_t{0}, 2}}), "");
  EXPECT_EQ(error_of({{"a", 0, 1}, {"a", 4, 1}}), "two address windows are called a");
}

TEST(AddressMap, KnowsTheNearestWindow) {
  const AddressMap map({{"a", 0x1000, 0x100}, {"b", 0x3000, 0x100}});
  EXPECT_EQ(map.windows()[map.nearest(0)].name, "a");
  EXPECT_EQ(map.windows()[map.nearest(0x1200)].name, "a");
  EXPECT_EQ(map.windows()[map.nearest(0x2FFF)].name, "b");
  EXPECT_EQ(map.windows()[map.nearest(0x9000)].name, "b");
  EXPECT_EQ(AddressMap({}).nearest(5), AddressMap::kNone);
  EXPECT_THROW(map.find("c"), std::logic_error);
}

}  // namespace
}  // namespace vp
