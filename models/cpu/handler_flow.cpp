#include "models/cpu/handler_flow.h"

#include <algorithm>

#include "models/common/archive.h"

namespace vp::cpu {
namespace {

constexpr std::uint32_t kWfi = 0x10500073;
/// Notes of a handler that hands on some words.
constexpr std::size_t kMostNotes = 64;

}  // namespace

std::uint64_t HandlerFlow::learn() {
  if (depth_ == 0) return 0;
  if (!recording_) changed_ = true;
  recording_ = true;
  return ++learnt_;
}

void HandlerFlow::entered(bool interrupt, std::uint64_t pc, std::uint64_t stack) {
  if (depth_ == 0 && !interrupt) return;
  if (depth_++ > 0) return;
  pc_ = pc;
  stack_ = stack;
}

void HandlerFlow::left(std::uint64_t pc) {
  if (depth_ == 0 || --depth_ > 0) return;
  if (recording_ && (pc != pc_ || notes_.size() >= kMostNotes || after_wfi())) tell();
  changed_ |= watches();
  recording_ = false;
}

void HandlerFlow::reset() {
  depth_ = 0;
  recording_ = false;
  tell();
}

bool HandlerFlow::after_wfi() const {
  std::uint32_t before = 0;
  return port_.fetch(pc_ - sizeof before, &before, sizeof before) == sizeof before && before == kWfi;
}

bool HandlerFlow::noted(std::uint64_t first, std::uint64_t last) const {
  return std::any_of(notes_.begin(), notes_.end(),
                     [&](const Note& one) { return first <= one.last && one.first <= last; });
}

bool HandlerFlow::wants(bool write, std::uint64_t first, std::uint64_t size) const {
  if (write) return recording_;
  return depth_ == 0 && noted(first, first + (size - 1));
}

void HandlerFlow::accessed(bool write, std::uint64_t address, unsigned size, std::uint64_t stack) {
  if (write && recording_) note(address, size, stack);
  if (!write && depth_ == 0 && noted(address, address + (size - 1))) tell();
}

void HandlerFlow::note(std::uint64_t address, unsigned size, std::uint64_t stack) {
  const bool own_frame = stack <= address && address < stack_;
  const Note one{address, address + (size - 1)};
  const bool again = std::any_of(notes_.begin(), notes_.end(),
                                 [&](const Note& other) { return other.first <= one.first && one.last <= other.last; });
  if (!own_frame && !again && notes_.size() < kMostNotes) notes_.push_back(one);
}

void HandlerFlow::tell() {
  told_ = learnt_;
  notes_.clear();
}

void HandlerFlow::Note::persist(Archive& archive) { archive("first", first)("last", last); }

void HandlerFlow::persist(Archive& archive) {
  archive("depth", depth_)("pc", pc_)("stack", stack_)("learnt", learnt_)("told", told_)("recording", recording_);
  archive("notes", notes_);
  if (archive.loading()) changed_ = true;
}

}  // namespace vp::cpu
