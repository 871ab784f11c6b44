#include "models/cpu/debugger.h"

#include <algorithm>

#include "models/cpu/tlb.h"

namespace vp::cpu {

void Debugger::engage(bool engaged) {
  engaged_ = engaged;
  if (!engaged) points_.clear();
  update();
}

/// The hart looks at the points when it is told, as blocks and host pointers depend on them.
void Debugger::update() { core_.set_debug_points(engaged_ ? &points_ : nullptr); }

bool Debugger::show_fault(std::string diagnosis, std::function<void()> otherwise) {
  if (!engaged_) return false;
  diagnosis_ = std::move(diagnosis);
  otherwise_ = std::move(otherwise);
  core_.request_debug_stop();
  return true;
}

void Debugger::show_fault_now(std::string diagnosis) {
  if (!engaged_) return;
  DebugStop stop;
  stop.reason = DebugStop::Reason::fault;
  stop.diagnosis = std::move(diagnosis);
  monitor_->stopped(stop);
}

Resume Debugger::stopped(DebugStop stop) {
  changed_ = false;
  if (!monitor_) return Resume::run;
  const std::function<void()> otherwise = std::exchange(otherwise_, nullptr);
  if (otherwise) {
    stop.reason = DebugStop::Reason::fault;
    stop.diagnosis = std::exchange(diagnosis_, {});
  }
  const Resume how = monitor_->stopped(stop);
  if (otherwise && !changed_ && how != Resume::reset) otherwise();
  return how;
}

void Debugger::set_pc(std::uint64_t pc) {
  changed_ = true;
  core_.set_pc(pc);
  left_wfi_();
}

void Debugger::set_x(unsigned i, std::uint64_t value) {
  changed_ = true;
  core_.set_x(i, value);
}

void Debugger::set_f(unsigned i, std::uint64_t value) {
  changed_ = true;
  core_.set_f(i, value);
}

void Debugger::set_mode(Mode mode) {
  changed_ = true;
  core_.set_mode(mode);
}

bool Debugger::set_csr(unsigned number, std::uint64_t value) {
  changed_ = true;
  return core_.set_csr(number, value);
}

std::vector<NamedCsr> Debugger::csrs() const {
  std::vector<NamedCsr> there;
  std::uint64_t value = 0;
  for (const NamedCsr& csr : known_csrs())
    if (core_.csr(csr.number, value)) there.push_back(csr);
  return there;
}

/// In pieces that lie in one page each, which is mapped as a whole, and in one window of the bus.
template <typename Move>
std::size_t Debugger::by_pages(std::uint64_t address, std::size_t size, Move move) const {
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t at = address + done;
    const auto piece = static_cast<unsigned>(std::min<std::uint64_t>(size - done, kPageSize - at % kPageSize));
    const std::optional<std::uint64_t> physical = core_.translate(at);
    const unsigned moved = physical ? move(*physical, done, piece) : 0;
    if (moved == 0) break;
    done += moved;
  }
  return done;
}

std::size_t Debugger::read_memory(std::uint64_t address, void* data, std::size_t size) {
  return by_pages(address, size, [&](std::uint64_t physical, std::size_t offset, unsigned piece) {
    return socket_.debug_read(physical, static_cast<std::uint8_t*>(data) + offset, piece);
  });
}

std::size_t Debugger::write_memory(std::uint64_t address, const void* data, std::size_t size) {
  changed_ = true;
  core_.invalidate_code();
  return by_pages(address, size, [&](std::uint64_t physical, std::size_t offset, unsigned piece) {
    return socket_.debug_write(physical, static_cast<const std::uint8_t*>(data) + offset, piece);
  });
}

void Debugger::insert_breakpoint(std::uint64_t address) {
  points_.insert_breakpoint(address);
  update();
}

bool Debugger::remove_breakpoint(std::uint64_t address) {
  const bool there = points_.remove_breakpoint(address);
  update();
  return there;
}

bool Debugger::insert_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) {
  const bool possible = points_.insert_watchpoint(watch, address, length);
  update();
  return possible;
}

bool Debugger::remove_watchpoint(Watch watch, std::uint64_t address, std::uint64_t length) {
  const bool there = points_.remove_watchpoint(watch, address, length);
  update();
  return there;
}

}  // namespace vp::cpu
