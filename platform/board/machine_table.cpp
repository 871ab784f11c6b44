#include "platform/board/machine_table.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace vp {

namespace {

using Row = std::array<std::string, 5>;

void append(std::string& text, const std::string& more) { text += (text.empty() ? "" : ", ") + more; }

Row row_of(const DescribedPart& part, const Outline& machine) {
  const std::string& name = part.settings->name();
  Row row = {name, part.kind->name, "", "", ""};
  if (!part.settings->present) {
    row[4] = "left out";
    return row;
  }
  for (const Outline::Window& one : machine.windows)
    if (one.part == name) append(row[2], hexadecimal(one.window.base) + " to " + hexadecimal(one.window.last()));
  for (const Outline::Interrupt& one : machine.interrupts)
    if (one.part == name) append(row[3], interrupt_text(machine, one));
  for (const Outline::Initiator& one : machine.initiators)
    if (one.part == name) append(row[4], "master");
  if (!row[2].empty()) append(row[4], "target");
  for (const Outline::SerialWire& one : machine.serial_wires)
    if (one.part == name) append(row[4], "serial line to " + one.port);
  for (const Outline::StreamWire& one : machine.stream_wires)
    if (one.part == name) append(row[4], (one.into ? "stream to " : "stream from ") + one.other);
  return row;
}

}  // namespace

std::string interrupt_text(const Outline& machine, const Outline::Interrupt& line) {
  if (!line.wire.connected()) return "none";
  const Outline::Controller* const controller = machine.controller_of(line.wire);
  if (!controller) return "not connected";
  return controller->part + ":" + std::to_string(line.wire.number) +
         (line.trigger == Outline::Trigger::edge ? " rising edge" : "");
}

std::string bus_text(const BusConfig& bus) {
  std::ostringstream text;
  text << bus.width << " bit, " << 1e6 / static_cast<double>(bus.clock) << " MHz, "
       << (bus.topology == BusTopology::crossbar ? "crossbar" : "shared");
  return text.str();
}

void print_machine_table(const MachineSettings& machine, std::ostream& out) {
  const Outline outline = machine.outline();
  std::vector<Row> rows = {{"part", "kind", "window", "interrupt", "bus port"}};
  for (const DescribedPart& part : machine.parts()) rows.push_back(row_of(part, outline));
  std::array<std::size_t, 4> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  out << "bus: " << bus_text(machine.bus) << '\n';
  for (const Row& row : rows) {
    std::ostringstream line;
    for (std::size_t i = 0; i < widths.size(); ++i)
      line << std::left << std::setw(static_cast<int>(widths[i]) + 2) << row[i];
    line << row.back();
    std::string text = line.str();
    out << text.erase(text.find_last_not_of(' ') + 1) << '\n';
  }
}

}  // namespace vp
