#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/common/clock.h"
#include "models/tensil/activity.h"
#include "models/tensil/isa.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// A DataMove as a DRAM port sees it: `vectors` of `vector_bytes`, the first at byte `address`, `step_bytes` from one
/// to the next. Addresses are 32 bits and wrap.
struct Transfer {
  std::uint32_t address = 0;
  std::uint64_t vectors = 0;
  unsigned vector_bytes = 0;
  std::uint64_t step_bytes = 0;

  bool contiguous() const { return step_bytes == vector_bytes || vectors == 1; }
  std::uint64_t bytes() const { return vectors * vector_bytes; }
};

/// A DataMove between local memory and DRAM while it is under way: `count` vectors, dense in `bytes`. Addresses are 32
/// bits and wrap, and vectors beyond the memory's decoded bits wrap, too.
struct DramMove {
  Instruction instruction;
  std::uint32_t program_counter = 0;
  Picoseconds pushed = kNever;  ///< when its instruction came
  Activity activity = Activity::dram0_read;
  unsigned port = 0;
  bool reads = true;
  std::uint64_t count = 0;
  unsigned vector_bytes = 0;
  std::uint64_t first = 0;   ///< vector of DRAM
  std::uint64_t step = 1;    ///< vectors
  std::uint64_t mask = 0;    ///< of the vectors that the memory decodes
  std::uint32_t offset = 0;  ///< of the memory, bytes
  bool wraps = false;        ///< it leaves its memory: each vector is an access of its own
  std::uint64_t cycle = 0;   ///< in which it starts
  std::uint64_t begin = 0;   ///< the same in Timing's unit
  std::uint64_t asked = 0;   ///< when it would have started but for others, in Timing's unit
  std::vector<std::uint8_t> bytes;

  /// Byte address of its vector number `index`.
  std::uint32_t address(std::uint64_t index) const {
    return static_cast<std::uint32_t>(((first + index * step) & mask) * vector_bytes + offset);
  }
  bool contiguous() const { return count == 1 || (step == 1 && !wraps); }
  void persist(Archive& archive);
};

/// A DRAM port of the TCU: what answers its transfers, and for how long the instruction stream stands still meanwhile.
class DramPort {
 public:
  virtual ~DramPort() = default;
  /// Reads a transfer into `data` (dense). `cycle` is when it starts; returns the cycles that it takes.
  virtual std::uint64_t read(const Transfer& transfer, std::uint8_t* data, std::uint64_t cycle) = 0;
  virtual std::uint64_t write(const Transfer& transfer, const std::uint8_t* data, std::uint64_t cycle) = 0;
};

/// Bytes in a space of 4 GiB, zero at first; host memory only for what is written.
class SparseBytes {
 public:
  /// Both wrap at 4 GiB.
  void read(std::uint32_t address, std::uint8_t* data, std::uint64_t count) const;
  void write(std::uint32_t address, const std::uint8_t* data, std::uint64_t count);

 private:
  std::unordered_map<std::uint64_t, std::unique_ptr<std::uint8_t[]>> pages_;
};

/// How a port's AXI side takes time when every access is answered after a fixed number of cycles.
struct PortTiming {
  unsigned axi_bytes = 8;      ///< of a beat
  unsigned read_latency = 0;   ///< cycles beyond the first possible one
  unsigned write_latency = 0;  ///< of the write response, likewise

  std::uint64_t beats(const Transfer& transfer) const;
  std::uint64_t read_cycles(const Transfer& transfer) const;
  std::uint64_t write_cycles(const Transfer& transfer) const;
};

/// A port with memory of its own and fixed latencies; zero for memory without wait states.
class FixedLatencyDram final : public DramPort {
 public:
  explicit FixedLatencyDram(const PortTiming& timing) : timing_(timing) {}
  std::uint64_t read(const Transfer& transfer, std::uint8_t* data, std::uint64_t cycle) override;
  std::uint64_t write(const Transfer& transfer, const std::uint8_t* data, std::uint64_t cycle) override;
  SparseBytes& memory() { return memory_; }

 private:
  PortTiming timing_;
  SparseBytes memory_;
};

}  // namespace vp::tensil
