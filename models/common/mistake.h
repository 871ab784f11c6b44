#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/common/finding.h"
#include "models/common/origin.h"

namespace vp {

class Archive;

/// A mistake of the program in driving a device: how often, and the first one.
struct Mistake {
  std::uint64_t number = 0;
  Picoseconds time = 0;
  Origin origin;
  void add(Picoseconds now, const Origin& by) {
    if (number++ == 0) time = now, origin = by;
  }
  void persist(Archive& archive);
};

/// Adds a mistake that was made to `all`: `before`, how many `thing`s and by whom, `after`.
void tell(std::vector<Finding>& all, const Mistake& mistake, const char* thing, const std::string& before,
          const char* after, const OriginText& origin);

}  // namespace vp
