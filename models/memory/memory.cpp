#include "models/memory/memory.h"

#include <algorithm>
#include <cstring>

#include "models/common/archive.h"
#include "models/common/figures.h"
#include "models/common/tlm_time.h"
#include "models/memory/dram/dram_timing.h"

namespace vp {
namespace {

std::unique_ptr<MemoryTiming> make_fixed(const MemoryConfig& config, Picoseconds cycle) {
  return std::make_unique<FixedTiming>(config.latency, config.bytes_per_cycle, cycle);
}

}  // namespace

Memory::Memory(sc_core::sc_module_name module_name, const MemoryConfig& config, std::unique_ptr<MemoryTiming> timing)
    : sc_module(module_name),
      functional_(std::move(timing)),
      timing_(functional_.get()),
      contents_(config.size, name()),
      socket("socket", *this, {config.size, 0}),
      due_("due") {
  SC_HAS_PROCESS(Memory);
  SC_METHOD(answer_later);
  sensitive << due_;
  dont_initialize();
}

Memory::Memory(sc_core::sc_module_name module_name, const MemoryConfig& config, Picoseconds cycle, unsigned bus_bytes)
    : Memory(module_name, config, make_fixed(config, cycle)) {
  const std::optional<dram::ChannelConfig> channel = config.resolve_channel();
  if (!channel) {
    timed_ = make_fixed(config, cycle);
    return;
  }
  data_pins_ = channel->bus_width;
  // The bursts of a long access reach the channel as fast as the bus moves them.
  timed_ = std::make_unique<dram::DramTiming>(*channel, dram::BusBeats{cycle, bus_bytes});
}

void Memory::set_fidelity(Fidelity fidelity) {
  if (!timed_) return;
  MemoryTiming* const next = fidelity == Fidelity::timed ? timed_.get() : functional_.get();
  if (next == timing_) return;
  timing_ = next;
  if (sc_core::sc_is_running()) timing_changed();
}

void Memory::reset() {
  functional_->reset(kernel_time());
  if (!timed_) return;
  timed_->reset(kernel_time());
  look_again();
}

void Memory::report(Statistics& statistics) const {
  write_figures(figures(), statistics);
  if (timed_) timed_->report(statistics.group("timed", "timing in timed mode"));
}

void Memory::bounds(Bounds& bounds) const {
  const double functional = functional_->peak_bytes_per_second();
  const double timed = timed_ ? timed_->peak_bytes_per_second() : functional;
  MemoryUse use{basename(), functional};
  if (bounds.timed_time != 0 && timed != functional) {
    const auto timed_time = static_cast<double>(bounds.timed_time);
    const auto functional_time = static_cast<double>(bounds.functional_time);
    use.peak_bytes_per_second = (timed_time * timed + functional_time * functional) / (timed_time + functional_time);
  }
  bounds.memories.push_back(std::move(use));
  bounds.cost.dram_channels += data_pins_ != 0;
  bounds.cost.dram_data_pins += data_pins_;
}

void Memory::move_bytes(const Access& access) {
  std::uint8_t* const place = contents_.data() + access.address;
  if (access.data == nullptr || access.data == place) return;  // a cache's data stay here
  std::uint8_t* const to = access.write ? place : access.data;
  const std::uint8_t* const from = access.write ? access.data : place;
  if (access.strobes == nullptr) {
    std::memcpy(to, from, access.size);
    return;
  }
  for (unsigned i = 0; i < access.size; ++i)
    if (access.strobes[i] != 0) to[i] = from[i];
}

Answer Memory::access(const Access& access) {
  move_bytes(access);
  bytes_[access.write] += access.size;
  const MemoryTiming::Answer timing = timing_->access(access.write, access.address, access.size, access.time);
  if (timing_->answers_later() && !answering_) {  // accesses under way were served with it
    answering_ = true;
    timing_->settle(0, over_);
    answer_all_over();
  }
  Answer answer;
  answer.completion = timing.completion;
  answer.streamed = timing.streamed;
  return answer;
}

void Memory::begin(PendingAccess& pending) {
  if (!timing_->answers_later()) {
    Answer answer = access(pending.access);
    answer.dmi = grants_dmi();
    pending.answer(answer);
    return;
  }
  const Access& access = pending.access;
  move_bytes(access);
  const MemoryTiming::Pushed pushed = timing_->push(reinterpret_cast<std::uintptr_t>(&pending), access.write,
                                                    access.address, access.size, access.time, pending.alone_until);
  if (!pushed.over) {
    look_by(pushed.look);
    if (pending.alone_until <= pushed.look || answering_) return;  // it would not be known yet
    answering_ = true;
    timing_->settle(pending.alone_until, over_);
    return answer_all_over();
  }
  bytes_[access.write] += access.size;
  Answer answer;
  answer.completion = pushed.answer.completion;
  answer.streamed = pushed.answer.streamed;
  pending.answer(answer);
}

/// Also in functional mode: what was under way when the mode changed is served to its end.
void Memory::answer_later() {
  due_at_ = kNever;
  answering_ = true;
  timed_->advance_to(kernel_time(), over_);
  answer_all_over();
}

void Memory::end_accesses() {
  bool any = timed_ != nullptr;
  while (any) {
    answering_ = true;
    timed_->settle(kNever, over_);
    any = !over_.empty();
    answer_all_over();
  }
}

void Memory::answer_all_over() {
  const Picoseconds now = kernel_time();
  for (const MemoryTiming::Later& one : over_) {
    Answer answer;
    answer.completion = std::max(one.answer.completion, now);
    answer.streamed = one.answer.streamed;
    PendingAccess& pending = *reinterpret_cast<PendingAccess*>(static_cast<std::uintptr_t>(one.token));
    bytes_[pending.access.write] += pending.access.size;
    pending.answer(answer);
  }
  answering_ = false;
  look_again();
}

void Memory::look_again() {
  const Picoseconds next = timed_->next_event();
  if (next == due_at_) return;
  due_.cancel();
  due_at_ = kNever;
  look_by(next);
}

void Memory::look_by(Picoseconds time) {
  if (answering_ || time >= due_at_) return;  // looked at behind the answers
  due_at_ = time;
  const Picoseconds now = kernel_time();
  due_.notify(time > now ? to_sc_time(time - now) : sc_core::SC_ZERO_TIME);
}

AccessResult Memory::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  return simple(false, offset, data, size, now);
}

AccessResult Memory::write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) {
  return simple(true, offset, const_cast<std::uint8_t*>(data), size, now);  // a write does not change them
}

AccessResult Memory::simple(bool write, std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  Access one;
  one.write = write;
  one.address = offset;
  one.data = data;
  one.size = size;
  one.time = now;
  now = access(one).completion;
  return AccessResult::ok;
}

unsigned Memory::debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) {
  std::memcpy(data, contents_.data() + offset, size);
  return size;
}

unsigned Memory::debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) {
  std::memcpy(contents_.data() + offset, data, size);
  return size;
}

std::optional<DmiRegion> Memory::dmi(std::uint64_t) {
  // Without fixed times the socket hands the region out for its contents only.
  const MemoryTiming::Fixed fixed = timing_->fixed().value_or(MemoryTiming::Fixed{});
  DmiRegion region;
  region.host = contents_.data();
  region.last = contents_.size() - 1;
  region.readable = region.writable = true;
  region.read_latency = fixed.read;
  region.write_latency = fixed.write;
  region.wide_extra = fixed.wide_extra;
  return region;
}

void Memory::persist(Archive& archive) {
  bool timed = timing_ == timed_.get();
  archive("timed_mode", timed)("functional", *functional_).same("has_timed", timed_ != nullptr);
  if (timed_) archive("timed", *timed_);
  archive("bytes", bytes_)("contents", contents_)("socket", socket);
  if (archive.loading()) timing_ = timed && timed_ ? timed_.get() : functional_.get();
}

}  // namespace vp
