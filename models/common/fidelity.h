#pragma once

#include <cstdint>

namespace vp {

/// How much of time the machine models. Results of a program are the same in both.
enum class Fidelity : std::uint8_t {
  functional,  ///< fixed latencies, no caches, nobody waits for another: as fast as the host can
  timed,       ///< caches, occupancy of the links, state of the DRAM
};

inline const char* name_of(Fidelity fidelity) { return fidelity == Fidelity::timed ? "timed" : "functional"; }

}  // namespace vp
