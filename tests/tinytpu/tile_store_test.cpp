#include "models/tinytpu/tile_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace vp::tinytpu {
namespace {

constexpr unsigned kTileWidth = 14, kTileMemoryRows = 1000;

struct Store {
  Store() {
    std::mt19937 random(3);
    for (unsigned row = 0; row < kTileMemoryRows; ++row)
      for (unsigned i = 0; i < kTileWidth; ++i) memory.at(row)[i] = static_cast<std::uint8_t>(random());
  }
  TileStore::Id packed(unsigned first, bool is_signed = true) { return tiles.packed(memory, first, is_signed); }
  bool holds_rows(TileStore::Id tile, unsigned first) {
    PackedWeights expected(kTileWidth);
    expected.set_rows(memory.at(first), memory.stride(), true);
    return std::equal(expected.block(0), expected.block(0) + expected.quads() * kBlockColumns, tiles.at(tile).block(0));
  }
  RowMemory memory{kTileWidth, kTileMemoryRows};
  TileStore tiles{kTileWidth, kTileMemoryRows};
};

TEST(TinyTpuTileStore, a_tile_is_packed_once_as_long_as_no_row_near_it_is_written) {
  Store store;
  const TileStore::Id tile = store.packed(28);
  EXPECT_TRUE(store.holds_rows(tile, 28));
  store.tiles.row_written(500);
  EXPECT_EQ(store.packed(28), tile);
  EXPECT_EQ(store.tiles.users(tile), 3u) << "both that asked, and the store itself";
}

TEST(TinyTpuTileStore, a_write_gives_the_next_user_a_new_tile_and_leaves_the_old_one_to_those_who_have_it) {
  for (const unsigned row : {28u, 41u}) {
    Store store;
    const TileStore::Id before = store.packed(28);
    store.memory.at(row)[0] ^= 1;
    store.tiles.row_written(row);
    const TileStore::Id after = store.packed(28);
    EXPECT_NE(after, before);
    EXPECT_TRUE(store.holds_rows(after, 28));
    EXPECT_FALSE(store.holds_rows(before, 28));
  }
}

TEST(TinyTpuTileStore, a_tile_without_users_is_packed_anew_in_its_place) {
  Store store;
  const TileStore::Id before = store.packed(28);
  store.tiles.release(before);
  store.memory.at(30)[5] ^= 1;
  store.tiles.all_written();
  const TileStore::Id after = store.packed(28);
  EXPECT_EQ(after, before);
  EXPECT_TRUE(store.holds_rows(after, 28));
}

TEST(TinyTpuTileStore, tiles_of_other_rows_or_of_another_sign_are_others) {
  Store store;
  const TileStore::Id tile = store.packed(28), shifted = store.packed(30), plain = store.packed(28, false);
  EXPECT_NE(shifted, tile);
  EXPECT_NE(plain, tile);
  EXPECT_TRUE(store.holds_rows(shifted, 30));
  EXPECT_EQ(store.tiles.at(plain).signs(), PackedWeights::Signs::all_unsigned);
  EXPECT_EQ(store.tiles.at(tile).signs(), PackedWeights::Signs::all_signed);
}

}  // namespace
}  // namespace vp::tinytpu
