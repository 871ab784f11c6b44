#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/common/clock.h"
#include "models/common/hit_figures.h"
#include "models/common/statistics.h"
#include "models/common/time_account.h"

namespace vp::cpu {

/// Where the CPU's time has gone, in cycles of its clock; fractions are exact, so the parts add up to the total.
struct TimeFigures {
  double total = 0;
  double busy = 0;
  double idle = 0;
  double fetch_miss = 0;
  double load_miss = 0;
  double store_miss = 0;
  double write_back = 0;
  double cache_hit = 0;
  double memory = 0;
  double bus = 0;

  template <typename List>
  void list(List& list) const {
    const std::string stall = time_account::kStallPrefix;
    list.figure(time_account::kTotal, total, "cycles", "since the start");
    list.figure(time_account::kBusy, busy, "cycles", "executing instructions");
    list.figure(time_account::kIdle, idle, "cycles", "asleep in wfi, or halted");
    list.figure(stall + "fetch_miss", fetch_miss, "cycles", "waiting for lines of the instruction cache");
    list.figure(stall + "load_miss", load_miss, "cycles", "loads waiting for lines of the data cache");
    list.figure(stall + "store_miss", store_miss, "cycles", "stores waiting for lines of the data cache");
    list.figure(stall + "write_back", write_back, "cycles", "waiting for room in the write buffer");
    list.figure(stall + "cache_hit", cache_hit, "cycles", "cpu.dcache.hit_cycles of every cached access");
    list.figure(stall + "memory", memory, "cycles", "accesses to memory by host pointer, without a cache");
    list.figure(stall + "bus", bus, "cycles", "accesses through the bus model: devices, uncached memory");
  }
};

struct InstructionCacheFigures {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t fills = 0;
  std::uint64_t evictions = 0;

  template <typename List>
  void list(List& list) const {
    list.figure(hit_figures::kHits, hits, "1", "instructions whose code was there");
    list.figure("misses", misses, "1", "instructions that waited for their code");
    list.figure("fills", fills, "1", "lines brought in");
    list.figure("evictions", evictions, "1", "lines that made room for another");
  }
};

struct DataCacheFigures {
  std::uint64_t read_hits = 0;
  std::uint64_t read_misses = 0;
  std::uint64_t write_hits = 0;
  std::uint64_t write_misses = 0;
  std::uint64_t fills = 0;
  std::uint64_t evictions = 0;
  std::uint64_t write_backs = 0;

  template <typename List>
  void list(List& list) const {
    list.figure(hit_figures::kReadHits, read_hits, "1", "loads");
    list.figure("read_misses", read_misses, "1", "loads");
    list.figure(hit_figures::kWriteHits, write_hits, "1", "stores");
    list.figure("write_misses", write_misses, "1", "stores");
    list.figure("fills", fills, "1", "lines brought in");
    list.figure("evictions", evictions, "1", "lines that made room for another");
    list.figure("write_backs", write_backs, "1", "of these, dirty ones written to memory");
  }
};

struct TrapFigures {
  std::vector<std::pair<std::string, std::uint64_t>> exceptions;  ///< by cause, those that were taken
  std::uint64_t software_interrupt = 0;
  std::uint64_t timer_interrupt = 0;
  std::uint64_t external_interrupt = 0;
  std::vector<std::pair<std::string, std::uint64_t>> supervisor;  ///< interrupts to supervisor mode, likewise

  template <typename List>
  void list(List& list) const {
    for (const auto& [cause, count] : exceptions) list.figure(cause, count, "1", "exceptions");
    list.figure("software_interrupt", software_interrupt, "1", "interrupts");
    list.figure("timer_interrupt", timer_interrupt, "1", "interrupts");
    list.figure("external_interrupt", external_interrupt, "1", "interrupts");
    for (const auto& [interrupt, count] : supervisor) list.figure(interrupt, count, "1", "interrupts");
  }
};

/// All of the host CPU.
struct Figures {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
  std::uint64_t sleep_cycles = 0;
  std::uint64_t sleeps = 0;
  std::uint64_t device_accesses = 0;
  std::uint64_t line_transfers = 0;
  std::uint64_t failed_accesses = 0;
  std::uint64_t synchronisations = 0;
  std::uint64_t late_interrupts = 0;
  Picoseconds latest_interrupt = 0;
  TimeFigures time;
  InstructionCacheFigures icache;
  std::optional<DataCacheFigures> dcache;
  TrapFigures traps;

  template <typename List>
  void list(List& list) const {
    list.figure("instructions", instructions, "1", "instructions retired");
    list.figure("cycles", cycles, "cycles", "clock cycles since the start, sleep included");
    list.figure("sleep_cycles", sleep_cycles, "cycles", "clock cycles spent in wfi");
    list.figure("sleeps", sleeps, "1", "times that wfi found no interrupt pending");
    list.figure("device_accesses", device_accesses, "1", "loads and stores that went through the bus model");
    list.figure("line_transfers", line_transfers, "1", "transactions of the caches");
    list.figure("failed_accesses", failed_accesses, "1", "of these, answered with an error");
    list.figure("synchronisations", synchronisations, "1", "times the CPU waited for the kernel to catch up",
                Repeats::never);
    list.figure("late_interrupts", late_interrupts, "1",
                "interrupts that no horizon announced and that found the CPU ahead, or in the access that caused them");
    list.figure("latest_interrupt", latest_interrupt, "ps", "the most by which one was late");
    list.group("time", "where the CPU's time has gone: total = busy + idle + stalls", time);
    list.group("icache", "instruction cache; it works in timed mode", icache);
    list.group("dcache", "data cache; it works in timed mode", dcache);
    list.group("traps", "traps taken by cause", traps);
  }
};

}  // namespace vp::cpu
