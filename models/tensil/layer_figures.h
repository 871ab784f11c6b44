#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace vp::tensil {

/// Group of a TCU that has a group for each layer.
inline constexpr const char* kLayersGroup = "layers";

/// Where the cycles of a layer went, by the parts of Bound.
struct CyclesAtFigures {
  static constexpr std::array<const char*, 6> kNames = {
      "array", "dram0", "dram1", "accumulator_moves", "simd", "instruction_stream"};
  std::array<double, kNames.size()> cycles{};

  template <typename List>
  void list(List& list) const {
    for (std::size_t i = 0; i < kNames.size(); ++i)
      list.figure(kNames[i], cycles[i], "cycles", "of the instruction stream");
  }
};

/// One layer of a network, of all frames.
struct LayerFigures {
  std::uint64_t program_counter = 0;
  std::uint64_t instructions = 0;
  double cycles = 0;
  std::uint64_t useful_multiply_accumulates = 0;
  std::uint64_t dram0_bytes_read = 0, dram0_bytes_written = 0;
  std::uint64_t dram1_bytes_read = 0, dram1_bytes_written = 0;
  CyclesAtFigures cycles_at;
  std::string bound;

  template <typename List>
  void list(List& list) const {
    static constexpr const char* kRead = "into local memory";
    static constexpr const char* kWritten = "from local memory";
    list.figure("program_counter", program_counter, "1", "of its first instruction");
    list.figure("instructions", instructions, "1", "executed");
    list.figure("cycles", cycles, "cycles", "of the instruction stream");
    list.figure("useful_multiply_accumulates", useful_multiply_accumulates, "1", "as of the whole run");
    list.figure("dram0_bytes_read", dram0_bytes_read, "bytes", kRead);
    list.figure("dram0_bytes_written", dram0_bytes_written, "bytes", kWritten);
    list.figure("dram1_bytes_read", dram1_bytes_read, "bytes", kRead);
    list.figure("dram1_bytes_written", dram1_bytes_written, "bytes", kWritten);
    list.group("cycles_at", "where its cycles went, waiting for the part included", cycles_at);
    list.figure("bound", bound, "", "the part with the most of its cycles");
  }
};

}  // namespace vp::tensil
