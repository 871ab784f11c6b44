#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/common/clock.h"

namespace vp {

enum class Arbitration : std::uint8_t { first_come, fixed_priority, round_robin };

/// An access that wants a link.
struct LinkRequest {
  unsigned initiator = 0;
  Picoseconds arrival = 0;  ///< absolute, when it is at the link
};

/// Who goes first where two wait for one link.
class Arbiter {
 public:
  virtual ~Arbiter() = default;
  /// Both wait while the link serves initiator `served` (kNobody: it was idle). Whether `newcomer` goes before
  /// `waiting`, which was asked for earlier in the order of calls. Never for two of one initiator: those keep the order
  /// of calls.
  virtual bool goes_first(const LinkRequest& newcomer, const LinkRequest& waiting, unsigned served) const = 0;

  /// Who arrives later, or in the same instant and is asked for later, never goes first.
  virtual bool keeps_arrivals() const { return false; }

  static constexpr unsigned kNobody = ~0u;
};

/// ranks[initiator]: 0 is the highest; used by fixed priority. Round robin goes by the initiators' numbers.
std::unique_ptr<Arbiter> make_arbiter(Arbitration policy, std::vector<unsigned> ranks);

}  // namespace vp
