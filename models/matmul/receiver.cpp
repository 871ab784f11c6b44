#include "models/matmul/receiver.h"

#include <algorithm>
#include <stdexcept>

namespace vp::matmul {

void LineLevels::set(bool level, std::uint64_t from) {
  if (from < latest_change()) throw std::logic_error("the line's past cannot change");
  if (!changes_.empty() && changes_.back().from == from) changes_.pop_back();
  const bool present = changes_.empty() ? before_ : changes_.back().level;
  if (level != present) changes_.push_back({from, level});
}

bool LineLevels::at(std::uint64_t cycle) const {
  bool level = before_;
  for (const Change& change : changes_) {
    if (change.from > cycle) break;
    level = change.level;
  }
  return level;
}

std::optional<std::uint64_t> LineLevels::first_low(std::uint64_t cycle) const {
  if (!at(cycle)) return cycle;
  for (const Change& change : changes_)
    if (change.from > cycle && !change.level) return change.from;
  return std::nullopt;
}

void LineLevels::forget_before(std::uint64_t cycle) {
  while (!changes_.empty() && changes_.front().from <= cycle) {
    before_ = changes_.front().level;
    forgotten_until_ = changes_.front().from;
    changes_.pop_front();
  }
}

void Receiver::reset(std::uint64_t cycle) {
  start_.reset();
  listening_from_ = cycle + 1;
  line_ = LineLevels();
}

void Receiver::look_for_start() {
  if (!start_) start_ = line_.first_low(listening_from_);
}

void Receiver::set_line(bool level, std::uint64_t from) {
  line_.set(level, from);
  look_for_start();
}

void Receiver::put_frame(std::uint8_t byte, std::uint64_t first) {
  line_.set(false, first);
  for (unsigned bit = 0; bit < 8; ++bit) line_.set((byte >> (7 - bit)) & 1, first + (1 + bit) * std::uint64_t{symbol_});
  line_.set(false, first + 9 * std::uint64_t{symbol_});
  line_.set(true, first + 10 * std::uint64_t{symbol_});
  look_for_start();
}

std::uint64_t Receiver::byte_edge() const {
  // The byte is complete at the first clock of the closing symbol; the receive FIFO passes it on one clock later.
  return start_ ? *start_ + latency() : ~std::uint64_t{0};
}

std::uint8_t Receiver::take() {
  unsigned byte = 0;
  for (unsigned bit = 0; bit < 8; ++bit) {
    const std::uint64_t sample = *start_ + (1 + bit) * std::uint64_t{symbol_} + symbol_ / 2 + 1;
    byte = byte << 1 | (line_.at(sample) ? 1u : 0u);
  }
  listening_from_ = *start_ + 10 * std::uint64_t{symbol_} + 1;
  start_.reset();
  line_.forget_before(listening_from_);
  look_for_start();
  return static_cast<std::uint8_t>(byte);
}

}  // namespace vp::matmul
