#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "models/common/register_bank.h"

namespace vp {

/// The registers of a part as it stands after power-up, and what else a reader of them has to know.
struct PartRegisters {
  std::string part;                   ///< "tpu", or the kind's name
  std::string kind;                   ///< "tinytpu"
  std::optional<std::uint64_t> base;  ///< of its window; none: it has no place in a machine
  const RegisterBank& bank;
};

/// A table for a person: a register a line with offset, size, access, value after reset and meaning; below it its
/// fields.
void write_register_table(const PartRegisters& registers, std::ostream& out);

/// An object for programs: {"part", "kind", "base", "registers": [{"name", "offset", "bytes", "access", "reset",
/// "help", "fields": …}], "memories": […]}.
void write_register_json(const PartRegisters& registers, std::ostream& out);

/// A header for C and assembly: <PART>_<REGISTER>_OFFSET, _BYTES, _RESET; of an array also _STRIDE, _COUNT, _FIRST; of
/// a field <PART>_<REGISTER>_<FIELD>_SHIFT, _MASK and the names of its values; of a memory _OFFSET and _SIZE. Names are
/// as in the manual, in capitals.
void write_register_header(const PartRegisters& registers, std::ostream& out);

}  // namespace vp
