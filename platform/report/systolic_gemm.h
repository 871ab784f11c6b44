#pragma once

#include <cstdint>

namespace vp {

/// A matrix product: `vectors` × `inputs` times `inputs` × `outputs`.
struct GemmShape {
  std::uint64_t vectors;  ///< rows of the left matrix: positions of the output feature map
  std::uint64_t inputs;   ///< the inner dimension: elements of a convolution window
  std::uint64_t outputs;  ///< columns of the right matrix: filters
};

/// A systolic array of multiply-accumulate cells.
struct ArrayShape {
  std::uint64_t rows;
  std::uint64_t columns;
};

enum class Dataflow { kOutputStationary, kWeightStationary, kInputStationary };

/// How a product lies on an array: across its rows, across its columns, and along time.
struct SystolicMapping {
  std::uint64_t spatial_rows;
  std::uint64_t spatial_columns;
  std::uint64_t temporal;
};

// Closed forms of SCALE-Sim: A. Samajdar, J. M. Joseph, Y. Zhu, P. Whatmough, M. Mattina, T. Krishna, "A Systematic
// Methodology for Characterizing Scalability of DNN Accelerators using SCALE-Sim", ISPASS 2020, section on the
// analytical model of the runtime. They assume that operands always arrive in time.

/// The dimensions of the product that a dataflow lays across the array and along time.
SystolicMapping map_gemm(const GemmShape& shape, Dataflow dataflow);

/// Cycles on an array as large as the mapping: 2·S_R + S_C + T − 2.
std::uint64_t systolic_cycles_unlimited(const SystolicMapping& mapping);

/// Cycles on a given array, one fold after the other: (2·R + C + T − 2) · ⌈S_R/R⌉ · ⌈S_C/C⌉. Edge folds are charged as
/// full ones, as in the paper's model.
std::uint64_t systolic_cycles(const SystolicMapping& mapping, const ArrayShape& array);

/// Multiply-accumulates of the product over those the array could do in systolic_cycles, 0 to 1.
double systolic_utilisation(const GemmShape& shape, Dataflow dataflow, const ArrayShape& array);

}  // namespace vp
