#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/common/access.h"
#include "models/common/clock.h"
#include "models/common/pending_access.h"

namespace vp {

/// What an initiator wants host pointers for.
enum class DmiUse {
  accesses,  ///< accesses at the latency of the grant; refused where time depends on state
  contents,  ///< the bytes only: it accounts for the time by transactions of its own, as a cache does with its lines
};

/// Plain memory that an initiator may use by host pointer, with what an access to it costs. As a target grants it the
/// addresses are offsets; the bus translates them and adds its own latency.
struct DmiRegion {
  std::uint8_t* host = nullptr;  ///< host address of the byte at `first`
  std::uint64_t first = 0;       ///< first address
  std::uint64_t last = 0;        ///< last address, inclusive
  bool readable = false;
  bool writable = false;
  Picoseconds read_latency = 0;   ///< of one read of up to 4 bytes, from the initiator and back
  Picoseconds write_latency = 0;  ///< of one write of up to 4 bytes
  Picoseconds wide_extra = 0;  ///< an access of 8 bytes takes this much longer (a bus or memory narrower than 64 bits)
};

/// What a memory-mapped device implements; the TLM socket (`TlmTarget`) in front of it enforces the rules of the base
/// protocol, so that a model sees plain accesses only. Needs no SystemC.
///
/// Time: `now` is absolute local time. On entry it is when the access reaches the target, the model moves it to when
/// the access is complete. A model must not wait. It may be called with a `now` earlier than in a previous call
/// (another initiator ran ahead): it answers from its present state; the socket counts these late arrivals.
class TargetModel {
 public:
  /// What reads do beside giving a value.
  enum class Reads : std::uint8_t {
    may_act,       ///< anything
    move_nothing,  ///< no event, line or edge to come is another one afterwards: see Answer::moved
  };

  explicit TargetModel(Reads reads = Reads::may_act) : reads_(reads) {}
  virtual ~TargetModel() = default;

  /// Reads `size` bytes at `offset` into data; writes them from data. The socket has checked that the access is inside
  /// the window and has cut it at the port's width: with a port of 4 bytes, size is 1 to 4 and the access stays inside
  /// one aligned 4-byte word. A wider or crossing access arrives as several calls, lower address first, each at the
  /// completion of the one before. After a result other than `ok` the rest of the access is not done.
  virtual AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) = 0;
  virtual AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) = 0;

  /// Like read and write, for the bytes i with enabled[i] != 0 only; at least one is enabled and at least one is not.
  /// Default: each run of enabled bytes is an access of its own. For a model with real byte strobes, or where one
  /// access has one price.
  virtual AccessResult read_masked(std::uint64_t offset, std::uint8_t* data, const std::uint8_t* enabled, unsigned size,
                                   Picoseconds& now);
  virtual AccessResult write_masked(std::uint64_t offset, const std::uint8_t* data, const std::uint8_t* enabled,
                                    unsigned size, Picoseconds& now);

  /// One access of kind `plain`, cut as above; what the socket calls. Default: read, write or their masked forms. For a
  /// model whose answer is more than a time: why it never comes, what of it streamed.
  virtual Answer access(const Access& access);
  /// The same where the answer may come later. Default: access(), at once. Called instead of it by masters with several
  /// accesses under way, if the port takes any length.
  virtual void begin(PendingAccess& pending) { pending.answer(access(pending.access)); }
  /// The run has ended: answers the accesses under way (AccessTarget).
  virtual void end_accesses() {}

  /// Access of a debugger or loader: no time, no side effects. Returns how many bytes were transferred, from `offset`
  /// up.
  virtual unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size);
  virtual unsigned debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size);

  /// The region around `offset` that may be accessed by host pointer, addresses as offsets; nothing: no DMI (default).
  virtual std::optional<DmiRegion> dmi(std::uint64_t offset);
  /// True while the latencies of dmi() hold for every access: then host pointers are granted to all, and a transaction
  /// takes back the hint; else for the contents only (DmiUse).
  virtual bool grants_dmi() const { return false; }

  /// The register at or nearest to `offset`, for the report of a bad access; empty if the model has no registers.
  virtual std::string describe(std::uint64_t offset) const;
  /// Why an access was refused that could have been made in another way ("it is not aligned"), for the same report;
  /// empty if the model knows no reason.
  virtual std::string refusal(std::uint64_t offset, unsigned size, bool write) const;

 private:
  const Reads reads_;
};

}  // namespace vp
