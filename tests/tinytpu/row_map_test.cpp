#include "models/tinytpu/row_map.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace vp::tinytpu {
namespace {

TEST(TinyTpuRowMap, tells_of_each_row_who_used_it_last) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned depth = 1 + random() % 70;
    RowMap map(depth);
    using Use = std::pair<std::uint64_t, std::uint64_t>;  // instruction + 1, position
    std::vector<Use> rows(depth);
    for (std::uint64_t number = 0; number < 40; ++number) {
      const std::uint64_t first = random() % 200, length = random() % (random() % 4 ? 20 : 150),
                          position = random() % 9;
      map.insert(first, length, number, position);
      for (std::uint64_t k = 0; k < length; ++k) rows[(first + k) % depth] = {number + 1, position + k};
      for (unsigned row = 0; row < depth; ++row) {
        std::uint64_t found = 0;
        const RowMap::Piece* const piece = map.find(row, found);
        ASSERT_EQ(piece != nullptr, rows[row].first != 0);
        if (piece) {
          ASSERT_EQ(std::pair(piece->number + 1, found), rows[row]);
        }
      }
      std::vector<Use> walked(depth);
      const std::uint64_t from = random() % 100, count = random() % 100;
      map.for_each(from, count,
                   [&](unsigned row, unsigned n, const RowMap::Piece& piece, std::uint64_t at, std::uint64_t offset) {
                     for (unsigned i = 0; i < n; ++i) {
                       ASSERT_EQ((from + offset + i) % depth, row + i);
                       walked[row + i] = {piece.number + 1, at + i};
                     }
                   });
      for (std::uint64_t k = 0; k < std::min<std::uint64_t>(count, depth); ++k)
        ASSERT_EQ(walked[(from + k) % depth], rows[(from + k) % depth]);
    }
  }
}

}  // namespace
}  // namespace vp::tinytpu
