#pragma once

#include <cstdint>

#include "models/common/access.h"

namespace vp {

/// What a master with several accesses under way sees of its bus. Needs no SystemC: the core of a DMA engine is driven
/// by `OverlappingMaster` in the platform, and by a fake in its tests.
///
/// A *transfer* is what the core asks for: any number of bytes, read or written. The port cuts it into bursts, at 4 KiB
/// boundaries and at its longest burst, and sends them one after the other. Reads and writes have a channel each, with
/// a window of bursts under way (`outstanding`), one burst a port cycle at most, and one beat of data a port cycle.
/// Transfers of one channel are sent and completed in the order in which they were asked for; the channels know nothing
/// of each other.
class MasterPort {
 public:
  /// The core's own name for a transfer.
  using Tag = std::uint64_t;

  /// The core behind the port. Calls come in the order of time, each at the time it is about: now() is that time. The
  /// core may ask for further transfers in each of them.
  class Client {
   public:
    virtual ~Client() = default;
    /// The transfer's first burst has left.
    virtual void issued(Tag, Picoseconds /*time*/) {}
    /// All its bytes have been moved; or, with another result than ok, a burst was refused and the rest is not sent.
    /// `completion` is now, `why` the target's sentence.
    virtual void completed(Tag tag, const Answer& answer) = 0;
    /// The port will do nothing before that time: then a burst leaves or completes. kNever: that is not known, or
    /// nothing is under way. Told whenever it may have changed.
    virtual void due(Picoseconds) {}
    /// A saved port is loaded, after its core: where the bytes of this transfer are, which has `data`.
    virtual std::uint8_t* data_of(Tag) { return nullptr; }
  };

  struct Transfer {
    bool write = false;
    std::uint64_t address = 0;     ///< of the first byte
    std::uint8_t* data = nullptr;  ///< `size` bytes; must stay until the transfer has completed. Bytes of a read are
                                   ///< there when it completes, those of a write are taken while it is under way.
                                   ///< nullptr: time only, no byte moves (plain memory)
    std::uint64_t size = 0;        ///< bytes, at least 1
    Tag tag = 0;
    Picoseconds not_before = 0;  ///< it does not leave earlier (absolute): a planned transfer, or one that a register
                                 ///< write of this local time starts
    std::uint64_t pc = kNoPc;    ///< of the store that started it
  };

  virtual ~MasterPort() = default;
  virtual void attach(Client& client) = 0;

  /// Asks for a transfer. It leaves as soon as those before it on its channel and the window allow.
  virtual void issue(const Transfer& transfer) = 0;
  void read(std::uint64_t address, std::uint8_t* data, std::uint64_t size, Tag tag, Picoseconds not_before = 0,
            std::uint64_t pc = kNoPc) {
    issue({false, address, data, size, tag, not_before, pc});
  }
  void write(std::uint64_t address, const std::uint8_t* data, std::uint64_t size, Tag tag, Picoseconds not_before = 0,
             std::uint64_t pc = kNoPc) {
    issue({true, address, const_cast<std::uint8_t*>(data), size, tag, not_before, pc});  // a write does not change them
  }

  /// A transfer asked for now on this channel would not have to wait for the window or for others.
  virtual bool can_issue(bool write) const = 0;
  /// Transfers asked for and not completed.
  virtual unsigned under_way(bool write) const = 0;
  /// Forgets all transfers that have not left. Those under way complete, so their data must stay, but nobody is told (a
  /// reset).
  virtual void abandon() = 0;
  /// The core may ask for a transfer by itself at that time, absolute (kNever, as at first: only when it is called).
  /// What it has asked for with `not_before` is known already. Others run ahead of the kernel up to then.
  virtual void plan(Picoseconds /*next*/) {}

  /// The present time, absolute.
  virtual Picoseconds now() const = 0;
  /// What its data channels can do at best, for lower bounds of a transfer's time.
  virtual Picoseconds cycle() const = 0;
  virtual unsigned bytes_per_cycle() const = 0;
};

}  // namespace vp
