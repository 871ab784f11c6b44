#include "models/tinytpu/row_map.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp::tinytpu {

void RowMap::insert(std::uint64_t first, std::uint64_t length, std::uint64_t number, std::uint64_t position) {
  if (length > depth_) {
    first += length - depth_;
    position += length - depth_;
    length = depth_;
  }
  const auto begin = static_cast<unsigned>(first % depth_);
  const auto before_wrap = static_cast<unsigned>(std::min<std::uint64_t>(length, depth_ - begin));
  put(begin, {begin + before_wrap, number, position});
  put(0, {static_cast<unsigned>(length - before_wrap), number, position + before_wrap});
}

void RowMap::put(unsigned first, Piece piece) {
  if (first >= piece.end) return;
  auto it = pieces_.lower_bound(first);
  if (it != pieces_.end() && it->first == first && it->second.end == piece.end) {  // the same rows again
    it->second = piece;
    return;
  }
  const auto keep_tail = [&](unsigned from, const Piece& old) {
    if (old.end > piece.end) pieces_[piece.end] = {old.end, old.number, old.position + (piece.end - from)};
  };
  if (it != pieces_.begin()) {
    const auto before = std::prev(it);
    if (before->second.end > first) {
      keep_tail(before->first, before->second);
      before->second.end = first;
    }
  }
  while (it != pieces_.end() && it->first < piece.end) {
    const auto [from, old] = *it;
    it = pieces_.erase(it);
    keep_tail(from, old);
  }
  pieces_[first] = piece;
}

const RowMap::Piece* RowMap::find(unsigned row, std::uint64_t& position) const {
  auto it = pieces_.upper_bound(row);
  if (it == pieces_.begin()) return nullptr;
  --it;
  if (row >= it->second.end) return nullptr;
  position = it->second.position + (row - it->first);
  return &it->second;
}

void RowMap::Piece::persist(Archive& archive) { archive("end", end)("number", number)("position", position); }

void RowMap::persist(Archive& archive) { archive("pieces", pieces_); }

}  // namespace vp::tinytpu
