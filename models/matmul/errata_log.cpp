#include "models/matmul/errata_log.h"

namespace vp::matmul {

const char* name_of(ErrataEvent::Kind kind) {
  static constexpr const char* kNames[] = {"late_load_hang", "fifo_byte_loss", "cts_byte_loss"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string to_text(const ErrataEvent& event, const OriginText& origin) {
  const std::string clocks = event.first_cycle == event.last_cycle ? "clock " + std::to_string(event.first_cycle)
                                                                   : "clocks " + std::to_string(event.first_cycle) +
                                                                         " to " + std::to_string(event.last_cycle);
  const std::string place = "thread " + std::to_string(event.thread) + " at pc " + std::to_string(event.pc) +
                            words(" (sent by ", event.origin, origin, ")");
  const std::string bytes = std::to_string(event.bytes) + (event.bytes == 1 ? " byte" : " bytes");
  switch (event.kind) {
    case ErrataEvent::Kind::late_load_hang:
      return "late_load_hang at " + clocks + ": the LOAD of " + place +
             " was granted while the other thread computes and takes 2^32 clocks.";
    case ErrataEvent::Kind::fifo_byte_loss:
      return "fifo_byte_loss at " + clocks + ": " + bytes + " of the WRITE of " + place +
             " lost, the transmit FIFO was full.";
    case ErrataEvent::Kind::cts_byte_loss:
      break;
  }
  return "cts_byte_loss at " + clocks + ": " + bytes + " lost, CTS was low.";
}

void ErrataLog::hang(std::uint64_t cycle, unsigned thread, std::uint32_t pc, const Origin& origin) {
  ++counts_[static_cast<std::size_t>(ErrataEvent::Kind::late_load_hang)];
  add({ErrataEvent::Kind::late_load_hang, cycle, cycle, 0, thread, pc, origin});
}

void ErrataLog::lost_byte(ErrataEvent::Kind kind, std::uint64_t cycle, unsigned thread, std::uint32_t pc,
                          bool same_burst, const Origin& origin) {
  ++counts_[static_cast<std::size_t>(kind)];
  const std::size_t latest = latest_[static_cast<std::size_t>(kind)];
  if (same_burst && latest > 0) {
    ErrataEvent& event = events_[latest - 1];
    event.last_cycle = cycle;
    ++event.bytes;
  } else if (!same_burst) {
    add({kind, cycle, cycle, 1, thread, pc, origin});
  }
}

void ErrataLog::add(const ErrataEvent& event) {
  std::size_t& latest = latest_[static_cast<std::size_t>(event.kind)];
  if (events_.size() < kListed) {
    events_.push_back(event);
    latest = events_.size();
  } else {
    ++unlisted_;
    latest = 0;
  }
}

}  // namespace vp::matmul
