#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "models/common/archive.h"
#include "models/common/event_timer.h"
#include "models/common/tlm_target.h"
#include "models/common/tlm_time.h"
#include "models/cpu/cpu.h"
#include "tests/cpu/encode.h"

namespace vp::cpu {

inline constexpr std::uint64_t kBase = 0x8000'0000;
inline constexpr std::uint64_t kDevice = 0x1000'0000;
inline constexpr Picoseconds kCycle = 10'000;
inline constexpr Picoseconds kUs = 1'000'000;

/// Everything on one socket: memory with direct access, and a device of a few registers.
///   +0 write: raises the external line so many ns after the access (0: in its own instant); read: local time in ns
///   +4 write: lowers the line
///   +8 write: calls `action`
///   +12 write: calls `acknowledged`
class World : public sc_core::sc_module, private TargetModel {
 public:
  explicit World(CpuConfig config = {}) : World("world", config) {}
  World(sc_core::sc_module_name module_name, CpuConfig config)
      : World(module_name, config, [](World& world) { world.cpu->socket.bind(world.target); }) {}
  /// With something else between the two.
  World(sc_core::sc_module_name module_name, CpuConfig config, const std::function<void(World&)>& connect)
      : sc_module(module_name), line("line", horizon), memory(1 << 20) {
    config.reset_pc = kBase;
    cpu = std::make_unique<Cpu>("cpu", config, horizon);
    connect(*this);
    line.bind([this](bool level) {
      edges.push_back(kernel_time());
      cpu->set_meip(level);
    });
    cpu->on_halt([this](Halt why) {
      halt = why;
      halted_at = kernel_time();
      sc_core::sc_stop();
    });
  }

  void put(std::uint64_t address, std::initializer_list<std::uint32_t> words) {
    for (std::uint32_t word : words) {
      std::memcpy(memory.data() + (address - kBase), &word, 4);
      address += 4;
    }
  }

  void persist(Archive& archive) { archive("line", line)("memory", memory)("cpu", *cpu); }

  Horizon horizon;
  TimedInterruptLine line;
  std::vector<std::uint8_t> memory;
  TlmTarget target{"target", *this, {std::uint64_t{1} << 32, 0}};
  std::unique_ptr<Cpu> cpu;
  std::function<void()> action;
  std::function<void()> acknowledged;
  std::vector<Picoseconds> edges;
  std::optional<Halt> halt;
  Picoseconds halted_at = 0;
  bool grant = true;
  unsigned accesses = 0;

 private:
  bool in_memory(std::uint64_t offset) const { return offset >= kBase && offset - kBase < memory.size(); }
  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    ++accesses;
    if (in_memory(offset)) {
      std::memcpy(data, memory.data() + (offset - kBase), size);
      now += 7'000;
      return AccessResult::ok;
    }
    if (offset != kDevice) return AccessResult::address_error;
    const Picoseconds ns = now / 1000;
    std::memcpy(data, &ns, size);
    now += 30'000;
    return AccessResult::ok;
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    ++accesses;
    if (in_memory(offset)) {
      std::memcpy(memory.data() + (offset - kBase), data, size);
      now += 7'000;
      return AccessResult::ok;
    }
    std::uint32_t value = 0;
    std::memcpy(&value, data, std::min<std::size_t>(size, 4));
    if (offset == kDevice) line.push(now + value * 1000, true);
    if (offset == kDevice + 4) line.push(now, false);
    if (offset == kDevice + 8 && action) action();
    if (offset == kDevice + 12 && acknowledged) acknowledged();
    now += 20'000;
    return offset - kDevice < 16 ? AccessResult::ok : AccessResult::address_error;
  }
  bool grants_dmi() const override { return grant; }
  std::optional<DmiRegion> dmi(std::uint64_t offset) override {
    if (!grant || !in_memory(offset)) return std::nullopt;
    return DmiRegion{memory.data(), kBase, kBase + memory.size() - 1, true, true, 7'000, 7'000, 0};
  }
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    for (unsigned i = 0; i < size; ++i) {
      if (!in_memory(offset + i)) return i;
      data[i] = memory[offset + i - kBase];
    }
    return size;
  }
  unsigned debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) override {
    for (unsigned i = 0; i < size; ++i) {
      if (!in_memory(offset + i)) return i;
      memory[offset + i - kBase] = data[i];
    }
    return size;
  }
};

/// mtvec = kBase + 0x1000, the external interrupt enabled, s0 = the device, s1 = data memory. 10 instructions.
inline constexpr std::uint64_t kProgram = kBase + 40;
inline void put_start(World& world) {
  using namespace encode;
  world.put(kBase, {auipc(t0, 1), csrw(mtvec, t0), lui(t1, 1), addi(t1, t1, -0x800), csrw(mie, t1), lui(s0, 0x10000),
                    auipc(s1, 2), csrrsi(0, mstatus, 8), kNop, kNop});
}

/// A program that works, sleeps and takes interrupts, and mixes all times it can see into a2.
inline void put_busy_program(World& world) {
  using namespace encode;
  put_start(world);
  world.put(kProgram, {addi(s2, 0, 40),                                               // rounds
                       addi(t0, 0, 777), sw(t0, s0, 0), addi(t2, 0, 60),              // loop: edge in 777 ns
                       lw(t1, s0, 0), add(a2, a2, t1), sd(a2, s1, 0), ld(a3, s1, 0),  // inner: device and memory
                       addi(t2, t2, -1), bne(t2, 0, -20), addi(t0, 0, 900), sw(t0, s0, 0), csrrwi(0, mstatus, 0), kWfi,
                       csrrsi(0, mstatus, 8), addi(s2, s2, -1), bne(s2, 0, -60), sw(0, s0, 8)});
  world.put(kBase + 0x1000, {csrr(t3, mcycle), slli(t3, t3, 3), add(a2, a2, t3), csrr(t3, mepc), add(a2, a2, t3),
                             csrr(t3, minstret), add(a2, a2, t3), sw(0, s0, 4), kMret});
  world.action = [&world] { world.cpu->request_stop(); };
}

}  // namespace vp::cpu
