#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "models/drra/asm.h"
#include "models/drra/core.h"

namespace vp::drra {

/// Notes all writes of a run.
class WriteLog : public CoreObserver {
 public:
  struct RegisterWrite {
    Cycle cycle;
    unsigned cell, address;
    int value;
    bool operator==(const RegisterWrite& other) const {
      return std::tie(cycle, cell, address, value) == std::tie(other.cycle, other.cell, other.address, other.value);
    }
  };
  struct TileWrite {
    Cycle cycle;
    unsigned row, column, address;
    Row value;
    bool operator==(const TileWrite& other) const {
      return std::tie(cycle, row, column, address, value) ==
             std::tie(other.cycle, other.row, other.column, other.address, other.value);
    }
  };

  void on_register_write(Cycle cycle, unsigned cell, unsigned address, std::int16_t value) override {
    registers.push_back({cycle, cell, address, value});
  }
  void on_tile_write(Cycle cycle, unsigned row, unsigned column, unsigned address, const Row& value) override {
    tiles.push_back({cycle, row, column, address, value});
  }

  std::vector<RegisterWrite> registers;
  std::vector<TileWrite> tiles;
};

/// Assembles a program, runs it to its end and keeps fabric and writes.
struct ProgramRun {
  explicit ProgramRun(const std::string& text, const DrraConfig& config = {}) : core(config) {
    load(assemble(text, "test"), core);
    core.set_observer(&log);
    core.start();
    core.run_to(100'000);
  }
  int reg(unsigned address, unsigned row = 0, unsigned column = 0) const {
    return core.cell(row, column).registers[address];
  }
  int raccu(unsigned number) const { return core.cell(0, 0).sequencer.raccu()[number]; }
  Cycle halted(unsigned row = 0, unsigned column = 0) const { return core.cell(row, column).halted; }
  std::uint64_t found(FindingKind kind) const { return core.findings().count_of(kind); }
  /// The cycles in which cell 0,0 wrote registers.
  std::vector<Cycle> write_cycles() const {
    std::vector<Cycle> cycles;
    for (const auto& write : log.registers) cycles.push_back(write.cycle);
    return cycles;
  }
  /// The addresses that were written, in their order.
  std::vector<unsigned> addresses() const {
    std::vector<unsigned> list;
    for (const auto& write : log.registers) list.push_back(write.address);
    return list;
  }

  Core core;
  WriteLog log;
};

}  // namespace vp::drra
