#include "tests/cpu/lockstep.h"

#include <algorithm>
#include <cstring>

#include "tests/cpu/encode.h"
#include "tests/cpu/random_bench.h"

namespace vp::cpu {

using namespace encode;

LockstepHart::LockstepHart(const CpuConfig& config, const RandomGuest& guest, unsigned seed)
    : machine(config, RandomGuest::kMemory) {
  Dice dice(seed);
  machine.latency = 30'000 * dice.from_to(0, 1);
  machine.wide_extra = 10'000 * dice.from_to(0, 2);
  machine.allow_direct = !dice.one_in(12);
  machine.allow_contents = !dice.one_in(12);
  machine.device = [this](bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& time) {
    return device(write, address, data, size, time);
  };
  machine.alone = kNever;
  guest.load(machine);
}

/// 64 bytes. Reads differ from one to the next. Stores do something to the hart in the midst of its instruction.
bool LockstepHart::device(bool write, std::uint64_t address, void* data, unsigned size, Picoseconds& time) {
  const std::uint64_t offset = address - RandomGuest::kDevice;
  if (offset >= 64) return false;
  std::uint64_t value = 0;
  if (write) {
    std::memcpy(&value, data, size);
  } else {
    value = ++reads_ * 0x9e37'79b9'7f4a'7c15;
    std::memcpy(data, &value, size);
  }
  log_ << (write ? "write " : "read ") << offset << ' ' << size << " at " << time << ": " << value << '\n';
  time += 10'000 * (offset / 8);
  if (!write) return true;
  switch (offset / 4) {
    case 0:
      core().set_interrupt(Interrupt::machine_external, value & 1);
      break;
    case 1:
      core().set_interrupt(Interrupt::supervisor_external, value & 1);
      break;
    case 2:
      core().set_fidelity(value & 1 ? Fidelity::timed : Fidelity::functional);
      break;
    case 3:
      core().invalidate_code();
      break;
    case 4:
      core().invalidate_direct(kBase, kBase + RandomGuest::kMemory - 1);
      break;
    case 5:
      core().request_stop();
      break;
    case 6:
      core().set_interrupt(Interrupt::machine_timer, value & 1);
      break;
    case 7:
      ++machine.foreign_writes;
      break;
    default:
      break;
  }
  return true;
}

/// What changes nothing that can be seen.
void LockstepHart::meddle(Dice& cuts) {
  switch (cuts.from_to(0, 24)) {
    case 0:
      return core().invalidate_code();
    case 1:
      return core().invalidate_direct(kBase, kBase + RandomGuest::kMemory / cuts.from_to(1, 16) - 1);
    case 2:
      return core().request_stop();
    case 3:
      return core().request_debug_stop();
    case 4:
    case 5:
    case 6:
    case 7:
      return core().set_instruction_limit(core().retired() + cuts.from_to(0, cuts.one_in(2) ? 10 : 400));
    case 8:
    case 9:
      machine.alone = cuts.one_in(2) ? kNever : core().time() + cuts.from_to(0, 2'000'000);
      return;
    default:
      return;
  }
}

void LockstepHart::run(Picoseconds until, Dice& cuts) {
  while (core().time() < until) {
    meddle(cuts);
    const Picoseconds piece = cuts.one_in(3) ? cuts.from_to(1, 400'000) : cuts.one_in(2) ? kCycle : until;
    const Stop stop = core().run(std::min(until, core().time() + piece));
    if (stop == Stop::kWaitForInterrupt) core().advance_time(until);
    if (stop == Stop::kInstructionLimit) core().set_instruction_limit(~std::uint64_t{0});
    if (stop == Stop::kStopped) core().clear_stop();
    if (stop == Stop::kDebug) core().take_debug_stop();
    if (stop == Stop::kUnhandledTrap) {
      log_ << "unhandled trap " << core().last_trap().cause << " at " << core().pc() << '\n';
      core().reset();
    }
  }
}

std::string LockstepHart::seen() {
  Core& core = this->core();
  std::ostringstream out;
  out << std::hex << "pc " << core.pc() << "\nmode " << static_cast<int>(core.mode()) << std::dec << "\ntime "
      << core.time() << "\nretired " << core.retired() << std::hex << '\n';
  for (unsigned i = 1; i < 32; ++i) out << 'x' << i << ' ' << core.x(i) << '\n';
  for (unsigned i = 0; core.floating() && i < 32; ++i) out << 'f' << i << ' ' << core.f(i) << '\n';
  for (const unsigned number : {3u /* fcsr */, 0u + mstatus, 0u + mie, 0u + mip, 0u + mepc, 0u + mcause, 0u + mtval,
                                0u + medeleg, 0u + mideleg, 0u + sepc, 0u + scause, 0u + stval, 0u + sscratch,
                                0u + satp, 0u + mcounteren, 0u + mcycle, 0u + minstret, 0u + pmpcfg0, 0u + pmpaddr0})
    out << "csr " << number << ' ' << machine.csr(number) << '\n';
  const TrapRecord& trap = core.last_trap();
  out << "last trap " << trap.interrupt << ' ' << trap.cause << " at " << trap.pc << ' ' << trap.value << " to "
      << trap.handler << " time " << std::dec << trap.time << " pmp " << trap.pmp << ' ' << trap.misaligned << '\n';
  const CpuTimes times = core.times();
  out << "times " << times.busy << ' ' << times.idle << ' ' << times.fetch_miss << ' ' << times.load_miss << ' '
      << times.store_miss << ' ' << times.write_back << ' ' << times.cache_hit << ' ' << times.memory << ' '
      << times.bus << '\n';
  for (const DirectTraffic& region : core.direct_traffic())
    out << "direct " << region.first << ": " << region.reads << ' ' << region.read_bytes << ' ' << region.writes << ' '
        << region.written_bytes << '\n';
  out << "exceptions";
  for (const std::uint64_t taken : core.exceptions_taken()) out << ' ' << taken;
  out << "\ninterrupts";
  for (const std::uint64_t taken : core.interrupts_taken()) out << ' ' << taken;
  const CacheFigures caches = core.cache_figures();
  out << "\nfetches " << caches.fetches << ' ' << caches.missed_fetches << ' ' << caches.instruction->fills();
  if (caches.data != nullptr)
    out << "\ndata cache " << caches.data->read_hits() << ' ' << caches.data->read_misses() << ' '
        << caches.data->write_hits() << ' ' << caches.data->write_misses() << ' ' << caches.data->write_backs() << ' '
        << caches.data->evictions();
  out << "\nfidelity " << static_cast<int>(core.fidelity()) << '\n';
  for (const TestMachine::Transfer& transfer : machine.transfers)
    out << "transfer " << transfer.write << ' ' << transfer.address << ' ' << transfer.size << " at " << transfer.start
        << '\n';
  machine.transfers.clear();
  out << log_.str();
  log_.str("");
  return out.str();
}

Lockstep::Lockstep(unsigned seed, const CpuConfig& left, const CpuConfig& right, Cuts cuts)
    : dice_(seed),
      left_cuts_(seed + 1),
      right_cuts_(cuts == Cuts::same ? seed + 1 : seed + 2),
      guest_(seed, left.xlen()),
      left_(left, guest_, seed),
      right_(right, guest_, seed) {
  left_.machine.alone = 0;
}

void Lockstep::stimulus() {
  constexpr Interrupt kLines[] = {Interrupt::machine_timer, Interrupt::machine_external, Interrupt::machine_software,
                                  Interrupt::supervisor_external};
  switch (dice_.from_to(0, 15)) {
    case 0:
    case 1:
    case 2: {
      const Interrupt line = kLines[dice_.from_to(0, 3)];
      const bool level = dice_.one_in(2);
      return both([=](Core& core) { core.set_interrupt(line, level); });
    }
    case 3: {
      const Picoseconds by = dice_.from_to(0, 200'000);
      return both([=](Core& core) { core.advance_time(core.time() + by); });
    }
    case 4: {
      const Fidelity fidelity = dice_.one_in(2) ? Fidelity::timed : Fidelity::functional;
      return both([=](Core& core) { core.set_fidelity(fidelity); });
    }
    case 5:
      if (dice_.one_in(10)) both([](Core& core) { core.reset(); });
      return;
    default:
      return;
  }
}

std::string Lockstep::step() {
  stimulus();
  const Picoseconds until = left_.core().time() + dice_.from_to(0, dice_.one_in(4) ? 100'000'000 : 3'000'000);
  left_.run(until, left_cuts_);
  right_.run(until, right_cuts_);
  const std::string left = left_.seen(), right = right_.seen();
  if (left == right) return "";
  std::istringstream in_left(left), in_right(right);
  std::string left_line, right_line, difference;
  while (std::getline(in_left, left_line) && std::getline(in_right, right_line))
    if (left_line != right_line) difference += "  " + left_line + " | " + right_line + '\n';
  return difference.empty() ? "  one has lines more:\n" + left + "|\n" + right : difference;
}

std::string Lockstep::memory_difference() const {
  const ZeroedArray<std::uint8_t>&left = left_.machine.memory, &right = right_.machine.memory;
  if (std::equal(left.begin(), left.end(), right.begin())) return "";
  for (std::size_t at = 0; at < left.size(); ++at)
    if (left[at] != right[at])
      return "memory at offset " + std::to_string(at) + ": " + std::to_string(left[at]) + " | " +
             std::to_string(right[at]);
  return "";
}

CpuConfig lockstep_settings(unsigned seed) {
  CpuConfig config = random_settings(seed);
  Dice dice(seed);
  config.misaligned = dice.one_in(4) ? Misaligned::kTrap : Misaligned::kDone;
  config.ad_update = dice.one_in(4) ? AdUpdate::fault : AdUpdate::hardware;
  if (dice.one_in(2)) {
    for (unsigned& cycles : config.cycles.of_class) cycles = dice.from_to(1, dice.one_in(3) ? 20 : 3);
    config.cycles.branch_taken = dice.from_to(0, 3);
  }
  if (dice.one_in(3)) config.dcache.size = config.icache.size = 8192;
  config.dcache.line = config.icache.line = dice.power_of_two(32, 2);
  config.dcache.write_policy = dice.one_in(4) ? WritePolicy::kThrough : WritePolicy::kBack;
  config.dcache.write_allocate = config.dcache.write_policy == WritePolicy::kBack || dice.one_in(2);
  return config;
}

}  // namespace vp::cpu
