#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/tensil/architecture.h"
#include "models/tensil/isa.h"
#include "models/tensil/vector_memory.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// The SIMD ALUs: registers of each lane, the sixteen operations, and the tables of Lookup.
class SimdUnit {
 public:
  explicit SimdUnit(const Architecture& architecture);

  /// Why the combination of operation, sources and flags stalls the hardware or loses data; empty if it is legal.
  std::string illegal(const Instruction& in) const;

  /// Executes a legal instruction. input: the vector read, or nullptr; output: array_size scalars, the result. NoOp has
  /// none.
  void execute(const Instruction& in, const std::int32_t* input, std::int32_t* output);

  /// Fills table `number` (0 to number_of_luts - 1 values, number_of_luts the key index) with its entry `entry`.
  void set_table(unsigned number, unsigned entry, std::int32_t scalar);

  /// Registers are zero; the tables stay.
  void reset();
  void persist(Archive& archive);
  /// Register 1 to simd_registers_depth.
  const std::int32_t* reg(unsigned number) const { return &registers_[std::size_t{number - 1} * lanes_]; }

 private:
  std::int32_t* own(unsigned number) { return &registers_[std::size_t{number - 1} * lanes_]; }
  void compute(SimdOperation operation, const std::int32_t* left, const std::int32_t* right,
               std::int32_t* output) const;
  void look_up(unsigned destination, const std::int32_t* argument, std::int32_t* output);
  unsigned closest(std::int32_t argument) const;

  FixedPoint format_;
  unsigned lanes_;
  unsigned depth_;  ///< registers
  unsigned tables_;
  unsigned table_depth_;
  std::vector<std::int32_t> registers_;
  std::vector<std::int32_t> table_entries_;  ///< tables_ value tables and the keys
};

}  // namespace vp::tensil
