#include "models/drra/core_report.h"

#include <algorithm>

#include "models/common/figures.h"
#include "models/drra/figures.h"

namespace vp::drra {
namespace {

CellFigures figures_of(const Cell& cell) {
  const auto& ports = cell.registers.addresses();
  CellFigures figures{cell.counters.instructions,
                      cell.counters.wait_cycles,
                      cell.counters.dpu_busy,
                      ports[w0],
                      ports[w1],
                      ports[r0],
                      ports[r1],
                      ports[block_write],
                      ports[block_read],
                      {}};
  if (cell.halted != kNever) figures.halt = cell.halted;
  return figures;
}

bool was_used(const Cell& cell) {
  const auto& addresses = cell.registers.addresses();
  return cell.counters.instructions != 0 ||
         std::any_of(addresses.begin(), addresses.end(), [](std::uint64_t count) { return count != 0; });
}

}  // namespace

void report(const Core& core, Statistics& group) {
  group.add("last_activity", core.last_activity(), "cycles",
            "cycle of the last instruction, or write of a register or memory");
  for (unsigned i = 0; i < core.cells(); ++i) {
    const Cell& cell = core.cell(i);
    if (!was_used(cell)) continue;
    write_figures(figures_of(cell),
                  group.group(kCellGroup + std::to_string(cell.row) + "_" + std::to_string(cell.column), "one cell"));
  }
  Statistics& dimarch = group.group("dimarch", "distributed memory and IO buffers");
  dimarch.add("rows_read", core.dimarch().rows_read(), "rows", "rows of 16 words sent to cells");
  dimarch.add("rows_written", core.dimarch().rows_written(), "rows", "rows of 16 words taken from cells");
  Statistics& findings = group.group("findings", "what the hardware leaves undefined, or zeros where data were meant");
  for (unsigned i = 0; i < kFindingKinds; ++i) {
    const auto kind = static_cast<FindingKind>(i);
    findings.add(name_of(kind), core.findings().count_of(kind), "1", meaning_of(kind));
  }
}

HeldUpBy held_up_by(const WorkCycles& work, Cycle cycles) {
  return {work.compute, work.data, work.instructions, cycles - std::min<Cycle>(cycles, work.total())};
}

EngineUse use_of(const std::string& name, const HeldUpBy& by, Picoseconds clock) {
  return {name,
          (by.compute + by.data + by.instructions + by.wait) * clock,
          {{"compute", "computing", by.compute * clock},
           {"data", "moving data", by.data * clock},
           {"instructions", "decoding instructions", by.instructions * clock},
           {"wait", "waiting in its program", by.wait * clock}}};
}

void add_cost(const DrraConfig& config, HardwareCost& cost) {
  constexpr std::uint64_t kWordBits = 16, kRowBits = kWordBits * kBlockWords;
  const std::uint64_t cells = std::uint64_t{kRows} * config.columns;
  const std::uint64_t tile_rows = std::uint64_t{config.columns} * config.dimarch_rows * kTileRows;
  cost.mac_cells += cells;
  cost.buffer_bits += cells * kRegisterWords * kWordBits + (tile_rows + 2 * std::uint64_t{config.io_rows}) * kRowBits;
}

std::string standing(const Cell& cell) {
  const Sequencer& sequencer = cell.sequencer;
  std::string text = "cell " + std::to_string(cell.row) + "," + std::to_string(cell.column) + ": ";
  if (sequencer.state() == SequencerState::running) {
    text += "pc " + std::to_string(sequencer.pc()) + " (" + to_text(sequencer.current()) + ") in cycle " +
            std::to_string(sequencer.next());
  } else {
    text += sequencer.state() == SequencerState::halted ? "halted" : "at its end";
  }
  std::string streams;
  for (unsigned port = 0; port < kPorts; ++port)
    if (cell.registers.active(static_cast<Port>(port)))
      streams += (streams.empty() ? "" : ", ") + std::string(name_of(static_cast<Port>(port))) + " of the REFI at pc " +
                 std::to_string(cell.registers.pc(static_cast<Port>(port)));
  if (!streams.empty()) text += "; streams: " + streams;
  return text;
}

}  // namespace vp::drra
