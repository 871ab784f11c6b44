#include "models/memory/dram/backlog.h"

#include <algorithm>

namespace vp::dram {
namespace {

// Longer than a caller runs ahead and than any backlog of a platform's masters.
constexpr std::size_t kCyclesKept = 16384;
// Far more than a bank's queue can still see.
constexpr std::size_t kPhasesKept = 64;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// The lowest `count` (1 to 64) bits.
std::uint64_t lowest(unsigned count) { return kAll >> (64 - count); }

/// The set bits of a word in stretches of neighbours, from the lowest on.
struct Stretch {
  explicit Stretch(std::uint64_t bits)
      : start(static_cast<unsigned>(__builtin_ctzll(bits))), length(count_ones(bits >> start)) {}
  std::uint64_t mask() const { return lowest(length) << start; }

  unsigned start;
  unsigned length;

 private:
  static unsigned count_ones(std::uint64_t bits) {
    return bits == kAll ? 64 : static_cast<unsigned>(__builtin_ctzll(~bits));
  }
};

}  // namespace

Cycle Lane::fit(Cycle from, unsigned amount) const {
  from = std::max(from, oldest() * 64);
  Cycle index = from / 64;
  std::uint64_t bits = free(index) & kAll << from % 64;
  for (unsigned left = amount;;) {
    while (bits == 0) bits = free(++index);
    const Stretch next(bits);
    if (next.length >= left) return index * 64 + next.start + left - amount;
    left -= next.length;
    bits &= ~next.mask();
  }
}

Lane::Word& Lane::word(Cycle index) {
  Word& word = words_[index % words_.size()];
  if (word.index != index) word = {index, 0};
  latest_ = std::max(latest_, index);
  return word;
}

void Lane::take(Cycle from, unsigned amount) {
  from = std::max(from, oldest() * 64);
  std::uint64_t mask = kAll << from % 64;
  for (Cycle index = from / 64; amount > 0; ++index, mask = kAll) {
    Word& at = word(index);
    std::uint64_t bits = ~at.taken & mask;
    while (bits != 0 && amount > 0) {
      Stretch next(bits);
      next.length = std::min(next.length, amount);
      at.taken |= next.mask();
      bits &= ~next.mask();
      amount -= next.length;
    }
  }
}

void Lane::block(Cycle from, unsigned amount) {
  const Cycle end = from + amount;
  from = std::max(from, oldest() * 64);
  while (from < end) {
    const Cycle next = std::min(end, (from / 64 + 1) * 64);
    word(from / 64).taken |= lowest(static_cast<unsigned>(next - from)) << from % 64;
    from = next;
  }
}

void Lane::clear() {
  std::fill(words_.begin(), words_.end(), Word{});
  latest_ = 0;
}

Backlog::Backlog(const ChannelConfig& config, const Gaps& gaps)
    : gaps_(gaps),
      groups_(config.structure.bank_groups),
      bus_share_(gaps.column[0][0][1]),
      group_share_(gaps.column[0][0][0]),
      activate_share_(std::max(config.timing.faw, 4 * config.timing.rrd_s)),
      bus_lanes_{Lane(kCyclesKept), Lane(kCyclesKept)},
      data_lane_(kCyclesKept),
      group_lanes_(config.ranks() * groups_, Lane(kCyclesKept)),
      activate_lanes_(config.ranks(), Lane(4 * kCyclesKept)),
      put_off_(4 * kPhasesKept) {}

void Backlog::clear() {
  for (Lane& lane : bus_lanes_) lane.clear();
  data_lane_.clear();
  for (Lane& lane : group_lanes_) lane.clear();
  for (Lane& lane : activate_lanes_) lane.clear();
  phases_.clear();
  std::fill(put_off_.begin(), put_off_.end(), 0);
  newest_phase_ = 0;
}

void Backlog::advance(Cycle now, const ColumnReservations& reserved) {
  if (phases_.empty())
    reserved.visit_after(now, [this](Cycle command, unsigned group, bool write) {
      if (!phases_.empty()) {
        add_column({command, command, group, write}, command);
        return;
      }
      begin_phase(write, command, command + group_share_, group);
      bus_lanes_[!write].take(command, bus_share_);
      take(command, group, write, bus_share_);
    });
  while (phases_.size() > 1 && (phases_[1].start <= now || phases_.size() > kPhasesKept))
    phases_.erase(phases_.begin());
}

void Backlog::begin_phase(bool write, Cycle start, Cycle end, unsigned group) {
  phases_.push_back({++newest_phase_, write, start, end, group});
  put_off_[newest_phase_ % put_off_.size()] = 0;
}

std::size_t Backlog::phase_of(const Waiting& burst) const {
  for (std::size_t i = 0; i < phases_.size(); ++i)
    if (phases_[i].write == burst.write && (i + 1 == phases_.size() || burst.visible < phases_[i + 1].start)) return i;
  return phases_.size();
}

unsigned Backlog::bus_share(const Waiting& burst, std::size_t phase) const {
  if (phase == phases_.size() || phases_[phase].group / groups_ == burst.group / groups_) return bus_share_;
  return std::max(bus_share_, gaps_.column[burst.write][burst.write][2]);
}

unsigned Backlog::turnaround(const Waiting& burst) const {
  const Phase& last = phases_.back();
  const unsigned turned = gap(last.group, last.write, burst.group, burst.write);
  return turned - std::min(turned, gap(last.group, last.write, burst.group, last.write));
}

Cycle Backlog::find_column(const Waiting& burst) const {
  Cycle at = burst.ready;
  const std::size_t phase = phase_of(burst);
  if (phase == phases_.size()) at = std::max(at, phases_.back().end + turnaround(burst));
  const Lane &bus = bus_lanes_[burst.write], &group = group_lanes_[burst.group];
  for (;;) {
    const Cycle next = bus.first_free(group.first_free(at));
    if (next == at)
      return std::max(
          {bus.fit(at, bus_share(burst, phase)), group.fit(at, group_share_), data_lane_.fit(at, bus_share_)});
    at = next;
  }
}

Backlog::Place Backlog::add_column(const Waiting& burst, Cycle command) {
  const std::size_t index = phase_of(burst);
  const unsigned share = bus_share(burst, index);
  if (index == phases_.size()) {
    // The turnaround keeps every lane idle.
    const Cycle before = command - std::min<Cycle>(command, turnaround(burst));
    const Cycle idle = std::max(phases_.back().end, before);
    if (command > idle) {
      const unsigned cycles = static_cast<unsigned>(command - idle);
      for (Lane& lane : bus_lanes_) lane.take(idle, cycles);
      for (Lane& lane : group_lanes_) lane.take(idle, cycles);
    }
    bus_lanes_[!burst.write].block(command, bus_share_);
    begin_phase(burst.write, command, command + bus_share_, burst.group);
  } else {
    Phase& phase = phases_[index];
    const unsigned step = phase.group == burst.group ? group_share_ : share;
    phase.group = burst.group;
    if (index + 1 < phases_.size()) {
      // The phases behind it begin later by what it grows.
      phase.end = std::max(phase.end, burst.visible) + step;
      for (std::size_t later = index + 1; later < phases_.size(); ++later) {
        phases_[later].start += step;
        put_off_[phases_[later].number % put_off_.size()] += step;
      }
      for (std::size_t later = index + 1; later + 1 < phases_.size(); ++later) phases_[later].end += step;
    }
    Phase& last = phases_.back();
    last.end = std::max(last.end, command + step);
    Lane& other = bus_lanes_[!burst.write];
    if (other.first_free(command) < last.end) other.take(command, step);
  }
  take(command, burst.group, burst.write, share);
  const std::uint64_t phase = phases_[std::min(index, phases_.size() - 1)].number;
  return {phase, put_off_[phase % put_off_.size()]};
}

void Backlog::take(Cycle command, unsigned group, bool write, unsigned bus_share) {
  bus_lanes_[write].take(command, bus_share);
  data_lane_.take(command, bus_share_);
  group_lanes_[group].take(command, group_share_);
}

std::size_t BankRuns::find(unsigned row, Cycle ready) const {
  unsigned behind = runs_[newest_].count;
  for (std::size_t back = 1; back < runs_.size() && behind < columns_.size(); ++back) {
    const Run& run = runs_[before(newest_, back)];
    if (run.count == 0 || run.closed < ready) break;
    if (run.row == row) return back;
    behind += run.count;
  }
  return runs_.size();
}

void BankRuns::join(unsigned row, Cycle ready, Cycle column, unsigned delay) {
  std::size_t back = find(row, ready);
  ++runs_[before(newest_, back)].count;
  for (; back > 0; --back) runs_[before(newest_, back)].closed += delay;
  add_column(column);
}

void BankRuns::clear() {
  std::fill(columns_.begin(), columns_.end(), 0);
  std::fill(runs_.begin(), runs_.end(), Run{});
  last_ = before_open_row_ = {};
}

}  // namespace vp::dram
