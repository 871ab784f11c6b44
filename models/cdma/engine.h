#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/cdma/byte_fifo.h"
#include "models/cdma/config.h"
#include "models/common/burst_blocks.h"
#include "models/common/master_port.h"

namespace vp {
class Archive;
}

namespace vp::cdma {

/// What is to be copied.
struct Copy {
  std::uint64_t source = 0;
  std::uint64_t destination = 0;
  std::uint64_t bytes = 0;
  bool fixed_source = false;       ///< key hole: every beat from the same address
  bool fixed_destination = false;  ///< and to the same
  std::uint64_t pc = kNoPc;        ///< of the store that started it
  void persist(Archive& archive);
};

/// The DataMover: reads and writes bursts, both channels at the same time, with a store-and-forward buffer between
/// them. A write burst leaves as soon as all its bytes have been read; a read burst, as soon as the buffer has room for
/// it.
class Engine : public MasterPort::Client {
 public:
  struct Counts {
    std::uint64_t read_bursts = 0, write_bursts = 0;  ///< that have left; a key hole's beats count as bursts
    std::uint64_t read_bytes = 0, written_bytes = 0;  ///< that have been moved
  };

  Engine(const CdmaConfig& config, MasterPort& port);

  /// Begins a copy whose first read leaves at `at` or later. Nothing may be under way.
  void begin(const Copy& copy, Picoseconds at);
  /// Asks for nothing more; what is on the bus, or waits for its cycle there, completes.
  void stop();
  /// Forgets everything at once (power-on reset of the machine).
  void abandon();

  /// A copy has begun and on_drained has not been called for it.
  bool under_way() const { return under_way_; }
  /// The one under way, or the last one.
  const Copy& copy() const { return copy_; }
  /// Bytes whose read has not left.
  std::uint64_t bytes_to_read() const { return left_to_read_; }
  /// Bytes whose write has not left.
  std::uint64_t bytes_to_send() const { return left_to_write_; }
  const Counts& counts() const { return counts_; }
  /// The port is loaded behind it.
  void persist(Archive& archive);

  /// Nothing is under way any more: the first result that was not ok, or ok. Called at its time.
  std::function<void(const Answer&)> on_drained;
  /// Something has happened, and the copy is still under way.
  std::function<void(Picoseconds now)> on_progress;

  // MasterPort::Client
  void issued(MasterPort::Tag tag, Picoseconds time) override;
  void completed(MasterPort::Tag tag, const Answer& answer) override;
  std::uint8_t* data_of(MasterPort::Tag tag) override;

 private:
  using Tag = MasterPort::Tag;

  /// Bytes of a burst on their way, and who may have them next.
  struct Block {
    std::vector<std::uint8_t> bytes;
    unsigned size = 0;
    bool write = false;
    bool free = true;
    void persist(Archive& archive);
  };

  void pump(Picoseconds now);
  bool can_send(bool write) const;
  bool send_read(Picoseconds now);
  bool send_write(Picoseconds now);
  void send(bool write, std::uint64_t address, unsigned size, Tag block, Picoseconds not_before);
  Picoseconds edge(Picoseconds time) const;
  unsigned piece(std::uint64_t address, std::uint64_t left, bool fixed) const;
  Tag take_block(unsigned size, bool write);
  void drain(const Answer& answer);

  const CdmaConfig config_;
  const std::uint64_t capacity_;  // bytes between the channels, those under way included
  MasterPort& port_;

  Copy copy_;
  bool under_way_ = false;
  Picoseconds first_read_ = 0;
  Picoseconds channel_free_[2] = {};  // read, write: the port has had the beats of the bursts before
  std::uint64_t next_source_ = 0, next_destination_ = 0;
  std::uint64_t left_to_read_ = 0, left_to_write_ = 0;
  std::uint64_t held_ = 0;  // bytes of the capacity in use
  bool pumping_ = false;
  ByteFifo buffer_;  // read, not sent yet
  BurstBlocks<Block> blocks_;
  unsigned in_flight_ = 0;
  AccessResult failure_ = AccessResult::ok;  // the first result of this copy that was not ok
  Counts counts_;
};

}  // namespace vp::cdma
