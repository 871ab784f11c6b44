#pragma once

#include <string>
#include <vector>

#include "models/tensil/asm.h"
#include "models/tensil/core.h"

namespace vp::tensil {

/// FP16BP8, 4 × 4, small memories: what a test can write down.
inline Architecture small_architecture() {
  Architecture made;
  made.array_size = 4;
  made.dram0_depth = made.dram1_depth = 256;
  made.local_depth = 64;
  made.accumulator_depth = 32;
  return made;
}

/// A TCU with memory that never waits, programmed in assembly.
class SmallTcu {
 public:
  explicit SmallTcu(const Architecture& architecture = small_architecture(), OnError on_error = OnError::stop,
                    Encoding encoding = Encoding::v1, const PortTiming& timing = {8, 0, 0})
      : dram0(timing), dram1(timing), core(architecture, encoding, on_error, timing.axi_bytes, dram0, dram1) {}

  void run(const std::string& text) {
    const std::vector<std::uint8_t> bytes = assemble(core.layout(), text, "test");
    core.push(bytes.data(), bytes.size());
  }

  using Vector = std::vector<std::int32_t>;

  /// Fills vectors of DRAM, from `first` on.
  void fill(FixedLatencyDram& dram, std::uint32_t first, const std::vector<Vector>& vectors) {
    const Architecture& a = core.architecture();
    std::vector<std::uint8_t> bytes(a.vector_bytes());
    for (const Vector& vector : vectors) {
      write_scalars(a.format(), vector.data(), bytes.data(), a.array_size);
      dram.memory().write(first++ * a.vector_bytes(), bytes.data(), bytes.size());
    }
  }
  Vector in_dram(FixedLatencyDram& dram, std::uint32_t vector) {
    const Architecture& a = core.architecture();
    std::vector<std::uint8_t> bytes(a.vector_bytes());
    dram.memory().read(vector * a.vector_bytes(), bytes.data(), bytes.size());
    Vector scalars(a.array_size);
    read_scalars(a.format(), bytes.data(), scalars.data(), a.array_size);
    return scalars;
  }
  Vector local(unsigned row) const { return vector_at(core.local().row(row)); }
  Vector accumulator(unsigned row) const { return vector_at(core.accumulators().row(row)); }
  std::uint64_t cycles() const { return core.timing().cycles(); }
  std::uint64_t count(FindingKind kind) const { return core.findings().count(kind); }

  FixedLatencyDram dram0;
  FixedLatencyDram dram1;
  Core core;

 private:
  Vector vector_at(const std::int32_t* row) const { return {row, row + core.architecture().array_size}; }
};

}  // namespace vp::tensil
