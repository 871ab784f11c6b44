#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/common/arrival_figures.h"
#include "models/common/time_account.h"
#include "models/tinytpu/activity.h"
#include "models/tinytpu/hazards.h"

namespace vp::tinytpu {

/// Instructions that were issued, by kind.
struct InstructionFigures {
  std::uint64_t read_weights = 0;
  std::uint64_t matrix_multiply = 0;
  std::uint64_t activate = 0;
  std::uint64_t synchronize = 0;
  std::uint64_t no_operation = 0;
  std::uint64_t never_ran = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("read_weights", read_weights, "1", "read_weights instructions issued");
    list.figure("matrix_multiply", matrix_multiply, "1", "matrix_multiply instructions issued");
    list.figure("activate", activate, "1", "activate instructions issued");
    list.figure("synchronize", synchronize, "1", "synchronize instructions issued");
    list.figure("no_operation", no_operation, "1", "instructions that do nothing (halt and undefined opcodes)");
    list.figure("never_ran", never_ran, "1", "read_weights waiting for a successor at the end");
  }
};

/// Work of the three units.
struct RowFigures {
  std::uint64_t weights = 0;
  std::uint64_t vectors = 0;
  std::uint64_t activated = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("weights", weights, "rows", "weight rows loaded by issued read_weights");
    list.figure("vectors", vectors, "rows", "vectors of issued matrix_multiplies");
    list.figure("activated", activated, "rows", "rows of issued activates");
  }
};

/// Where the cycles of one unit went: busy + stall + idle = total.
struct UnitFigures {
  struct Causes {
    std::array<std::uint64_t, kWaits> cycles{};  ///< by Wait; Wait::empty is no stall

    template <typename List>
    void list(List& list) const {
      for (unsigned wait = 0; wait < static_cast<unsigned>(Wait::empty); ++wait)
        list.figure(name_of(static_cast<Wait>(wait)), cycles[wait], "cycles", meaning_of(static_cast<Wait>(wait)));
    }
  };
  std::uint64_t busy = 0;
  std::uint64_t stall = 0;
  Causes stall_cause;
  std::uint64_t idle = 0;
  std::uint64_t total = 0;

  template <typename List>
  void list(List& list) const {
    list.figure(time_account::kBusy, busy, "cycles", "cycles in which the unit was busy");
    list.figure(time_account::kStall, stall, "cycles",
                "cycles in which it had nothing to do although a program was under way");
    list.group(time_account::kStallCauses, "stall cycles by cause", stall_cause);
    list.figure(time_account::kIdle, idle, "cycles", "cycles in which no program was under way");
    list.figure(time_account::kTotal, total, "cycles", "busy + stall + idle");
  }
};

/// Each cycle of the device once.
struct HeldUpFigures {
  std::array<std::uint64_t, kHeldUps> cycles{};  ///< by HeldUp

  template <typename List>
  void list(List& list) const {
    for (unsigned cause = 0; cause < kHeldUps; ++cause)
      list.figure(name_of(static_cast<HeldUp>(cause)), cycles[cause], "cycles", meaning_of(static_cast<HeldUp>(cause)));
  }
};

struct CycleFigures {
  std::array<UnitFigures, kUnits> units;  ///< by Unit
  HeldUpFigures held_up;

  template <typename List>
  void list(List& list) const {
    for (unsigned unit = 0; unit < kUnits; ++unit)
      list.group(name_of(static_cast<Unit>(unit)), std::string("cycles of the ") + meaning_of(static_cast<Unit>(unit)),
                 units[unit]);
    list.group("held_up_by", "each cycle of the device once, by what held it up", held_up);
  }
};

struct HazardFigures {
  HazardReport::Counts events{};  ///< by HazardKind

  template <typename List>
  void list(List& list) const {
    for (unsigned kind = 0; kind < kHazardKinds; ++kind)
      list.figure(name_of(static_cast<HazardKind>(kind)), events[kind], "1", meaning_of(static_cast<HazardKind>(kind)));
  }
};

/// Of the device behind its AXI port.
struct CoreFigures {
  InstructionFigures instructions;
  RowFigures rows;
  std::uint64_t resets = 0;
  CycleFigures cycles;
  std::optional<HazardFigures> hazards;  ///< if they are looked for
  std::optional<std::uint64_t> works_only_by_timing;

  template <typename List>
  void list(List& list) const {
    list.group("instructions", "instructions issued, by kind", instructions);
    list.group("rows", "rows moved or multiplied", rows);
    list.figure("resets", resets, "1", "resets of the device");
    list.group("cycles", "where the clock cycles of the three units went", cycles);
    list.group("hazards", "events the hardware does not interlock; see the hazard report", hazards);
    list.figure(kWorksOnlyByTiming, works_only_by_timing, "1",
                "accesses in the right order that nothing orders; no part of the hazards");
  }
};

/// Of the AXI4-Lite port.
struct PortFigures {
  struct Region {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;

    template <typename List>
    void list(List& list) const {
      list.figure("reads", reads, "1", "read transactions");
      list.figure("writes", writes, "1", "write transactions");
    }
  };
  Region weight_buffer;
  Region unified_buffer;
  Region instructions;
  std::uint64_t back_pressure = 0;

  template <typename List>
  void list(List& list) const {
    static constexpr const char* kMeaning = "32-bit transactions of the port in this region";
    list.group("weight_buffer", kMeaning, weight_buffer);
    list.group("unified_buffer", kMeaning, unified_buffer);
    list.group("instructions", kMeaning, instructions);
    list.figure("back_pressure", back_pressure, "cycles", "cycles that instruction writes waited for a full FIFO");
  }
};

/// What the runtime counter measured: from the fetch of a program's first instruction to its synchronize.
struct RuntimeFigures {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;
  std::uint64_t last = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("sum", sum, "cycles", "of all programs that a synchronize ended");
    list.figure("count", count, "1", "programs that a synchronize ended");
    list.figure("last", last, "cycles", "what the register reads");
  }
};

/// Of the memory-mapped device.
struct DeviceFigures {
  std::string clock;
  std::uint64_t synchronize_pulses = 0;
  RuntimeFigures runtime;
  PortFigures port;
  CoreFigures core;

  template <typename List>
  void list(List& list) const {
    list.figure("clock", clock, "", "period of the clock");
    list.figure("synchronize_pulses", synchronize_pulses, "1", "pulses of the SYNCHRONIZE pin that were delivered");
    list.group("runtime", "runtime counter, from the fetch of a program's first instruction to its synchronize",
               runtime);
    list.group("port", "AXI4-Lite port", port);
    core.list(list);
  }
};

/// All of a tinyTPU on a bus.
struct Figures {
  DeviceFigures device;
  ArrivalFigures arrivals;

  template <typename List>
  void list(List& list) const {
    device.list(list);
    arrivals.list(list);
  }
};

}  // namespace vp::tinytpu
