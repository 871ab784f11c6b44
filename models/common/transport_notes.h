#pragma once

#include <string>
#include <tlm>

#include "models/common/access.h"

namespace vp {

/// What the parties of a transaction tell each other beyond the base protocol. An ignorable extension: every party
/// works without it (except that a target cannot say why it never answers).
struct TransportNotes : tlm::tlm_extension<TransportNotes> {
  std::string no_answer;       ///< target → bus: it will never answer; the sentence says why. Empty: it answered
  Picoseconds streamed = 0;    ///< target → bus: see Answer::streamed
  Picoseconds wide_extra = 0;  ///< with a DMI grant: see DmiRegion::wide_extra
  bool contents_only = false;  ///< initiator → target, with a DMI request: see DmiUse::contents
  bool stored = true;          ///< bus → initiator: see Answer::stored
  AccessKind kind = AccessKind::plain;                ///< initiator → bus: the bus does what is not plain
  AtomicOperation operation = AtomicOperation::swap;  ///< initiator → bus
  unsigned initiator = 0;                             ///< bus → target: number of the initiator, small
  std::uint64_t pc = kNoPc;                           ///< initiator → target: see Access::pc

  tlm::tlm_extension_base* clone() const override {
    return new TransportNotes(*this);
  }  // as TLM demands, the caller owns it
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const TransportNotes&>(other); }
  /// Forgets the previous transaction.
  void clear() {
    if (!no_answer.empty()) no_answer.clear();
    streamed = wide_extra = 0;
    contents_only = false;
    stored = true;
    kind = AccessKind::plain;
    initiator = 0;
    pc = kNoPc;
  }
};

}  // namespace vp
