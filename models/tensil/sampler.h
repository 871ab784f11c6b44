#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "models/common/byte_stream.h"
#include "models/tensil/core.h"
#include "models/tensil/sample_clock.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// What the sampling stream shows of one cycle: the decoder's program counter, and of its eight ports whether they are
/// valid (even bits) and ready (odd bits).
struct Sample {
  static constexpr std::size_t kBytes = 8;
  std::uint32_t program_counter = 0;
  std::uint16_t flags = 0;
  void persist(Archive& archive);
};

/// The decoder's ports, in the order of the sample's flags.
enum class DecoderPort : std::uint8_t { array, accumulators, dataflow, dram1, dram0, memory_b, memory_a, instruction };

/// Makes the sampling stream of a TCU in a machine: a packet every `block` samples. A sample that comes while nobody
/// takes any is lost, but for the first, which waits in the output register. No event a sample: it acts when so many
/// have come that the sink does something.
class Sampler : public PacketSource, private DecoderObserver {
 public:
  /// Cycles from the one that a sample shows until it leaves: by then all that happens in it is known.
  static constexpr unsigned kDelay = 8;

  Sampler(Core& core, std::uint32_t block, Picoseconds clock);

  /// Called when next() may have become earlier.
  std::function<void()> on_wanted;
  /// When deliver() is to be called next; kNever: not before anything else happens.
  Picoseconds next() const;
  /// Hands over what is due.
  void deliver(Picoseconds now);
  /// The instruction stream has gone on; nothing before `now` but for a few cycles will change any more.
  void settle(Picoseconds now);
  void reset();
  std::uint64_t taken() const { return taken_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t packets() const { return packets_; }
  void persist(Archive& archive);

  // PacketSource
  void connect(PacketSink& sink) override;
  void wanted(Picoseconds at) override;

 private:
  using Half = std::uint64_t;
  /// An instruction, as the decoder sees it.
  struct Span {
    Half asked = 0;
    Half ready = 0;  ///< until then its ports wait
    Half end = 0;    ///< kOpen: not known
    std::uint32_t program_counter = 0;
    std::uint32_t next = 0;   ///< program counter behind it
    std::uint16_t ports = 0;  ///< that it uses, their bits of `valid`
    void persist(Archive& archive);
  };
  static constexpr Half kOpen = ~Half{0};

  // DecoderObserver
  void sampled(std::uint32_t interval, std::uint64_t cycle, std::uint32_t program_counter) override;
  void turned_to(const Instruction& in, std::uint32_t program_counter, std::uint64_t asked) override;
  void left(const Instruction& in, std::uint32_t program_counter, const Timing::Decoded& times,
            std::uint32_t next) override;

  Sample sample_at(std::uint64_t cycle) const;
  std::uint64_t known_until(Picoseconds now) const;
  void pass(std::uint64_t cycle);
  void drop_old_spans();
  std::uint64_t edge(Picoseconds time) const { return clock_.edge_at_or_after(time); }
  bool wanting() const { return listening_ && sink_ != nullptr && sink_->wants() != 0; }

  const std::uint32_t block_;
  const Clock clock_;
  Core& core_;
  PacketSink* sink_ = nullptr;
  SampleClock ticks_;           ///< of what has been neither handed over nor lost
  std::deque<Span> spans_;      ///< what the decoder was at, in the order of their beginning
  std::uint32_t rest_ = 0;      ///< program counter in front of all spans
  std::optional<Sample> held_;  ///< in the output register
  bool listening_ = false;
  std::uint64_t since_ = 0;     ///< cycle from which on the sink takes them
  std::uint64_t earliest_ = 0;  ///< cycle before which nothing leaves, since the end of an instruction was not known
  bool closed_ = false;         ///< the end of an instruction has become known since settle()
  std::uint32_t in_packet_ = 0;
  std::uint64_t taken_ = 0, lost_ = 0, packets_ = 0;
};

}  // namespace vp::tensil
