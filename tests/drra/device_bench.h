#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/drra/asm.h"
#include "models/drra/device.h"
#include "tests/support/port_bench.h"

namespace vp::drra {

// Registers and bits as the README gives them.
enum DeviceOffset : unsigned {
  kId = 0x00,
  kSize = 0x08,
  kControl = 0x14,
  kStatus = 0x18,
  kCycles = 0x1C,
  kFindings = 0x24,
  kDmaAddress = 0x40,
  kDmaAddressMsb = 0x44,
  kDmaRow = 0x48,
  kDmaRows = 0x4C,
  kDmaControl = 0x50,
  kLength = 0x400,
  kCellState = 0x800,
  kCode = 0x1'0000,
  kFiles = 0x2'0000,
  kMemories = 0x40'0000,
  kInput = 0x80'0000,
  kOutput = 0xC0'0000
};
enum DeviceBit : unsigned {
  kStart = 1,
  kReset = 2,
  kDoneIrq = 16,
  kDmaIrq = 32,
  kRunning = 1,
  kDmaBusy = 2,
  kDone = 16,
  kDmaDone = 32,
  kDmaError = 64,
  kToMemory = 2,
  kIo = 4
};

/// A fabric's device with a memory, without SystemC: time goes from event to event.
class DeviceBench : public PortBench<Device, DeviceConfig> {
 public:
  explicit DeviceBench(const DeviceConfig& config = {}, std::size_t memory_bytes = 1 << 16)
      : PortBench(config, memory_bytes,
                  {config.fabric.clock_period, config.dma_width / 8, 60'000, config.dma_outstanding}),
        columns(config.fabric.columns) {
    lines.bind([this](bool level) { edges.emplace_back(now(), level); });
  }

  /// Instructions, registers and memories of a program, through the window.
  void load(const std::string& text) {
    const Program program = assemble(text, "test");
    for (const auto& [place, cell] : program.cells) {
      const unsigned number = place.first * columns + place.second;
      for (std::size_t i = 0; i < cell.words.size(); ++i) write(kCode + number * 256 + 4 * i, cell.words[i]);
      write(kLength + number * 4, static_cast<std::uint32_t>(cell.words.size()));
      for (const auto& [address, value] : cell.registers) write_half(kFiles + number * 128 + 2 * address, value);
    }
    for (const auto& [place, rows] : program.tiles)
      for (const auto& [address, row] : rows)
        for (unsigned i = 0; i < kBlockWords; ++i)
          write_half(kMemories + ((place.first - 1) * columns + place.second) * 4096 + address * 32 + 2 * i, row[i]);
  }
  void write_half(std::uint64_t offset, std::int16_t value) {
    registers.now = now();
    registers.write(offset, static_cast<std::uint16_t>(value), 2);
  }
  std::int16_t read_half(std::uint64_t offset) {
    registers.now = now();
    return static_cast<std::int16_t>(registers.read(offset, 2));
  }
  void carry(unsigned control, std::uint64_t address, unsigned row, unsigned rows) {
    write(kDmaAddress, static_cast<std::uint32_t>(address));
    write(kDmaAddressMsb, static_cast<std::uint32_t>(address >> 32));
    write(kDmaRow, row);
    write(kDmaRows, rows);
    write(kDmaControl, control | kStart);
  }

  Device& device = core;
  const unsigned columns;
  std::vector<std::pair<Picoseconds, bool>> edges;
};

}  // namespace vp::drra
