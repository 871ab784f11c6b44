#include "platform/board/machine_text.h"

#include <ostream>

namespace vp {

namespace {

/// The parameters of `usual` that have another value in the machine, in sections of their own below the one that has
/// begun.
void write_changes(const ParameterTable& table, const ParameterTable& usual, std::string section, std::ostream& out) {
  for (const Parameter& parameter : usual.all()) {
    const std::string value = table.find(parameter.name)->get();
    if (value == parameter.get()) continue;
    const std::size_t dot = parameter.name.rfind('.');
    if (const std::string own = parameter.name.substr(0, dot); own != section) out << "\n[" << (section = own) << "]\n";
    out << parameter.name.substr(dot + 1) << " = " << ini_value(value) << '\n';
  }
}

void write_part(const MachineSettings& machine, const DescribedPart& part, std::ostream& out) {
  const std::string& name = part.settings->name();
  out << "\n[" << name << "]\nkind = " << part.kind->name << '\n';
  if (!part.settings->present) out << "present = false\n";
  const std::unique_ptr<PartSettings> fresh = part.kind->make(name);
  ParameterTable usual;
  fresh->declare(ParameterGroup(usual).group(name));
  write_changes(machine.table, usual, name, out);
}

void write_bus(const MachineSettings& machine, std::ostream& out) {
  BusConfig fresh;
  ParameterTable usual;
  fresh.declare(ParameterGroup(usual).group("bus"));
  out << "\n[bus]\n";
  for (const char* always : {"width", "clock"})
    out << always << " = " << machine.table.find(std::string("bus.") + always)->get() << '\n';
  fresh.width = machine.bus.width;
  fresh.clock = machine.bus.clock;
  write_changes(machine.table, usual, "bus", out);
}

}  // namespace

void write_machine(const MachineSettings& machine, std::ostream& out) {
  out << "# A machine for 'tinytpu-vp run --machine FILE'; what is not given is as usual for the part's kind.\n";
  if (machine.fidelity != Fidelity::timed) out << "fidelity = " << name_of(machine.fidelity) << '\n';
  for (std::size_t i = 0; i <= machine.parts().size(); ++i) {
    if (i == machine.bus_position()) write_bus(machine, out);
    if (i < machine.parts().size()) write_part(machine, machine.parts()[i], out);
  }
}

}  // namespace vp
