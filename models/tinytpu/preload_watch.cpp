#include "models/tinytpu/preload_watch.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp::tinytpu {

void PreloadWatch::loaded(std::uint64_t load, unsigned rows, Edge edge) {
  unsigned first = 0;
  for (const Rows& old : rows_) {
    if (first >= rows) break;
    const unsigned count = std::min(old.end, rows) - first;
    if (old.fresh) found_.push_back({HazardKind::weights_overrun, old.load, load, first, count, edge + first});
    first = old.end;
  }
  rows_.erase(rows_.begin(),
              std::find_if(rows_.begin(), rows_.end(), [rows](const Rows& old) { return old.end > rows; }));
  rows_.insert(rows_.begin(), {rows, load, true});
}

void PreloadWatch::taken(std::uint64_t multiply, Edge edge) {
  unsigned first = 0;
  for (Rows& rows : rows_) {
    if (rows.load < multiply)
      rows.fresh = false;  // a multiply in front of the read_weights only steals them
    else
      found_.push_back({HazardKind::weights_replaced, multiply, rows.load, first, rows.end - first, edge + first});
    first = rows.end;
  }
}

void PreloadWatch::tell(HazardReport& report, Edge end) {
  if (found_.empty()) return;
  for (Found& found : found_) {
    if (found.edge >= end) continue;
    const auto count = static_cast<unsigned>(std::min<Edge>(found.rows, end - found.edge));
    report.add_rows(found.kind, found.instruction, found.other, found.row, count, found.edge);
    found.row += count;
    found.rows -= count;
    found.edge += count;
  }
  found_.erase(std::remove_if(found_.begin(), found_.end(), [](const Found& found) { return found.rows == 0; }),
               found_.end());
}

void PreloadWatch::shift(Edge edges) {
  for (Found& found : found_) found.edge += edges;
}

void PreloadWatch::reset() {
  rows_.clear();
  found_.clear();
}

void PreloadWatch::Rows::persist(Archive& archive) { archive("end", end)("load", load)("fresh", fresh); }

void PreloadWatch::Found::persist(Archive& archive) {
  archive("kind", kind, HazardKind::never_ran)("instruction", instruction)("other", other);
  archive("row", row)("rows", rows)("edge", edge);
}

void PreloadWatch::persist(Archive& archive) {
  archive("rows", rows_)("found", found_);
  if (!archive.loading()) return;
  unsigned first = 0;
  for (const Rows& rows : rows_) {
    archive.require(rows.end > first && rows.end <= width_, "rows", "are not those of this array");
    first = rows.end;
  }
}

}  // namespace vp::tinytpu
