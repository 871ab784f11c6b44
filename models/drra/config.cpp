#include "models/drra/config.h"

namespace vp::drra {

void DrraConfig::declare(const ParameterGroup& group) {
  group.integer("columns", columns, 1, kMostColumns, "columns", "columns of the fabric; it has two rows of cells");
  group.integer("dimarch_rows", dimarch_rows, 1, kMostDimarchRows, "rows", "rows of DiMArch memories above the cells");
  group.integer("io_rows", io_rows, 1, 1u << 25, "rows",
                "rows of 16 words of the input buffer, and of the output buffer");
  group.choice("profile", profile, {{"a", DecoderProfile::a}, {"b", DecoderProfile::b}, {"c", DecoderProfile::c}},
               "what the opcodes 13 and 14 mean: a: SRAM and PERM, b: IO and PERM, c: SRAM and IO");
  group.boolean("start_skew", start_skew, "cell (row, column) starts row + column cycles later, as the hardware does");
  group.boolean("acc_autoclear", acc_autoclear,
                "accumulators start anew after as many operands as the DPU instruction's acc_clear says");
  group.clock("clock", clock_period, "clock of the fabric");
}

}  // namespace vp::drra
