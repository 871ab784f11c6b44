#include "models/drra/program.h"

#include "models/common/error.h"
#include "models/drra/core.h"

namespace vp::drra {
namespace {

std::string text(const Place& place) { return std::to_string(place.first) + "," + std::to_string(place.second); }

}  // namespace

void load(const Program& program, Core& core) {
  const DrraConfig& config = core.config();
  for (const auto& [place, cell] : program.cells) {
    if (place.first >= kRows || place.second >= config.columns)
      throw UserError("there is no cell " + text(place) + ": the fabric has " + std::to_string(kRows) + " rows and " +
                      std::to_string(config.columns) + " columns (drra.columns)");
    core.load(place.first, place.second, cell.words);
    for (const auto& [address, value] : cell.registers) core.write_register(place.first, place.second, address, value);
  }
  for (const auto& [place, rows] : program.tiles) {
    if (!core.dimarch().has_tile(static_cast<int>(place.first), static_cast<int>(place.second)))
      throw UserError("there is no SRAM " + text(place) + ": the fabric has rows 1 to " +
                      std::to_string(config.dimarch_rows) + " (drra.dimarch_rows) and " +
                      std::to_string(config.columns) + " columns (drra.columns)");
    for (const auto& [address, row] : rows) core.dimarch().tile(place.first, place.second, address) = row;
  }
  for (const auto& [address, row] : program.input) {
    if (address >= config.io_rows)
      throw UserError("the IO buffer has no row " + std::to_string(address) + ": it has " +
                      std::to_string(config.io_rows) + " rows (drra.io_rows)");
    core.dimarch().input(address) = row;
  }
}

}  // namespace vp::drra
