#pragma once

#include <sstream>
#include <string>

#include "models/drra/core.h"

namespace vp::drra {

/// Everything of a fabric that can be seen, as text: two fabrics are in the same state if it is equal.
inline std::string state_of(const Core& core) {
  std::ostringstream text;
  text << "cycle " << core.cycle() << " last activity " << core.last_activity() << " done " << core.done() << '\n';
  for (unsigned i = 0; i < core.cells(); ++i) {
    const Cell& cell = core.cell(i);
    text << "cell " << i << " pc " << cell.sequencer.pc() << " next " << cell.sequencer.next() << " state "
         << static_cast<int>(cell.sequencer.state()) << " halted " << cell.halted << " counters "
         << cell.counters.instructions << ' ' << cell.counters.wait_cycles << ' ' << cell.counters.dpu_busy;
    for (unsigned port = 0; port < kPorts; ++port) text << ' ' << cell.registers.addresses()[port];
    text << " outputs";
    for (unsigned output = 0; output < kOutputs; ++output) text << ' ' << core.output(i, output);
    text << " raccu";
    for (unsigned number = 0; number < kRaccuRegisters; ++number) text << ' ' << int{cell.sequencer.raccu()[number]};
    text << " condition " << cell.dpu.condition() << " registers";
    for (unsigned address = 0; address < kRegisterWords; ++address) text << ' ' << cell.registers[address];
    text << '\n';
  }
  for (unsigned row = 1; row <= core.config().dimarch_rows; ++row)
    for (unsigned column = 0; column < core.config().columns; ++column)
      for (unsigned address = 0; address < kTileRows; ++address)
        for (const std::int16_t word : core.dimarch().tile(row, column, address)) text << word << ' ';
  for (const Finding& finding : core.findings().kept()) text << '\n' << describe(finding);
  text << "\nfindings " << core.findings().total() << " rows " << core.dimarch().rows_read() << ' '
       << core.dimarch().rows_written();
  return text.str();
}

}  // namespace vp::drra
