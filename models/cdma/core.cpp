#include "models/cdma/core.h"

#include <algorithm>

#include "models/common/archive.h"
#include "models/common/wording.h"

namespace vp::cdma {
namespace {

// In cycles of the memory port's clock. No hardware has been recorded: the README says what is known of each.
constexpr unsigned kStartCycles = 8;      // write of BTT to the first read address
constexpr unsigned kFinishCycles = 4;     // last write response to Idle and IOC_Irq
constexpr unsigned kShutDownCycles = 16;  // last response to Idle and Err_Irq, or to the end of a soft reset

}  // namespace

Core::Core(const CdmaConfig& config, MasterPort& port, VisibleTimer& timer, InterruptLine& interrupt)
    : config_(config),
      timer_(timer),
      interrupt_(interrupt),
      registers_(config.btt_width, config.address_width),
      engine_(config, port) {
  engine_.on_drained = [this](const Answer& answer) { drained(answer); };
  engine_.on_progress = [this](Picoseconds now) { announce(now); };
  connect_registers();
}

void Core::connect_registers() {
  registers_.cdmacr.on_write = [this](Registers::Word value, Picoseconds& now) { write_control(value, now); };
  registers_.cdmasr.on_write = [this](Registers::Word value, Picoseconds&) {
    registers_.cdmasr.value = value;
    drive_interrupt();
  };
  registers_.cdmasr.on_read = [this](Picoseconds&) {
    mistakes_.end_unseen = false;
    return registers_.cdmasr.value;
  };
  registers_.btt.on_write = [this](Registers::Word value, Picoseconds& now) { start(value, now); };
}

void Core::write_control(Registers::Word value, Picoseconds now) {
  const bool resetting = registers_.reset;
  registers_.cdmacr.value = value;
  if (resetting)
    registers_.reset.set(true);
  else if (registers_.reset)
    begin_reset(now);
  drive_interrupt();
}

/// Graceful: what is on the bus completes first.
void Core::begin_reset(Picoseconds now) {
  reset_ = now;
  engine_.stop();
  if (engine_.under_way())
    announce(now);
  else
    end_after(now, kShutDownCycles, Outcome::cancelled);
}

void Core::start(Registers::Word bytes, Picoseconds now) {
  if (!registers_.idle || registers_.reset) {
    mistakes_.starts_while_busy.add(now, origin_);
    return;
  }
  if (registers_.failed()) {
    mistakes_.starts_after_error.add(now, origin_);
    return;
  }
  registers_.btt.value = bytes;
  registers_.idle.set(false);
  started_ = now;
  started_by_ = origin_;
  Copy copy;
  copy.source = registers_.source();
  copy.destination = registers_.destination();
  copy.bytes = bytes;
  copy.fixed_source = registers_.key_hole_read;
  copy.fixed_destination = registers_.key_hole_write;
  copy.pc = origin_.pc;
  if (!possible(copy)) {
    end_after(now, kShutDownCycles, Outcome::internal_error);
    return;
  }
  if (!copy.fixed_source && !copy.fixed_destination && copy.destination > copy.source &&
      copy.destination - copy.source < copy.bytes)
    mistakes_.overlaps.add(now, origin_);
  const Picoseconds first_read = config_.after(now, kStartCycles);
  engine_.begin(copy, first_read);
  announce(first_read);
}

bool Core::possible(const Copy& copy) const {
  const bool same_offset = (copy.source ^ copy.destination) % config_.word_bytes() == 0;
  return copy.bytes > 0 && (config_.include_dre || same_offset);
}

void Core::drained(const Answer& answer) {
  if (registers_.reset)
    end_after(std::max(answer.completion, reset_), kShutDownCycles, Outcome::cancelled);
  else if (answer.ok())
    end_after(answer.completion, kFinishCycles, Outcome::completed);
  else
    end_after(answer.completion, kShutDownCycles,
              answer.result == AccessResult::address_error ? Outcome::decode_error : Outcome::slave_error);
}

void Core::end_after(Picoseconds time, unsigned cycles, Outcome outcome) {
  end_ = End();
  end_->time = config_.after(time, cycles);
  end_->outcome = outcome;
  announce(time);
}

void Core::deliver(Picoseconds due) {
  if (end_ && end_->time <= due) {
    const End end = *end_;
    end_.reset();
    conclude(end);
  }
  announce(due);
}

void Core::conclude(const End& end) {
  const bool was_busy = !registers_.idle;
  const bool failed = end.outcome != Outcome::completed;
  if (was_busy) {
    done_.busy += end.time - started_;
    if (observer_) observer_(started_, end.time, failed);
  }
  if (end.outcome == Outcome::cancelled) {
    done_.cancelled += was_busy;
    registers_.bank.reset();
    drive_interrupt();
    return;
  }
  registers_.idle.set(true);
  registers_.dma_int_err.set(end.outcome == Outcome::internal_error);
  registers_.dma_slv_err.set(end.outcome == Outcome::slave_error);
  registers_.dma_dec_err.set(end.outcome == Outcome::decode_error);
  (failed ? registers_.err_irq : registers_.ioc_irq).set(true);
  ++(failed ? done_.failed : done_.transfers);
  if (!failed) done_.bytes += registers_.btt.value;
  drive_interrupt();
  mistakes_.end_unseen = !interrupt_.level();
  ended_ = end.time;
}

/// Keeps the time of the next visible change in the timer, or the earliest that it can come: an error shuts the engine
/// down only so many cycles after its response, and success needs a beat for every byte that is still to be sent.
void Core::announce(Picoseconds now) {
  if (end_) {
    timer_.set(end_->time);
  } else if (engine_.under_way()) {
    const std::uint64_t bursts = engine_.bytes_to_send() / config_.burst_bytes();
    timer_.set(now + std::min<std::uint64_t>(kShutDownCycles, kFinishCycles + bursts) * config_.clock);
  } else {
    timer_.set(kNever);
  }
}

void Core::reset() {
  done_.cancelled += !registers_.idle;
  engine_.abandon();
  end_.reset();
  registers_.bank.reset();
  mistakes_.end_unseen = false;
  timer_.set(kNever);
  drive_interrupt();
}

Figures Core::figures() const {
  Figures figures = done_;
  figures.read_bursts = engine_.counts().read_bursts;
  figures.write_bursts = engine_.counts().write_bursts;
  figures.read_bytes = engine_.counts().read_bytes;
  figures.written_bytes = engine_.counts().written_bytes;
  return figures;
}

std::vector<Finding> Core::findings(const OriginText& origin) const {
  std::vector<Finding> all;
  const auto told = [&](const Mistake& mistake, const char* thing, const std::string& before, const char* after) {
    tell(all, mistake, thing, before, after, origin);
  };
  told(mistakes_.starts_while_busy, "time", "BTT was written ",
       " while a transfer or a reset was under way: nothing was started.");
  told(mistakes_.starts_after_error, "time", "BTT was written ",
       " after an error without a reset between: nothing was started.");
  told(mistakes_.overlaps, "transfer", "",
       " copied upwards into the source itself: bytes can be overwritten before they are read.");
  if (mistakes_.end_unseen)
    all.push_back({"The last transfer" + words(" (started by ", started_by_, origin, ")") +
                       " ended without an interrupt, and CDMASR was not read after it.",
                   ended_});
  return all;
}

std::string Core::broken_conservation() const {
  const Figures figures = this->figures();
  if (figures.written_bytes > figures.read_bytes) return "it has written more bytes than it has read";
  if (figures.bytes > figures.written_bytes) return "it has copied more bytes than it has written";
  if (registers_.idle && figures.failed == 0 && figures.cancelled == 0 && figures.bytes != figures.read_bytes)
    return "it has read other bytes than it has copied";
  return "";
}

void Core::End::persist(Archive& archive) { archive("time", time)("outcome", outcome, Outcome::cancelled); }

void Core::persist(Archive& archive) {
  archive("registers", registers_.bank)("interrupt", interrupt_)("engine", engine_)("end", end_);
  archive("started", started_)("started_by", started_by_)("ended", ended_)("reset", reset_)(
      "transfers", done_.transfers)("failed", done_.failed);
  archive("cancelled", done_.cancelled)("bytes", done_.bytes)("busy", done_.busy);
  archive("starts_while_busy", mistakes_.starts_while_busy)("starts_after_error", mistakes_.starts_after_error);
  archive("overlaps", mistakes_.overlaps)("end_unseen", mistakes_.end_unseen);
}

}  // namespace vp::cdma
