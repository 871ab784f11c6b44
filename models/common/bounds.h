#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"

namespace vp {

/// What held an array up.
struct HeldUpBy {
  std::string cause;  ///< "multiply"
  std::uint64_t cycles = 0;
  bool by_host = false;  ///< whoever feeds it, and nothing of its own
};

/// An array of multiply-accumulate cells with what it did and what it could do at most.
struct ComputeUse {
  std::string name;                  ///< of the part: "tpu"
  double peak_macs_per_second = 0;   ///< from its size and clock
  std::uint64_t mapped_macs = 0;     ///< multiply-accumulates done, padding included
  std::uint64_t minimum_cycles = 0;  ///< closed-form least of what it executed; 0: none known
  std::uint64_t cycles = 0;          ///< in which a program was under way, of its own clock
  Picoseconds clock = 1;             ///< its period
  std::vector<HeldUpBy> held_up_by;  ///< each of these cycles once, by what held it up; empty: not known
  /// Multiply-accumulates that the workload asks for. Nothing where only the instructions are known, which do not tell
  /// padding from data.
  std::optional<std::uint64_t> useful_macs;
};

/// A CPU with where its time went: total = executing + bus + memory + asleep.
struct HostUse {
  std::string name;  ///< of the part: "cpu"
  Picoseconds total = 0;
  Picoseconds executing = 0;
  Picoseconds bus = 0;     ///< waiting for single accesses: devices, uncached memory
  Picoseconds memory = 0;  ///< waiting for lines of its caches, or for memory where there are none
  Picoseconds asleep = 0;
  std::uint64_t instructions = 0;
};

/// A memory with what it could move at most.
struct MemoryUse {
  std::string name;                  ///< of the part, as the bus calls it: "dram0"
  double peak_bytes_per_second = 0;  ///< width × clock; over the modes of the run the mean over time
};

/// A bus with what it could move at most and what it carried.
struct BusUse {
  struct Carried {
    std::string initiator;
    std::string target;
    std::uint64_t bytes = 0;  ///< both ways, host pointers included
  };
  std::string name;                     ///< "bus"
  double peak_bytes_per_second = 0;     ///< width × clock: of one port of a crossbar, of the whole if it is shared
  bool port_each = false;               ///< a crossbar: each initiator can move that much
  std::vector<std::string> initiators;  ///< all that are connected
  std::vector<Carried> carried;
};

/// A part that moves data by itself, such as a DMA engine.
struct MoverUse {
  std::string name;                  ///< of the part: "cdma0"
  double peak_bytes_per_second = 0;  ///< width × clock of its port
  std::uint64_t bytes = 0;           ///< moved: each byte once, though it is read and written
  Picoseconds busy = 0;              ///< time in which a transfer was under way

  /// Of that, at least so much its port has moved data: at its peak. The rest it has waited for bus and memory.
  Picoseconds moving() const {
    const double time = peak_bytes_per_second > 0 ? 1e12 * static_cast<double>(bytes) / peak_bytes_per_second : 0;
    return time < static_cast<double>(busy) ? static_cast<Picoseconds>(time) : busy;
  }
};

/// A device that runs programs of its own, whose work is not counted in multiply-accumulates.
struct EngineUse {
  std::string name;         ///< of the part: "drra"
  Picoseconds running = 0;  ///< time in which a program was under way
  /// Of that, each bit once by what it was used for.
  struct Use {
    std::string cause;  ///< "compute"
    std::string words;  ///< "computing"
    Picoseconds time = 0;
  };
  std::vector<Use> uses;  ///< empty: not known
};

/// What a machine is made of, as far as it drives what it costs: sums over its parts, from their settings alone.
struct HardwareCost {
  std::uint64_t mac_cells = 0;    ///< multiply-accumulate cells of the accelerators, of whatever width
  std::uint64_t buffer_bits = 0;  ///< of the memories for data in them
  std::uint64_t dram_channels = 0;
  std::uint64_t dram_data_pins = 0;
  std::uint64_t bus_width = 0;  ///< bits of data of a bus
};

/// What the parts of a machine contribute to the question what bounds a run. Each part adds its own values; the
/// platform holds them against each other.
struct Bounds {
  // Known before the parts are asked.
  Picoseconds functional_time = 0;  ///< simulated time in functional mode
  Picoseconds timed_time = 0;       ///< simulated time in timed mode

  // Added by the parts.
  std::vector<HostUse> hosts;
  std::vector<ComputeUse> computes;
  std::vector<MemoryUse> memories;
  std::vector<BusUse> buses;
  std::vector<MoverUse> movers;
  std::vector<EngineUse> engines;
  HardwareCost cost;
  std::vector<std::string> background;  ///< initiators whose traffic is no work of the program

  /// Simulated time of the run.
  Picoseconds time() const { return functional_time + timed_time; }
};

}  // namespace vp
