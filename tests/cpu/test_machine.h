#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/common/archive.h"
#include "models/common/zeroed_array.h"
#include "models/cpu/core.h"

namespace vp::cpu {

/// A machine around the SystemC-free hart: memory from 0x8000_0000 on, the serial port and the finisher of QEMU's
/// `virt` machine, and devices given as functions.
class TestMachine : public MemoryPort {
 public:
  static constexpr std::uint64_t kBase = 0x8000'0000;
  static constexpr std::uint64_t kUart = 0x1000'0000;
  static constexpr std::uint64_t kFinisher = 0x10'0000;

  explicit TestMachine(CpuConfig config = {}, std::size_t memory_size = std::size_t{16} << 20)
      : memory(memory_size, "a test's machine"), config_(at_base(config)) {
    core = Core::make(config_, *this);
  }

  /// Puts instructions or data at an address of the memory.
  void put(std::uint64_t address, const void* data, std::size_t size) {
    std::memcpy(memory.data() + (address - kBase), data, size);
    core->invalidate_code();
  }
  void put32(std::uint64_t address, std::initializer_list<std::uint32_t> words) {
    for (std::uint32_t word : words) {
      put(address, &word, 4);
      address += 4;
    }
  }
  std::uint64_t word(std::uint64_t address) const {
    std::uint64_t value = 0;
    std::memcpy(&value, memory.data() + (address - kBase), 8);
    return value;
  }
  std::uint64_t csr(unsigned number) const {
    std::uint64_t value = 0;
    core->csr(number, value);
    return value;
  }
  /// Runs until the finisher is written or something unusual happens.
  Stop run_to_end(Picoseconds limit = kNever / 8) {
    for (;;) {
      const Stop stop = core->run(limit);
      if (stop != Stop::kAccess || finished) return stop;
    }
  }

  /// Hart and memory, and what the port keeps for the hart.
  void persist(Archive& archive) {
    archive("core", *core)("memory", memory)("reserved", reserved)("reserved_address", reserved_address_);
    archive("reserved_size", reserved_size_)("posted", posted_);
  }

  Answer access(const vp::Access& access) override {
    Answer answer;
    answer.completion = access.time;
    answer.moved = moved;
    std::uint64_t operand = 0, old = 0;
    switch (access.kind) {
      case AccessKind::plain:
        answer.result = plain(access.write, access, access.data, answer.completion);
        break;
      case AccessKind::reserve:
        reserve(access.address, access.size, access.time, false);
        answer.result = plain(false, access, access.data, answer.completion);
        break;
      case AccessKind::conditional:
        answer.stored = reserve(access.address, access.size, access.time, true);
        plain(false, access, reinterpret_cast<std::uint8_t*>(&old), answer.completion);
        if (answer.stored) answer.result = plain(true, access, access.data, answer.completion);
        break;
      case AccessKind::atomic:
        std::memcpy(&operand, access.data, access.size);
        answer.result = plain(false, access, access.data, answer.completion);
        if (!answer.ok()) break;
        std::memcpy(&old, access.data, access.size);
        old = apply(access.operation, access.size, old, operand);
        answer.result = plain(true, access, reinterpret_cast<std::uint8_t*>(&old), answer.completion);
        break;
    }
    return answer;
  }
  std::optional<DmiRegion> direct(std::uint64_t address, bool) override {
    if (!allow_direct || !inside(address, 1)) return std::nullopt;
    return DmiRegion{memory.data(), kBase, kBase + memory.size() - 1, true, true, latency, latency, wide_extra};
  }
  std::optional<DmiRegion> contents(std::uint64_t address, bool) override {
    if (!allow_contents || !inside(address, 1)) return std::nullopt;
    return DmiRegion{memory.data(), kBase, kBase + memory.size() - 1, true, true, 0, 0, 0};
  }
  Answer transfer(const vp::Access& access) override {
    EXPECT_EQ(access.data, memory.data() + (access.address - kBase));
    if (keep_transfers) transfers.push_back({access.write, access.address, access.size, access.time});
    Answer answer;
    answer.completion = access.time + line_latency;
    return answer;
  }
  void post(const vp::Access& access) override { posted_ = transfer(access).completion; }
  Picoseconds posted() override { return posted_; }
  bool reserve(std::uint64_t address, unsigned size, Picoseconds, bool claim) override {
    if (claim) return std::exchange(reserved, false) && reserved_address_ == address && reserved_size_ == size;
    reserved_address_ = address;
    reserved_size_ = size;
    return reserved = true;
  }
  Picoseconds alone_until() const override { return alone; }
  void written(std::uint64_t, unsigned) override {}
  bool watched(std::uint64_t, unsigned) const override { return false; }
  Picoseconds now() const override { return 0; }
  std::uint64_t writes_of_others() const override { return foreign_writes; }
  unsigned fetch(std::uint64_t address, void* data, unsigned size) override {
    unsigned got = 0;
    while (got < size && inside(address + got, 1)) {
      static_cast<std::uint8_t*>(data)[got] = memory[address + got - kBase];
      ++got;
    }
    return got;
  }
  bool time_counter(Picoseconds now, std::uint64_t& value) override {
    value = now / 100'000;
    return true;
  }

  void set_supervisor_timer(std::uint64_t compare, Picoseconds now) override {
    supervisor_timer.emplace_back(compare, now);
  }

  ZeroedArray<std::uint8_t> memory;
  std::vector<std::pair<std::uint64_t, Picoseconds>> supervisor_timer;  ///< every compare value and its time
  std::string output;                                                   ///< bytes written to the serial port
  bool finished = false;
  bool allow_direct = true;
  bool moved = true;           ///< what every access says of what it has moved
  Picoseconds latency = 0;     ///< of the memory
  Picoseconds wide_extra = 0;  ///< more for accesses of over 4 bytes
  std::uint64_t slow_accesses = 0;
  std::uint64_t foreign_writes = 0;  ///< of other masters, which a test counts
  /// Transactions of the caches.
  struct Transfer {
    bool write;
    std::uint64_t address;
    unsigned size;
    Picoseconds start;
  };
  bool allow_contents = true;
  Picoseconds line_latency = 100'000;
  bool keep_transfers = true;
  std::vector<Transfer> transfers;
  bool reserved = false;  ///< what LR has reserved; a test may end it
  Picoseconds alone = 0;  ///< until when no other master comes
  /// Devices: (write, address, data, size, time); false if there is nothing.
  std::function<bool(bool, std::uint64_t, void*, unsigned, Picoseconds&)> device;
  std::unique_ptr<Core> core;

 private:
  static CpuConfig at_base(CpuConfig config) {
    config.reset_pc = kBase;
    if (config.jit_after == CpuConfig{}.jit_after) config.jit_after = 1;  // short programs are compiled, too
    return config;
  }
  bool inside(std::uint64_t address, unsigned size) const {
    return address >= kBase && address - kBase + size <= memory.size();
  }

  AccessResult plain(bool write, const vp::Access& access, std::uint8_t* data, Picoseconds& time) {
    const std::uint64_t address = access.address;
    const unsigned size = access.size;
    ++slow_accesses;
    if (inside(address, size)) {
      std::uint8_t* const place = memory.data() + (address - kBase);
      std::memcpy(write ? place : data, write ? data : place, size);
      time += latency + (size > 4 ? wide_extra : 0);
      return AccessResult::ok;
    }
    if (device && device(write, address, data, size, time)) return AccessResult::ok;
    if (address >= kUart && address < kUart + 256) {
      if (write && address == kUart) output.push_back(static_cast<char>(*data));
      if (!write) std::memset(data, 0x60, size);
      return AccessResult::ok;
    }
    if (write && address == kFinisher) {
      finished = true;
      core->request_stop();
      return AccessResult::ok;
    }
    return AccessResult::address_error;
  }

  CpuConfig config_;
  Picoseconds posted_ = 0;
  std::uint64_t reserved_address_ = 0;
  unsigned reserved_size_ = 0;
};

constexpr std::uint64_t kBase = TestMachine::kBase;
constexpr Picoseconds kCycle = 10'000;  ///< of the default clock

/// The default settings, for one width of registers.
inline CpuConfig config_of(unsigned xlen) {
  CpuConfig config;
  config.isa = xlen == 32 ? Isa::kRv32imac : Isa::kRv64imac;
  return config;
}

}  // namespace vp::cpu
