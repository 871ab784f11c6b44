#include "models/axidma/core.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/wording.h"

namespace vp::axidma {
namespace {

// In cycles of the ports' clock. No hardware has been recorded: the README says what is known of each.
constexpr unsigned kStartCycles = 8;      // write of LENGTH to the first read address
constexpr unsigned kFinishCycles = 4;     // last beat, or last write response, to Idle and IOC_Irq
constexpr unsigned kShutDownCycles = 16;  // last response to Halted and Err_Irq, or to the end of a soft reset

constexpr ChannelRegisters::Place kPlaces[2] = {{"MM2S", "SA", 0x00, 0x18, 0x28}, {"S2MM", "DA", 0x30, 0x48, 0x58}};
constexpr const char* kNames[2] = {"MM2S", "S2MM"};

}  // namespace

Core::Core(const AxiDmaConfig& config, MasterPort& port, VisibleTimer& timer, InterruptLine (&interrupts)[2])
    : config_(config),
      port_(port),
      timer_(timer),
      interrupts_(interrupts),
      channels_{Channel(bank_, kPlaces[0], config), Channel(bank_, kPlaces[1], config)},
      mm2s_(config, port),
      s2mm_(config, port) {
  port_.attach(*this);
  for (const Side side : {Side::mm2s, Side::s2mm}) connect_registers(side);
  mm2s_.on_end = [this](AccessResult result, Picoseconds time) {
    if (result == AccessResult::ok)
      end_after(Side::mm2s, time, kFinishCycles, Outcome::completed, channel(Side::mm2s).registers.length.value);
    else
      end_after(Side::mm2s, time, kShutDownCycles,
                result == AccessResult::address_error ? Outcome::decode_error : Outcome::slave_error, 0);
  };
  s2mm_.on_end = [this](const S2mmEngine::End& end, Picoseconds time) {
    if (end.result != AccessResult::ok)
      end_after(Side::s2mm, time, kShutDownCycles,
                end.result == AccessResult::address_error ? Outcome::decode_error : Outcome::slave_error, end.bytes);
    else
      end_after(Side::s2mm, time, end.overflow ? kShutDownCycles : kFinishCycles,
                end.overflow ? Outcome::internal_error : Outcome::completed, end.bytes);
  };
}

void Core::connect_registers(Side side) {
  ChannelRegisters& registers = channel(side).registers;
  registers.dmacr.on_write = [this, side](Word value, Picoseconds& now) { write_control(side, value, now); };
  registers.dmasr.on_write = [this, &registers](Word value, Picoseconds&) {
    registers.dmasr.value = value;
    drive_interrupts();
  };
  registers.length.on_write = [this, side](Word value, Picoseconds& now) { start(side, value, now); };
}

void Core::write_control(Side side, Word value, Picoseconds now) {
  Channel& one = channel(side);
  one.registers.dmacr.value = value;
  if (reset_end_) {
    one.registers.reset.set(true);
  } else if (one.registers.reset) {
    begin_reset(now);
  } else if (one.registers.run_stop && !one.registers.failed()) {
    one.registers.halted.set(false);
  } else {
    halt_if_stopped(one);
  }
  drive_interrupts();
}

/// A channel that is told to stop finishes its transfer first.
void Core::halt_if_stopped(Channel& channel) {
  if (channel.registers.run_stop || channel.busy) return;
  channel.registers.halted.set(true);
  channel.registers.idle.set(false);
}

/// Of both channels; graceful: what is on the bus completes first.
void Core::begin_reset(Picoseconds now) {
  for (Channel& one : channels_) one.registers.reset.set(true);
  mm2s_.drop();
  s2mm_.drop();
  reset_end_ = config_.after(now, kShutDownCycles);
  announce(now);
}

void Core::finish_reset(Picoseconds now) {
  reset_end_.reset();
  for (const Side side : {Side::mm2s, Side::s2mm}) {
    Channel& one = channel(side);
    one.end.reset();
    if (one.busy) {
      ++one.done.cancelled;
      one.done.busy += now - one.started;
      if (observer_) observer_(side, one.started, now, true);
    }
    one.busy = false;
  }
  bank_.reset();
  drive_interrupts();
}

void Core::start(Side side, Word bytes, Picoseconds now) {
  Channel& one = channel(side);
  if (bytes == 0) return;
  if (one.busy || reset_end_) {
    one.starts_while_busy.add(now, origin_);
    return;
  }
  if (one.registers.halted) {
    one.starts_while_halted.add(now, origin_);
    return;
  }
  const std::uint64_t address = one.registers.address();
  if (address % config_.word_bytes() != 0) one.unaligned.add(now, origin_);
  one.registers.length.value = bytes;
  one.registers.idle.set(false);
  one.busy = true;
  one.started = now;
  const Picoseconds at = config_.after(now, kStartCycles);
  if (side == Side::mm2s)
    mm2s_.begin(address, bytes, origin_.pc, at);
  else
    s2mm_.begin(address, bytes, origin_.pc, at);
  announce(now);
}

void Core::issued(MasterPort::Tag, Picoseconds) {}

void Core::completed(MasterPort::Tag tag, const Answer& answer) {
  if (tag & S2mmEngine::kTag)
    s2mm_.completed(tag, answer);
  else
    mm2s_.completed(tag, answer);
  announce(answer.completion);
}

std::uint8_t* Core::data_of(MasterPort::Tag tag) {
  return tag & S2mmEngine::kTag ? s2mm_.data_of(tag) : mm2s_.data_of(tag);
}

void Core::end_after(Side side, Picoseconds time, unsigned cycles, Outcome outcome, std::uint64_t bytes) {
  if (reset_end_) return;
  channel(side).end = End{config_.after(time, cycles), outcome, bytes};
  announce(port_.now());
}

void Core::deliver(Picoseconds due) {
  if (reset_end_ && *reset_end_ <= due && !mm2s_.under_way() && !s2mm_.under_way()) finish_reset(due);
  for (const Side side : {Side::mm2s, Side::s2mm}) {
    Channel& one = channel(side);
    if (!one.end || one.end->time > due) continue;
    const End end = *one.end;
    one.end.reset();
    conclude(side, end);
  }
  announce(due);
}

void Core::conclude(Side side, const End& end) {
  Channel& one = channel(side);
  ChannelRegisters& registers = one.registers;
  const bool failed = end.outcome != Outcome::completed;
  one.busy = false;
  one.done.busy += end.time - one.started;
  ++(failed ? one.done.failed : one.done.transfers);
  if (!failed) one.done.bytes += end.bytes;
  if (side == Side::s2mm) registers.length.value = static_cast<Word>(end.bytes);
  if (observer_) observer_(side, one.started, end.time, failed);
  registers.dma_int_err.set(end.outcome == Outcome::internal_error);
  registers.dma_slv_err.set(end.outcome == Outcome::slave_error);
  registers.dma_dec_err.set(end.outcome == Outcome::decode_error);
  (failed ? registers.err_irq : registers.ioc_irq).set(true);
  if (failed) {
    registers.run_stop.set(false);
  } else {
    registers.idle.set(true);
  }
  halt_if_stopped(one);
  drive_interrupts();
}

/// Keeps the time of the next visible change in the timer, or the earliest that it can come: an error shows only so
/// many cycles after its response, and the stream needs a beat for every word.
void Core::announce(Picoseconds now) {
  Picoseconds next = kNever;
  for (const Channel& one : channels_)
    if (one.end) next = std::min(next, one.end->time);
  if (reset_end_) next = std::min(next, std::max(*reset_end_, now + config_.clock));
  const Picoseconds beats = mm2s_.left_to_take() / config_.word_bytes() * config_.clock;
  if (mm2s_.reading())
    next = std::min(next, now + std::min(kShutDownCycles * config_.clock, kFinishCycles * config_.clock + beats));
  else if (mm2s_.under_way())
    next = std::min(next, now + kFinishCycles * config_.clock + beats);
  if (s2mm_.writing()) next = std::min(next, now + kFinishCycles * config_.clock);
  timer_.set(next);
}

void Core::drive_interrupts() {
  for (unsigned i = 0; i < 2; ++i) interrupts_[i].set(channels_[i].registers.interrupt());
}

void Core::reset() {
  port_.abandon();
  mm2s_.abandon();
  s2mm_.abandon();
  reset_end_.reset();
  for (Channel& one : channels_) {
    one.done.cancelled += one.busy;
    one.busy = false;
    one.end.reset();
  }
  bank_.reset();
  timer_.set(kNever);
  drive_interrupts();
}

Figures Core::figures() const {
  Figures figures{channels_[0].done, channels_[1].done};
  figures.mm2s.bursts = mm2s_.bursts();
  figures.s2mm.bursts = s2mm_.bursts();
  figures.s2mm.lost = s2mm_.lost();
  return figures;
}

std::vector<Finding> Core::findings(const OriginText& origin) const {
  std::vector<Finding> all;
  for (unsigned i = 0; i < 2; ++i) {
    const std::string name = kNames[i];
    const auto told = [&](const Mistake& mistake, const std::string& before, const char* after) {
      tell(all, mistake, "time", before, after, origin);
    };
    told(channels_[i].starts_while_busy, name + "_LENGTH was written ",
         " while a transfer or a reset was under way: nothing was started.");
    told(channels_[i].starts_while_halted, name + "_LENGTH was written ",
         " while the channel was halted (RS 0, or an error without a reset): nothing was started.");
    told(channels_[i].unaligned, "A transfer of " + name + " was started ",
         " at an address that is no multiple of a word of its port, which the product guide leaves undefined.");
  }
  return all;
}

std::string Core::broken_conservation() const {
  const Figures figures = this->figures();
  if (figures.mm2s.bytes > mm2s_.bytes_read()) return "its stream has had more bytes than were read";
  if (figures.s2mm.bytes > s2mm_.bytes_written()) return "it has stored more bytes than were written";
  return "";
}

void Core::End::persist(Archive& archive) {
  archive("time", time)("outcome", outcome, Outcome::decode_error)("bytes", bytes);
}

void Core::Channel::persist(Archive& archive) {
  archive("busy", busy)("end", end)("started", started)("transfers", done.transfers)("failed", done.failed);
  archive("cancelled", done.cancelled)("bytes", done.bytes)("busy_time", done.busy);
  archive("starts_while_busy", starts_while_busy)("starts_while_halted", starts_while_halted);
  archive("unaligned", unaligned);
}

void Core::persist(Archive& archive) {
  archive("registers", bank_)("mm2s_interrupt", interrupts_[0])("s2mm_interrupt", interrupts_[1]);
  archive("mm2s", channels_[0])("s2mm", channels_[1])("mm2s_engine", mm2s_)("s2mm_engine", s2mm_);
  archive("reset_end", reset_end_);
}

}  // namespace vp::axidma
