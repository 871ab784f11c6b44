#pragma once

#include <cstddef>
#include <cstdint>

namespace vp::workload {

/// An ELF file that is part of this program.
struct EmbeddedProgram {
  const std::uint8_t* bytes;
  std::size_t size;
};

/// The mover for a CPU of 32 or 64 bits: firmware/workload, compiled and stripped. The binaries stand beside this file,
/// so that a build without a cross compiler has them, too.
extern const EmbeddedProgram kMover32;
extern const EmbeddedProgram kMover64;

}  // namespace vp::workload
