#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "models/axidma/config.h"
#include "models/common/byte_stream.h"
#include "models/common/master_port.h"

namespace vp {
class Archive;
}

namespace vp::axidma {

/// Writes one packet of a stream to memory in bursts, each as soon as all its bytes have come. Without a transfer it
/// takes nothing.
class S2mmEngine : public PacketSink {
 public:
  /// A bit of the tags of all its bursts.
  static constexpr MasterPort::Tag kTag = MasterPort::Tag{1} << 63;
  /// How a transfer has ended.
  struct End {
    AccessResult result = AccessResult::ok;
    bool overflow = false;    ///< the packet was longer than the buffer
    std::uint64_t bytes = 0;  ///< stored
  };

  S2mmEngine(const AxiDmaConfig& config, MasterPort& port);

  /// Whose packets it takes.
  void connect(PacketSource& source) { source_ = &source; }
  /// Waits for a packet; the first burst leaves at `at` or later. Nothing may be under way.
  void begin(std::uint64_t address, std::uint64_t bytes, std::uint64_t pc, Picoseconds at);
  /// Takes nothing more, once what is on the bus has completed.
  void drop();
  void abandon();

  bool under_way() const { return under_way_; }
  /// Bursts are on the bus, or will leave without another call.
  bool writing() const { return in_flight_ != 0; }
  std::uint64_t bursts() const { return bursts_; }
  std::uint64_t bytes_written() const { return bytes_written_; }
  std::uint64_t lost() const { return lost_; }
  /// The port is loaded behind it.
  void persist(Archive& archive);

  std::function<void(const End& end, Picoseconds time)> on_end;

  // PacketSink
  std::size_t put(const std::uint8_t* bytes, std::size_t count, bool last, Picoseconds now) override;
  std::size_t wants() const override;

  // As MasterPort::Client, of the writes.
  void completed(MasterPort::Tag tag, const Answer& answer);
  std::uint8_t* data_of(MasterPort::Tag tag);

 private:
  struct Block {
    std::vector<std::uint8_t> bytes;
    std::uint64_t tag = 0;
    void persist(Archive& archive);
  };
  std::uint64_t burst_size() const;
  void flush(Picoseconds now);
  void end_if_done(Picoseconds now);

  const AxiDmaConfig config_;
  MasterPort& port_;
  PacketSource* source_ = nullptr;
  bool under_way_ = false;
  bool open_ = false;  ///< the packet goes on
  bool dropping_ = false;
  Picoseconds not_before_ = 0;
  std::uint64_t address_ = 0;  ///< of the next burst
  std::uint64_t pc_ = kNoPc;
  std::uint64_t room_ = 0;             ///< bytes of the buffer that are free
  std::vector<std::uint8_t> waiting_;  ///< for the rest of their burst
  std::deque<std::unique_ptr<Block>> blocks_;
  std::deque<std::unique_ptr<Block>> abandoned_;
  std::uint64_t next_tag_ = 0;
  unsigned in_flight_ = 0;
  End end_;
  std::uint64_t bursts_ = 0, bytes_written_ = 0, lost_ = 0;
};

}  // namespace vp::axidma
