#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/axidma/config.h"
#include "models/common/byte_stream.h"
#include "models/common/master_port.h"

namespace vp {
class Archive;
}

namespace vp::axidma {

/// Reads memory in bursts and offers them as a stream. A burst is read as soon as the buffer has room for it; its bytes
/// are there when all of it has come, and the room is free when its last byte has been taken.
class Mm2sEngine : public StreamSource {
 public:
  Mm2sEngine(const AxiDmaConfig& config, MasterPort& port);

  void connect(StreamSink& sink) { sink_ = &sink; }
  /// Begins to read; the first burst leaves at `at` or later. Nothing may be under way.
  void begin(std::uint64_t address, std::uint64_t bytes, std::uint64_t pc, Picoseconds at);
  /// Reads nothing more; what has been read stays to be taken.
  void stop() { left_ = 0; }
  /// Drops what has not been taken, once what is on the bus has completed.
  void drop();
  /// Forgets everything at once (power-on reset of the machine).
  void abandon();

  bool under_way() const { return under_way_; }
  /// A burst is on the bus, so that an error may come.
  bool reading() const { return reading_ != 0; }
  /// Bytes that are still to be taken.
  std::uint64_t left_to_take() const { return left_to_take_; }
  std::uint64_t bursts() const { return bursts_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  /// The port is loaded behind it.
  void persist(Archive& archive);

  /// The transfer is over: the last byte has been taken then, or an access has failed (the first result that was not
  /// ok).
  std::function<void(AccessResult result, Picoseconds time)> on_end;

  // StreamSource
  std::size_t available() const override;
  void take(std::uint8_t* bytes, std::size_t count, Picoseconds when) override;
  bool active() const override { return under_way_; }
  Picoseconds begun() const override { return begun_; }

  // As MasterPort::Client, of the reads.
  void completed(MasterPort::Tag tag, const Answer& answer);
  std::uint8_t* data_of(MasterPort::Tag tag);

 private:
  struct Block {
    std::vector<std::uint8_t> bytes;
    std::uint64_t taken = 0;
    bool come = false;
    void persist(Archive& archive);
  };
  void pump(Picoseconds not_before);
  void finish_drop();
  Picoseconds edge(Picoseconds time) const;

  const AxiDmaConfig config_;
  MasterPort& port_;
  StreamSink* sink_ = nullptr;
  bool under_way_ = false;
  Picoseconds begun_ = 0;
  Picoseconds not_before_ = 0;
  std::uint64_t address_ = 0;  ///< of the next burst
  std::uint64_t pc_ = kNoPc;
  std::uint64_t left_ = 0;          ///< bytes to ask for
  std::uint64_t left_to_take_ = 0;  ///< bytes that the stream has not had yet
  std::deque<std::unique_ptr<Block>> blocks_;
  std::deque<std::unique_ptr<Block>> abandoned_;  ///< the port may still move bytes of these
  std::uint64_t first_tag_ = 0;                   ///< of the block in front
  unsigned reading_ = 0;
  bool dropping_ = false;
  AccessResult failure_ = AccessResult::ok;
  std::uint64_t bursts_ = 0, bytes_read_ = 0;
};

}  // namespace vp::axidma
