#pragma once

#include <cstdint>
#include <map>

namespace vp {
class Archive;
}

namespace vp::tinytpu {

/// Which instruction used a row of a memory last: ranges of rows, not rows. Each row of a range has a position, which
/// counts up by one from row to row.
class RowMap {
 public:
  struct Piece {
    unsigned end = 0;            ///< row behind its last
    std::uint64_t number = 0;    ///< of the instruction
    std::uint64_t position = 0;  ///< of its first row
    void persist(Archive& archive);
  };

  /// `depth`: rows of the memory, at which row numbers wrap.
  explicit RowMap(unsigned depth) : depth_(depth) {}

  /// Instruction `number` uses `length` rows from `first` on, whose positions begin with `position`. Of rows that it
  /// uses more than once the last time counts.
  void insert(std::uint64_t first, std::uint64_t length, std::uint64_t number, std::uint64_t position);

  /// Calls use(first_row, rows, piece, position of first_row, offset of first_row in the range) for every piece among
  /// the rows `first` to first + length - 1; of rows that come more than once, for the first time.
  template <typename Use>
  void for_each(std::uint64_t first, std::uint64_t length, Use use) const;
  /// The piece that has this row, and the row's position in `position`; nullptr if none has it.
  const Piece* find(unsigned row, std::uint64_t& position) const;

  void clear() { pieces_.clear(); }
  void persist(Archive& archive);

 private:
  void put(unsigned first, Piece piece);
  template <typename Use>
  void for_each_between(unsigned first, unsigned end, std::uint64_t offset, Use& use) const;

  unsigned depth_;
  std::map<unsigned, Piece> pieces_;  // by first row; they do not overlap
};

template <typename Use>
void RowMap::for_each(std::uint64_t first, std::uint64_t length, Use use) const {
  const auto begin = static_cast<unsigned>(first % depth_);
  const std::uint64_t rows = length < depth_ ? length : depth_;
  const std::uint64_t before_wrap = rows < depth_ - begin ? rows : depth_ - begin;
  for_each_between(begin, static_cast<unsigned>(begin + before_wrap), 0, use);
  for_each_between(0, static_cast<unsigned>(rows - before_wrap), before_wrap, use);
}

template <typename Use>
void RowMap::for_each_between(unsigned first, unsigned end, std::uint64_t offset, Use& use) const {
  if (first >= end) return;
  auto it = pieces_.upper_bound(first);
  if (it != pieces_.begin()) --it;
  for (; it != pieces_.end() && it->first < end; ++it) {
    const unsigned from = it->first > first ? it->first : first, to = it->second.end < end ? it->second.end : end;
    if (from < to) use(from, to - from, it->second, it->second.position + (from - it->first), offset + (from - first));
  }
}

}  // namespace vp::tinytpu
