#pragma once

#include <cstdint>

namespace vp {

/// What a program can know of what its interrupt handler has learnt. An interrupt comes at any moment, so that the
/// program it interrupts is no wiser for it; the handler has to hand on what it knows. Offered by a hart.
class HandlerKnowledge {
 public:
  virtual ~HandlerKnowledge() = default;
  /// The code that runs learns something now, from within its access. 0: it is the program itself. Else a number for
  /// told(); they grow.
  virtual std::uint64_t learn() = 0;
  /// An interrupt handler runs now; it knows what handlers before it have learnt.
  virtual bool in_handler() const = 0;
  /// The program has been told of it.
  virtual bool told(std::uint64_t number) const = 0;
};

}  // namespace vp
