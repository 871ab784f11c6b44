#pragma once

#include <string>
#include <vector>

#include "models/tensil/architecture.h"
#include "tests/support/dice.h"

namespace vp::tensil {

/// Rows of the memories that a thread of a drawn program has for itself.
struct Share {
  unsigned local, locals, accumulator, accumulators, dram, drams;  ///< first of each, and how many
  bool computes = true;                                            ///< has the array and the SIMD ALUs
};

/// Everything to one thread.
inline Share whole_of(const Architecture& a) { return {0, a.local_depth, 0, a.accumulator_depth, 0, a.dram0_depth}; }

/// An instruction that is legal in the architecture, in the rows of a share. DRAM1 is as deep as DRAM0.
inline std::string legal_line(Dice& dice, const Share& share) {
  const unsigned count = dice.from_to(1, 6);
  const auto row = [&](unsigned first, unsigned rows) { return std::to_string(first + dice.from_to(0, rows - count)); };
  const auto local = [&] { return row(share.local, share.locals); };
  const auto accumulator = [&] { return row(share.accumulator, share.accumulators); };
  const std::string size = std::to_string(count);
  switch (share.computes ? dice.from_to(0, 5) : dice.from_to(2, 3)) {
    case 0:
      return "load_weight" + std::string(dice.one_in(3) ? ".zeroes " : " ") + local() + ", " + size;
    case 1:
      return "mat_mul" + std::string(dice.one_in(2) ? ".accumulate " : " ") + local() + ", " + accumulator() + ", " +
             size;
    case 2:
      return "data_move." +
             dice.one_of({"local_to_accumulator ", "local_to_accumulator.accumulate ", "accumulator_to_local "}) +
             local() + ", " + accumulator() + ", " + size;
    case 3:
      return "data_move." + dice.one_of({"dram0_to_local ", "local_to_dram0 ", "dram1_to_local ", "local_to_dram1 "}) +
             local() + ", " + row(share.dram, share.drams) + ", " + size;
    case 4:
      return "simd.read.write " + dice.one_of({"add", "multiply", "min", "greater_than"}) + " " + accumulator() + ", " +
             accumulator() + ", input, r1, " + (dice.one_in(2) ? "r1" : "output");
    default:
      return "no_op";
  }
}

}  // namespace vp::tensil
