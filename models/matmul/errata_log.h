#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/common/origin.h"
#include "models/matmul/core_config.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// A defect of the hardware that struck. Lost bytes of one burst (one WRITE, or one spell of low CTS) are one entry.
struct ErrataEvent {
  enum class Kind { late_load_hang, fifo_byte_loss, cts_byte_loss };
  Kind kind;
  std::uint64_t first_cycle;  ///< clock of the grant, or of the first lost byte
  std::uint64_t last_cycle;
  std::uint64_t bytes = 0;  ///< lost; 0 for a hang
  unsigned thread = 0;      ///< the thread that hangs, or whose message lost bytes (not known for CTS)
  std::uint32_t pc = 0;     ///< of the instruction concerned
  Origin origin{};          ///< of the store that sent the last byte of that instruction, if one did
  void persist(Archive& archive);
};

/// One sentence for the run report.
std::string to_text(const ErrataEvent& event, const OriginText& origin = {});
/// Its parameter's name: "late_load_hang".
const char* name_of(ErrataEvent::Kind kind);

/// Every strike is counted; the first kListed are also listed.
class ErrataLog {
 public:
  static constexpr std::size_t kListed = 64;

  /// A LOAD of `thread` at `pc` was granted with a used-up counter.
  void hang(std::uint64_t cycle, unsigned thread, std::uint32_t pc, const Origin& origin = {});
  /// One byte lost. Joined to the previous entry if that is of the same kind, thread, pc and burst.
  void lost_byte(ErrataEvent::Kind kind, std::uint64_t cycle, unsigned thread, std::uint32_t pc, bool same_burst,
                 const Origin& origin = {});

  /// Hangs, or bytes lost, since the start.
  std::uint64_t count(ErrataEvent::Kind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  const std::vector<ErrataEvent>& events() const { return events_; }
  /// Entries that the list has no room for.
  std::uint64_t unlisted() const { return unlisted_; }
  void persist(Archive& archive);

 private:
  void add(const ErrataEvent& event);

  std::array<std::uint64_t, 3> counts_{};
  std::array<std::size_t, 3> latest_{};  // index + 1 of the latest listed entry of each kind, 0 if it is not listed
  std::vector<ErrataEvent> events_;
  std::uint64_t unlisted_ = 0;
};

}  // namespace vp::matmul
