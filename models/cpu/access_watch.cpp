#include "models/cpu/access_watch.h"

#include <algorithm>
#include <optional>

namespace vp::cpu {

void AccessWatch::set_read_only(std::vector<ReadOnlyRange> ranges, std::function<void(const ReadOnlyStore&)> callback) {
  ranges_ = std::move(ranges);
  read_only_store_ = ranges_.empty() ? nullptr : std::move(callback);
}

bool AccessWatch::read_only(std::uint64_t first, std::uint64_t size) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const ReadOnlyRange& range) {
    return first <= range.last && range.first <= first + (size - 1);
  });
}

bool AccessWatch::wants(bool write, std::uint64_t first, std::uint64_t physical, std::uint64_t size) const {
  if (write && read_only_store_ && read_only(physical, size)) return true;
  if (flow_.watches() && flow_.wants(write, first, size)) return true;
  return points_ && points_->watches(write, first, first + (size - 1));
}

/// Tells of the first one only.
void AccessWatch::look_at(const ReadOnlyStore& store) {
  if (!read_only(store.address, store.size)) return;
  std::exchange(read_only_store_, nullptr)(store);
}

bool AccessWatch::stops_behind(bool write, std::uint64_t address, unsigned size) {
  std::optional<DebugStop> hit = points_->hit(write, address, address + (size - 1));
  if (!hit) return false;
  stop_.ask(std::move(*hit));
  return true;
}

}  // namespace vp::cpu
