#include "models/tinytpu/unit_order.h"

#include <algorithm>
#include <utility>

#include "models/common/archive.h"
#include "models/tinytpu/config.h"

namespace vp::tinytpu {
namespace {

/// Alignments of two wrapped ranges that are looked at.
constexpr int kAlignments = 8;

constexpr unsigned kWeights = static_cast<unsigned>(Unit::weights), kMultiply = static_cast<unsigned>(Unit::multiply),
                   kActivate = static_cast<unsigned>(Unit::activate);

}  // namespace

void UnitOrder::issued(const Issue& issue) {
  switch (issue.instruction.kind()) {
    case InstructionKind::nothing:
      return advance(issue);
    case InstructionKind::synchronize:
      ordered_below_ = issue.number + 1;
      activates_.clear();
      multiply_.reset();
      return;
    case InstructionKind::read_weights:
      advance(issue);
      lengths_[kWeights] = issue.instruction.length;
      check_replaced(issue);
      load_ = issue;
      taken_ = 0;
      return;
    case InstructionKind::matrix_multiply: {
      const Distance latest = latest_behind_its_weights(issue);
      advance(issue);
      check_activates(issue);
      if (issue.instruction.accumulates()) check_addends(issue);
      check_streaming(issue, latest);
      lengths_[kMultiply] = issue.instruction.length;
      multiply_ = Tracked{issue};
      multiply_->to_unit[kMultiply] = 0;
      if (latest != -kUnknown) multiply_->to_unit[kWeights] = -latest;
      return;
    }
    case InstructionKind::activate:
      advance(issue);
      check_followed(issue);
      lengths_[kActivate] = issue.instruction.length;
      activates_.push_back({issue});
      activates_.back().to_unit[kActivate] = 0;
      written_.insert(issue.instruction.buffer, issue.instruction.length, issue.number, issue.edge + width_ + 19);
      latest_activate_ = issue.number + 1;
      return;
  }
}

void UnitOrder::advance(const Issue& issue) {
  if (multiply_) advance(*multiply_, issue);
  for (Tracked& activate : activates_) advance(activate, issue);
  // Behind this distance a multiply reads and writes what the activate has written and read, whatever the rows.
  while (!activates_.empty() &&
         activates_.front().to_last >= Distance{width_} + 15 + activates_.front().issue.instruction.length)
    activates_.erase(activates_.begin());
}

void UnitOrder::advance(Tracked& from, const Issue& issue) const {
  Distance distance = from.to_last + 1;
  const auto wait_for = [&](unsigned unit) { distance = std::max(distance, from.to_unit[unit] + lengths_[unit] + 4); };
  switch (issue.instruction.kind()) {
    case InstructionKind::read_weights:
      wait_for(kWeights);
      from.to_unit[kWeights] = distance;
      break;
    case InstructionKind::matrix_multiply:
      wait_for(kMultiply);
      from.to_unit[kMultiply] = distance;
      break;
    case InstructionKind::activate:
      wait_for(kMultiply);
      wait_for(kActivate);
      from.to_unit[kActivate] = distance;
      break;
    case InstructionKind::synchronize:
    case InstructionKind::nothing:
      break;
  }
  from.to_last = distance;
}

/// How many edges after the read_weights in front of it the multiply issues at most: it is right behind, unless the
/// multiply before it keeps it. -kUnknown: any number.
UnitOrder::Distance UnitOrder::latest_behind_its_weights(const Issue& multiply) const {
  if (!load_ || load_->number + 1 != multiply.number || !load_->instruction.waits_for_successor()) return -kUnknown;
  if (!multiply_) return 1;
  const Distance behind = multiply_->to_unit[kWeights];  // the load comes so long after the multiply before it
  return std::max<Distance>(1, lengths_[kMultiply] + 4 - behind);
}

void UnitOrder::check_activates(const Issue& multiply) {
  for (const Tracked& activate : activates_) check_activate(activate, multiply);
  if (latest_activate_ > ordered_below_) check_unordered_reads(multiply);
}

void UnitOrder::check_activate(const Tracked& activate, const Issue& multiply) {
  const Instruction &m = multiply.instruction, &a = activate.issue.instruction;
  const auto finding = [&](HazardKind kind, std::uint64_t reader, std::uint64_t writer, const Range& reads,
                           std::uint64_t modulus, Distance first, Distance last) {
    Hazard hazard{kind, reader, writer, static_cast<unsigned>((reads.first + first) % modulus),
                  static_cast<std::uint64_t>(last - first + 1)};
    hazard.first_edge = reads.edge + static_cast<Edge>(first);
    hazard.last_edge = reads.edge + static_cast<Edge>(last);
    return hazard;
  };
  const Range buffer_reads{m.buffer, m.length, multiply.edge + 4};
  const Range buffer_writes{a.buffer, a.length, activate.issue.edge + width_ + 19};
  const Distance read_delay = static_cast<Distance>(buffer_writes.edge) - static_cast<Distance>(buffer_reads.edge);
  overlap(buffer_reads, buffer_writes, depth_, kUnknown, read_delay, [&](Distance first, Distance last, Distance) {
    report_.add(finding(HazardKind::buffer_read_before_write, multiply.number, activate.issue.number, buffer_reads,
                        depth_, first, last));
  });

  const Range sums{m.accumulator, std::min<std::uint64_t>(m.length, width_), multiply.edge + width_ + 15};
  const Range reads{a.accumulator, a.length, activate.issue.edge + width_ + 15};
  const auto overwritten = [&](Distance first, Distance last) {
    return finding(HazardKind::accumulator_overwritten, activate.issue.number, multiply.number, reads, kAccumulatorRows,
                   first, last);
  };
  const Distance distance = static_cast<Distance>(multiply.edge - activate.issue.edge);
  overlap(reads, sums, kAccumulatorRows, distance + 1, -kUnknown,
          [&](Distance first, Distance last, Distance) { report_.add(overwritten(first, last)); });
  overlap(reads, sums, kAccumulatorRows, activate.to_last + 1, distance,
          [&](Distance first, Distance last, Distance shift) {
            Hazard hazard = overwritten(first, last);
            hazard.by_timing = true;
            hazard.margin = static_cast<Edge>(distance - shift);
            report_.add(hazard);
          });
}

/// Finds the rows common to `reads` and `writes`, read number kr meeting write number kw = kr - shift, for shifts from
/// `low` to `high`: use(first, last, shift) with the reads' numbers.
template <typename Use>
void UnitOrder::overlap(const Range& reads, const Range& writes, std::uint64_t modulus, Distance low, Distance high,
                        Use use) const {
  if (reads.length == 0 || writes.length == 0) return;
  const auto read_rows = static_cast<Distance>(reads.length), write_rows = static_cast<Distance>(writes.length);
  low = std::max(low, 1 - write_rows);
  high = std::min(high, read_rows - 1);
  const auto period = static_cast<Distance>(modulus);
  const Distance apart = static_cast<Distance>(writes.first % modulus) - static_cast<Distance>(reads.first % modulus);
  // First shift at or after `low` that is congruent to the distance of the ranges.
  Distance shift = low + ((apart - low) % period + period) % period;
  for (int i = 0; i < kAlignments && shift <= high; ++i, shift += period) {
    const Distance first = std::max<Distance>(0, shift), last = std::min(read_rows - 1, shift + write_rows - 1);
    if (first <= last) use(first, last, shift);
  }
}

/// Rows of activates that no synchronize has finished, read in time all the same; check_activate() has the others.
void UnitOrder::check_unordered_reads(const Issue& multiply) {
  const Instruction& m = multiply.instruction;
  written_.for_each(m.buffer, m.length,
                    [&](unsigned row, unsigned rows, const RowMap::Piece& piece, Edge write, std::uint64_t vector) {
                      const Edge read = multiply.edge + 4 + vector;
                      if (piece.number < ordered_below_ || read <= write) return;
                      Hazard hazard{HazardKind::buffer_read_before_write, multiply.number, piece.number, row, rows};
                      hazard.first_edge = read;
                      hazard.last_edge = read + rows - 1;
                      hazard.by_timing = true;
                      hazard.margin = read - write - 1;
                      const auto activate = std::find_if(activates_.begin(), activates_.end(), [&](const Tracked& one) {
                        return one.issue.number == piece.number;
                      });
                      const Distance distance = activate == activates_.end()
                                                    ? 0
                                                    : static_cast<Distance>(multiply.edge - activate->issue.edge);
                      hazard.any_feed = activate == activates_.end() ||
                                        distance - activate->to_last <= static_cast<Distance>(hazard.margin);
                      report_.add(hazard);
                    });
}

/// README, timing: an addend is read 6 cycles before the sum is written.
void UnitOrder::check_addends(const Issue& multiply) {
  const Instruction& m = multiply.instruction;
  const Edge reads = multiply.edge + width_ + 9;
  if (width_ <= 6 && m.length > width_) {
    report_.add({HazardKind::accumulator_read_before_write, multiply.number, multiply.number,
                 m.accumulator % kAccumulatorRows, m.length - width_, reads + width_, reads + m.length - 1});
  }
  if (multiply_ && m.length > 0) check_addends_of(*multiply_, multiply);
}

/// The last vector of the multiply before is written one edge after the first addend could be read at the earliest, so
/// that only its last two and the first two of this one can meet.
void UnitOrder::check_addends_of(const Tracked& before, const Issue& multiply) {
  const Instruction &m = multiply.instruction, &l = before.issue.instruction;
  const Distance least = before.to_last - l.length - 4;
  const Distance spare = static_cast<Distance>(multiply.edge - before.issue.edge) - l.length - 4;
  for (unsigned read = 0; read < std::min<std::uint64_t>(2, m.length); ++read) {
    const unsigned row = (m.accumulator + read % width_) % kAccumulatorRows;
    for (unsigned from_end = 0; from_end + read < 2 && from_end < l.length; ++from_end) {
      const std::uint64_t written = l.length - 1 - from_end;
      if (row != (l.accumulator + written % width_) % kAccumulatorRows) continue;
      const Distance needed = Distance{2} - read - from_end;
      if (least >= needed) continue;
      const Edge edge = multiply.edge + width_ + 9 + read;
      Hazard hazard{
          HazardKind::accumulator_read_before_write, multiply.number, before.issue.number, row, 1, edge, edge};
      hazard.by_timing = spare >= needed;
      if (hazard.by_timing) hazard.margin = static_cast<Edge>(spare - needed);
      report_.add(hazard);
      break;
    }
  }
}

/// Extra rows (README, arithmetic): an activate that follows 4 or 5 + L edges after another makes that one write extra
/// rows.
void UnitOrder::check_followed(const Issue& activate) {
  if (activates_.empty()) return;
  const Tracked& before = activates_.back();
  const Distance needed = Distance{before.issue.instruction.length} + 6;
  const auto distance = static_cast<Distance>(activate.edge - before.issue.edge);
  if (before.to_last >= needed || distance < needed) return;
  const std::uint64_t row = before.issue.instruction.buffer + std::uint64_t{before.issue.instruction.length} + 1;
  const Edge edge = before.issue.edge + width_ + 20 + before.issue.instruction.length;
  Hazard hazard{HazardKind::extra_writes, before.issue.number, activate.number, static_cast<unsigned>(row % depth_), 2};
  hazard.first_edge = edge;
  hazard.last_edge = edge + 1;
  hazard.by_timing = true;
  hazard.margin = static_cast<Edge>(distance - needed);
  report_.add(hazard);
}

/// README, weights_overrun: tile after tile of a long read_weights is overwritten N cycles after it was loaded.
/// `latest`: as latest_behind_its_weights(). What was not taken in time the datapath sees.
void UnitOrder::check_streaming(const Issue& multiply, Distance latest) {
  if (!load_ || load_->instruction.length <= width_) return;
  const std::uint64_t rows = load_->instruction.length,
                      first = std::exchange(taken_, taken_ + tiles(multiply) * width_);
  if (first + width_ >= rows || taken_ == first) return;  // its last tile stays
  if (first == 0 && latest <= Distance{width_}) return;
  const Edge distance = multiply.edge - load_->edge;
  if (distance > first + width_) return;
  Hazard hazard{HazardKind::weights_overrun, load_->number, multiply.number, 0,
                std::min(rows - width_, taken_) - first};
  hazard.first_edge = multiply.edge + 7;
  hazard.last_edge = multiply.edge + 6 + taken_ - first;
  hazard.by_timing = true;
  hazard.margin = first + width_ - distance;
  report_.add(hazard);
}

/// A multiply of several tiles copies the preload registers again for each: they must stay so long.
void UnitOrder::check_replaced(const Issue& load) {
  if (!multiply_ || load.instruction.length == 0 || multiply_->issue.instruction.length <= width_) return;
  const auto needed = static_cast<Distance>((tiles(multiply_->issue) - 1) * width_);
  const auto distance = static_cast<Distance>(load.edge - multiply_->issue.edge);
  if (multiply_->to_unit[kWeights] >= needed || distance < needed) return;
  const std::uint64_t rows = std::min<std::uint64_t>(load.instruction.length, width_);
  Hazard hazard{HazardKind::weights_replaced, multiply_->issue.number, load.number, 0, rows};
  hazard.first_edge = load.edge + 7;
  hazard.last_edge = load.edge + 6 + rows;
  hazard.by_timing = true;
  hazard.margin = static_cast<Edge>(distance - needed);
  report_.add(hazard);
}

void UnitOrder::reset() {
  activates_.clear();
  multiply_.reset();
  load_.reset();
  taken_ = 0;
  written_.clear();
  latest_activate_ = 0;
}

void UnitOrder::Tracked::persist(Archive& archive) { archive("issue", issue)("to_last", to_last)("to_unit", to_unit); }

void UnitOrder::persist(Archive& archive) {
  archive("ordered_below", ordered_below_)("lengths", lengths_)("activates", activates_)("multiply", multiply_);
  archive("load", load_)("taken", taken_)("written", written_)("latest_activate", latest_activate_);
}

}  // namespace vp::tinytpu
