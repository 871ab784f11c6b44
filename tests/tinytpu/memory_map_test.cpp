#include "models/tinytpu/memory_map.h"

#include <gtest/gtest.h>

namespace vp::tinytpu {
namespace {

TinyTpuConfig sized(unsigned width, unsigned weights, unsigned buffer) {
  TinyTpuConfig config;
  config.matrix_width = width;
  config.weight_depth = weights;
  config.unified_buffer_depth = buffer;
  return config;
}

void expect_place(const MemoryMap& map, std::uint64_t offset, Region region, unsigned row, unsigned word) {
  const Place place = map.decode(offset);
  EXPECT_EQ(place.region, region) << std::hex << offset;
  EXPECT_EQ(place.row, row) << std::hex << offset;
  EXPECT_EQ(place.word, word) << std::hex << offset;
}

TEST(TinyTpuMemoryMap, OfTheOriginalSizeIsTheOriginalMap) {
  const MemoryMap map(sized(14, 32768, 4096));
  EXPECT_EQ(map.window(), 0x100000U);
  EXPECT_EQ(map.unified_buffer_offset(), 0x80000U);
  EXPECT_EQ(map.instruction_offset(), 0x90000U);
  expect_place(map, 0x0, Region::weights, 0, 0);
  expect_place(map, 0x7FFFC, Region::weights, 32767, 3);
  expect_place(map, 0x80006, Region::unified_buffer, 0, 1);
  expect_place(map, 0x8FFF8, Region::unified_buffer, 4095, 2);
  expect_place(map, 0x9000C, Region::instructions, 0, 3);
}

TEST(TinyTpuMemoryMap, UndecodedBitsMakeAliases) {
  const MemoryMap map(sized(14, 32768, 4096));
  for (std::uint64_t alias : {0xA0000, 0xC0000, 0xE0000}) expect_place(map, alias + 0x24, Region::unified_buffer, 2, 1);
  for (std::uint64_t alias : {0xB0000, 0xD0000, 0xF0000}) expect_place(map, alias + 0x24, Region::instructions, 0, 1);
}

TEST(TinyTpuMemoryMap, LargeArraysGetLargerStrides) {
  const MemoryMap map(sized(256, 32768, 4096));
  EXPECT_EQ(map.stride(), 256U);
  EXPECT_EQ(map.window(), 0x1000000U);
  expect_place(map, 0x104, Region::weights, 1, 1);
  expect_place(map, map.instruction_offset() + 8, Region::instructions, 0, 2);
  EXPECT_EQ(MemoryMap(sized(17, 4, 4)).stride(), 32U);
}

TEST(TinyTpuMemoryMap, ASmallWeightBufferLeavesTheUnifiedBufferRoomForItsInstructions) {
  const MemoryMap map(sized(8, 4, 1024));  // W = 64 bytes, U = 16 KiB
  EXPECT_EQ(map.unified_buffer_offset(), 0x8000U);
  EXPECT_EQ(map.instruction_offset(), 0xC000U);
  EXPECT_EQ(map.window(), 0x10000U);
  expect_place(map, 0x40, Region::weights, 0, 0);  // alias of row 0
}

TEST(TinyTpuMemoryMap, RowsWrapAtDepthsThatAreNoPowersOfTwo) {
  const MemoryMap map(sized(8, 100, 3));
  expect_place(map, map.unified_buffer_offset() + 3 * 16, Region::unified_buffer, 0, 0);
  expect_place(map, 101 * 16, Region::weights, 1, 0);
}

}  // namespace
}  // namespace vp::tinytpu
