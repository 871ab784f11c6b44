#include "models/matmul/config.h"

#include <string>

#include "models/common/error.h"

namespace vp::matmul {
namespace {

/// Below this the receiver samples a bit after the line has turned to the next.
constexpr unsigned kFewestSymbolClocks = 3;

void check_power_of_two(const char* name, unsigned value) {
  if ((value & (value - 1)) != 0) {
    throw UserError("matmul." + std::string(name) + " is " + std::to_string(value) + ", allowed are powers of two.");
  }
}

}  // namespace

void MatmulConfig::declare(ParameterGroup group) {
  group.integer("mesh", mesh, 1, 16, "tiles", "tiles per side of the systolic array");
  group.integer("tile", tile, 1, 16, "elements",
                "processing elements per side of a tile; as in the original only powers of two compute products");
  group.clock("clock", clock_period, "clock of the device, period or frequency");
  group.integer("baud", baud, 300, 50'000'000, "symbols/s",
                "line rate; a symbol takes clock frequency / rate clocks, rounded down");
  group.integer("instruction_words", instruction_words, 1, 1u << 16, "words",
                "instruction memory of each thread, a power of two");
  group.integer("memory_words", memory_words, 256, 1u << 16, "words", "block memory, 32-bit words, a power of two");
  group.integer("tx_fifo_bytes", tx_fifo_bytes, 1, 1u << 16, "bytes", "depth of the transmit FIFO");
  const ParameterGroup defects = group.group("errata");
  defects.boolean("late_load_hang", errata.late_load_hang,
                  "a LOAD granted while the other thread computes takes 2^32 clocks, as in the original");
  defects.boolean("fifo_byte_loss", errata.fifo_byte_loss,
                  "a byte on its way into a full transmit FIFO is lost, as in the original");
  defects.boolean("cts_byte_loss", errata.cts_byte_loss,
                  "bytes to be sent while CTS is low are lost, as in the original");
}

CoreConfig MatmulConfig::core_config() const {
  check_power_of_two("instruction_words", instruction_words);
  check_power_of_two("memory_words", memory_words);
  CoreConfig core;
  core.mesh = mesh;
  core.tile = tile;
  core.imem_words = instruction_words;
  core.bmem_words = memory_words;
  core.tx_fifo_bytes = tx_fifo_bytes;
  core.errata = errata;
  if (core.block_words() > memory_words) {
    throw UserError("matmul.memory_words is " + std::to_string(memory_words) +
                    ", but a matrix of matmul.mesh × matmul.tile rows has " + std::to_string(core.block_words()) +
                    " words.");
  }
  constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
  const std::uint64_t symbol = kPicosecondsPerSecond / (clock_period * baud);
  if (symbol < kFewestSymbolClocks) {
    throw UserError("matmul.baud is " + std::to_string(baud) +
                    ", allowed is at most a third of the frequency of matmul.clock.");
  }
  core.symbol_clocks = static_cast<unsigned>(symbol);
  return core;
}

void MatmulConfig::add_cost(HardwareCost& cost) const {
  const std::uint64_t side = std::uint64_t{mesh} * tile;
  cost.mac_cells += side * side;
  cost.buffer_bits += std::uint64_t{memory_words} * 32;
}

}  // namespace vp::matmul
