#pragma once

#include <cstdint>
#include <functional>
#include <sstream>
#include <vector>

#include "models/common/archive.h"
#include "tests/cpu/encode.h"
#include "tests/cpu/test_machine.h"
#include "tests/support/dice.h"

namespace vp::cpu {

inline constexpr unsigned kWords = 512;  // of a random program: within reach of an immediate

/// Of F and D, illegal on a hart without them: arithmetic, conversions, comparisons, loads, stores, and its CSRs.
inline std::uint32_t random_float(Dice& dice, int offset) {
  using namespace encode;
  const auto f = [&] { return dice.from_to(0, 7); };
  const auto x = [&] { return dice.from_to(a0, s5); };
  const unsigned format = dice.from_to(0, 1), rounding = dice.one_in(4) ? dice.from_to(0, 4) : 7;
  switch (dice.from_to(0, 9)) {
    case 0:
      return i(offset, s0, 2 + format, f(), 0x07);
    case 1:
      return s(offset, f(), s0, 2 + format, 0x27);
    case 2:
      return r(0x68 | format, dice.from_to(0, 1), x(), rounding, f(), 0x53);  // from an integer
    case 3:
      return r(0x60 | format, dice.from_to(0, 1), f(), dice.one_in(2) ? 1 : rounding, x(), 0x53);
    case 4:
      return r(0x50 | format, f(), f(), dice.from_to(0, 2), x(), 0x53);
    case 5:
      return f() << 27 | r(format, f(), f(), rounding, f(), 0x43 | dice.from_to(0, 3) << 2);
    case 6:
      return dice.one_in(4) ? csrrw(x(), 1 + dice.from_to(0, 2), x()) : r(0x20, 1, f(), rounding, f(), 0x53);
    default:
      return r(4 * dice.from_to(0, 3) | format, f(), f(), rounding, f(), 0x53);
  }
}

/// A loop of random instructions, and a handler that goes on behind what trapped. s0 points to data, s1 to nothing.
inline std::vector<std::uint32_t> random_program(unsigned seed, bool rv64) {
  Dice dice(seed);
  using namespace encode;
  std::vector<std::uint32_t> code = {
      auipc(s0, 0x10), auipc(s1, 0x4000),    auipc(t6, 0),  addi(t6, t6, 4 * (kWords - 9)),
      csrw(mtvec, t6), addi(t5, 0, -1),      csrw(mie, t5), csrrsi(0, mstatus, 8),
      lui(t5, 6),      csrrs(0, mstatus, t5)};
  const std::size_t loop = code.size();
  const auto reg = [&] { return dice.from_to(a0, s5); };
  while (code.size() < kWords - 12) {
    const int offset = 8 * static_cast<int>(dice.from_to(0, 200));
    switch (dice.from_to(0, 15)) {
      case 0:
        code.push_back(load_x(rv64 ? 64 : 32, reg(), s0, offset));
        break;
      case 1:
        code.push_back(store_x(rv64 ? 64 : 32, reg(), s0, offset));
        break;
      case 2:
        code.push_back(lh(reg(), s0, offset + static_cast<int>(dice.from_to(0, 7))));
        break;
      case 3:
        code.push_back(sb(reg(), s0, offset));
        break;
      case 4:
        code.push_back(dice.one_in(4) ? lw(reg(), s1, 0) : r(1, reg(), reg(), 0, reg(), 0x33));  // fault, or mul
        break;
      case 5:
        code.push_back(lr(reg(), s0, 4));
        break;
      case 6:
        code.push_back(sc(reg(), s0, reg(), 4));
        break;
      case 7:
        code.push_back(amo(0, reg(), s0, reg(), 4));
        break;
      case 8:
        code.push_back(dice.one_in(3) ? kEcall : csrrw(reg(), mscratch, reg()));
        break;
      case 9:
        code.push_back(csrr(reg(), dice.one_in(2) ? mcycle : minstret));
        break;
      case 10:
        code.push_back(dice.one_in(8) ? kWfi : beq(reg(), reg(), 8));
        break;
      case 11:
        code.push_back(dice.one_in(8) ? kFenceI : csrrw(0, 0x3B0 + dice.from_to(0, 15), reg()));  // pmpaddr
        break;
      default:
        code.push_back(dice.one_in(2) ? random_float(dice, offset) : add(reg(), reg(), reg()));
    }
  }
  while (code.size() < kWords - 10) code.push_back(kNop);
  code.push_back(jal(0, 4 * (static_cast<int>(loop) - static_cast<int>(code.size()))));
  while (code.size() < kWords - 7) code.push_back(kNop);
  // Handler, at kWords - 7: exceptions go on 4 bytes behind, interrupts where they came. t3 = mcause's sign.
  code.insert(code.end(), {csrr(t3, mcause), b(16, 0, t3, 4) /* blt t3, zero */, csrr(t4, mepc), addi(t4, t4, 4),
                           csrw(mepc, t4), kMret, kNop});
  return code;
}

/// A hart with a random program, and random stimuli for it; `seen` has all that can be seen from outside.
struct RandomBench {
  explicit RandomBench(unsigned seed, const CpuConfig& settings) : machine(settings, std::size_t{1} << 18) {
    const std::vector<std::uint32_t> code = random_program(seed, settings.xlen() == 64);
    machine.put(kBase, code.data(), 4 * code.size());
    machine.latency = seed % 2 * 30'000;
    machine.wide_extra = seed % 3 * 10'000;
  }
  void step(Dice& dice) {
    Core& core = *machine.core;
    switch (dice.from_to(0, 9)) {
      case 0:
        core.set_interrupt(Interrupt::machine_timer, dice.one_in(8));
        break;
      case 1:
        core.set_interrupt(Interrupt::machine_external, dice.one_in(8));
        break;
      case 2:
        core.advance_time(core.time() + dice.from_to(0, 200'000));
        break;
      case 3:
        if (dice.one_in(3)) core.set_fidelity(dice.one_in(2) ? Fidelity::timed : Fidelity::functional);
        break;
      case 4:
        if (dice.one_in(30)) core.reset();
        break;
      default:
        run(core.time() + dice.from_to(0, dice.one_in(5) ? 20'000'000 : 300'000));
    }
    look(core);
  }
  void persist(Archive& archive) { archive("machine", machine); }

 private:
  void run(Picoseconds until) {
    for (;;) {
      const Stop stop = machine.core->run(until);
      if (stop == Stop::kAccess) continue;
      if (stop == Stop::kDebug) {
        stopped();
        continue;
      }
      if (stop == Stop::kUnhandledTrap) machine.core->reset();
      seen << "stop " << static_cast<int>(stop) << '\n';
      return;
    }
  }
  void look(Core& core) {
    using namespace encode;
    seen << core.pc() << ' ' << core.time() << ' ' << core.retired() << ' ' << machine.slow_accesses;
    for (unsigned i = 0; i < 32; ++i) seen << ' ' << core.x(i);
    for (unsigned i = 0; core.floating() && i < 32; ++i) seen << ' ' << core.f(i) << (i == 31 ? " " : "");
    for (const unsigned number : {3u /* fcsr */, 0u + mstatus, 0u + mie, 0u + mip, 0u + mtvec, 0u + mepc, 0u + mcause,
                                  0u + mtval, 0u + mcycle, 0u + minstret})
      seen << ' ' << machine.csr(number);
    const CpuTimes times = core.times();
    seen << '\n' << times.busy << ' ' << times.idle << ' ' << times.stalls() << ' ' << times.memory << ' ' << times.bus;
    for (const DirectTraffic& region : core.direct_traffic())
      seen << ' ' << region.first << ' ' << region.reads << ' ' << region.read_bytes << ' ' << region.written_bytes;
    for (const std::uint64_t taken : core.exceptions_taken()) seen << ' ' << taken;
    for (const std::uint64_t taken : core.interrupts_taken()) seen << ' ' << taken;
    const CacheFigures caches = core.cache_figures();
    seen << '\n' << caches.fetches << ' ' << caches.missed_fetches << ' ' << caches.instruction->fills();
    if (caches.data != nullptr) seen << ' ' << caches.data->read_hits() << ' ' << caches.data->write_backs();
    for (const TestMachine::Transfer& transfer : machine.transfers)
      seen << ' ' << transfer.write << transfer.address << ' ' << transfer.start;
    seen << '\n';
    machine.slow_accesses = 0;
    machine.transfers.clear();
  }

 public:
  TestMachine machine;
  std::ostringstream seen;
  std::function<void()> stopped;  ///< Stop::kDebug
};

/// Settings of many kinds by a seed.
inline CpuConfig random_settings(unsigned seed) {
  CpuConfig config;
  const bool floating = seed % 4 != 3;
  config.isa = seed % 3 == 0 ? (floating ? Isa::kRv32gc : Isa::kRv32imac) : (floating ? Isa::kRv64gc : Isa::kRv64imac);
  config.icache.size = config.dcache.size = 512;
  config.icache.ways = config.dcache.ways = 2;
  config.icache.present = seed % 4 != 1;
  config.dcache.present = seed % 5 != 1;
  config.dcache.write_buffer = seed % 2 == 0;
  config.dcache.replacement = seed % 2 == 0 ? Replacement::kRandom : Replacement::kLru;
  config.dcache.hit_cycles = seed % 3;
  return config;
}

}  // namespace vp::cpu
