#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "models/common/master_port.h"
#include "models/tensil/dram_port.h"

namespace vp {
class Archive;
}

namespace vp::tensil {

/// A DRAM port of the TCU on the platform's bus: cuts a DataMove into AXI bursts (4 KiB, 256 beats; with a stride one
/// for each vector), as many under way as the port's window has, and one direction at a time: reads wait for the
/// responses of all writes before them. The responses themselves are not looked at, as in the hardware.
class MemoryPort : public MasterPort::Client {
 public:
  /// Bursts under way on one port.
  static constexpr unsigned kOutstanding = 3;
  /// The longest burst, bytes.
  static std::uint64_t longest_burst(unsigned axi_bytes);
  // In cycles, for what the hardware description needs beside the beats and the bus: with a bus that takes none, a read
  // of k beats takes k + 5 cycles and a write k.
  static constexpr unsigned kRequestCycles = 4;  ///< from the start of the instruction to its first request
  static constexpr unsigned kReturnCycles = 2;   ///< from the last beat of a read until the instruction stream goes on

  MemoryPort(MasterPort& port, unsigned axi_bytes, Picoseconds clock);

  /// Begins a transfer whose first request leaves at `at` or later. The one before it is over.
  void begin(DramMove move, Picoseconds at);
  /// It is over, as the instruction stream sees it; writes are posted. With the cycle in which the stream goes on.
  std::function<void(const DramMove& move, std::uint64_t end)> on_over;
  bool busy() const { return current_ != nullptr; }
  /// The transfer under way; nullptr: none is.
  const DramMove* current() const { return current_ == nullptr ? nullptr : &current_->move; }
  bool responses_missing() const { return !jobs_.empty(); }
  /// No byte of memory changes before (absolute), unless another transfer begins; kNever: none does.
  Picoseconds next_write(Picoseconds now) const;
  /// The instruction stream goes on after the present transfer at this time (absolute) or later.
  Picoseconds earliest_end(Picoseconds now) const;
  /// Forgets everything at once (reset).
  void abandon();

  /// Bursts that a target refused, or that nobody decodes, and the first of these.
  struct Refused {
    std::uint64_t number = 0;
    std::uint32_t address = 0;
    bool write = false;
    Picoseconds time = 0;
    void persist(Archive& archive);
  };
  const Refused& refused() const { return refused_; }
  std::uint64_t bursts(bool write) const { return bursts_[write]; }

  /// The port is loaded behind it.
  void persist(Archive& archive);

  // MasterPort::Client
  void issued(MasterPort::Tag tag, Picoseconds time) override;
  void completed(MasterPort::Tag tag, const Answer& answer) override;
  std::uint8_t* data_of(MasterPort::Tag tag) override;

 private:
  using Tag = MasterPort::Tag;
  struct Job {
    DramMove move;
    std::uint64_t number = 0;
    std::uint64_t asked = 0;  ///< bytes
    unsigned in_flight = 0;   ///< bursts asked for and not completed
    bool all_asked() const { return asked == move.bytes.size(); }
    void persist(Archive& archive);
  };
  static Tag tag_of(const Job& job, std::uint64_t place) { return job.number << 32 | place; }
  Job& job_of(Tag tag);

  void pump();
  bool can_ask() const;
  void ask();
  std::uint64_t piece(const Job& job, std::uint64_t place) const;
  std::uint64_t beats(std::uint32_t address, std::uint64_t bytes) const;
  void over(std::uint64_t cycle);
  std::uint64_t edge(Picoseconds time) const { return clock_.edge_at_or_after(time); }

  MasterPort& port_;
  const unsigned axi_bytes_;
  const Clock clock_;
  std::deque<std::unique_ptr<Job>> jobs_;       ///< that have bursts under way, or bytes to ask for; in order
  std::deque<std::unique_ptr<Job>> abandoned_;  ///< the port may still move their bytes
  Job* current_ = nullptr;                      ///< the newest, until the instruction stream goes on
  Picoseconds first_ = 0;                       ///< its first request does not leave earlier
  Picoseconds channel_free_ = 0;                ///< of writes: the port has had the beats of the bursts before
  Picoseconds next_write_ = kNever;             ///< a write was asked for that leaves then at the earliest
  Picoseconds data_end_ = 0;                    ///< of reads: the newest burst has all its beats then at the earliest
  std::uint64_t jobs_begun_ = 0;
  bool pumping_ = false;
  std::uint64_t bursts_[2] = {};
  Refused refused_;
};

}  // namespace vp::tensil
