#pragma once

#include "models/common/clock.h"
#include "models/common/parameters.h"
#include "models/drra/isa.h"

namespace vp::drra {

constexpr unsigned kRows = 2;  ///< of cells
constexpr unsigned kMostColumns = 64;
constexpr unsigned kMostDimarchRows = 8;
constexpr unsigned kTileRows = 128;  ///< of 16 words, in a DiMArch memory

/// Size and choices of a fabric.
struct DrraConfig {
  unsigned columns = 8;
  unsigned dimarch_rows = 2;
  unsigned io_rows = 1024;  ///< of the input buffer, and of the output buffer
  DecoderProfile profile = DecoderProfile::a;
  bool start_skew = true;      ///< cell (r,c) begins r + c cycles later
  bool acc_autoclear = false;  ///< accumulators start anew after `acc_clear` operands
  Picoseconds clock_period = 10'000;

  void declare(const ParameterGroup& group);
};

}  // namespace vp::drra
