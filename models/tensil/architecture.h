#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/tensil/fixed_point.h"

namespace vp::tensil {

enum class DataType { fp8bp4, fp16bp8, fp18bp10, fp32bp16 };

/// The sizes of a TCU, as its `.tarch` file names them. Depths and addresses count vectors of array_size scalars. The
/// defaults are the preset pynqz1.
struct Architecture {
  DataType data_type = DataType::fp16bp8;
  unsigned array_size = 8;
  unsigned dram0_depth = 1'048'576;
  unsigned dram1_depth = 1'048'576;
  unsigned local_depth = 8192;
  unsigned accumulator_depth = 2048;
  unsigned simd_registers_depth = 1;
  unsigned stride0_depth = 8;  ///< number of strides of operand 0 that can be encoded, powers of two from 1
  unsigned stride1_depth = 8;
  unsigned number_of_threads = 1;
  unsigned thread_queue_depth = 8;
  unsigned number_of_luts = 0;  ///< no key of Tensil's: gives LoadLUT and Lookup a meaning
  unsigned lut_depth = 0;

  const FixedPoint& format() const { return kFixedPoints[static_cast<unsigned>(data_type)]; }
  unsigned vector_bytes() const { return array_size * format().bytes; }

  /// Throws UserError for sizes that cannot be; `source` begins the sentence.
  void check(const std::string& source) const;
  void declare(const ParameterGroup& group);
};

/// The first member that differs, as "array_size is 8 here and 32 there"; empty if the two are equal.
std::string difference(const Architecture& here, const Architecture& there);

/// The text of a `.tarch` file (JSON). Throws UserError, beginning with `source`: no JSON, a missing or unknown key, a
/// value out of range.
Architecture parse_architecture(const std::string& text, const std::string& source);

/// An architecture that Tensil ships.
struct Preset {
  const char* name;
  Architecture architecture;
  unsigned axi_width = 64;  ///< bits of a beat, as published
};
const std::vector<Preset>& presets();

}  // namespace vp::tensil
