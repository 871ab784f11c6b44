#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/common/access.h"

namespace vp {

class Archive;

/// Who is behind an access, and behind what a device did because of it: a master, and of a CPU the load or store. What
/// a DMA engine does has the engine's name and the pc of the store that started it.
struct Origin {
  static constexpr unsigned kNobody = ~0u;
  unsigned initiator = kNobody;  ///< its number on the bus
  std::uint64_t pc = kNoPc;

  bool known() const { return initiator != kNobody; }
  void persist(Archive& archive);
};

inline Origin origin_of(const Access& access) { return {access.initiator, access.pc}; }

/// Names a known origin for a person: "cpu at pc 0x80000012 (main+0x12)". Devices know neither the masters' names nor
/// the program's symbols, so it is handed to them. An empty one names nobody.
using OriginText = std::function<std::string(const Origin&)>;

/// The name between `before` and `after`; empty where nobody can be named.
std::string words(const char* before, const Origin& origin, const OriginText& text, const char* after = "");

}  // namespace vp
