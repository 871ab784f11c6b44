#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/common/byte_stream.h"
#include "models/common/finding.h"
#include "models/common/visible_timer.h"
#include "models/tensil/config.h"
#include "models/tensil/core.h"
#include "models/tensil/memory_port.h"
#include "models/tensil/probe.h"
#include "models/tensil/sampler.h"

namespace vp::tensil {

/// A TCU in a machine: takes its instructions from a stream and moves its data over two ports of the bus. What needs no
/// memory is computed ahead of the kernel, as far as the stream has come; transfers act at the kernel's time. One
/// instruction at a time in the order of the stream; with several threads, what needs nothing of a transfer under way
/// goes on beside it.
class Sequencer : public StreamSink {
 public:
  /// An instruction has ended; times are absolute. Of those of one unit in order.
  using Observer = std::function<void(Activity activity, Picoseconds start, Picoseconds end)>;

  /// The timer has to call deliver() when it is due.
  Sequencer(const TensilConfig& config, MasterPort& dram0, MasterPort& dram1, VisibleTimer& timer);

  /// Reads memory without time, for the probe's check; false where there is none.
  void peek_with(Probe::Peek peek) { probe_.peek_with(std::move(peek)); }
  /// Called when the core has stopped at an error (OnError::stop).
  void on_stop(std::function<void()> callback) { on_stop_ = std::move(callback); }
  void on_instruction(Observer observer) { observer_ = std::move(observer); }

  // StreamSink
  void connect(StreamSource& source) override { source_ = &source; }
  void offered(Picoseconds now) override;

  /// The timer is due.
  void deliver(Picoseconds due);
  /// Reset of the machine at this time: what is under way is forgotten, memories stay.
  void reset(Picoseconds now);

  Core& core() { return core_; }
  const Core& core() const { return core_; }
  const MemoryPort& port(unsigned number) const { return ports_[number]; }
  Sampler& sampler() { return sampler_; }
  const Sampler& sampler() const { return sampler_; }
  /// Nothing is under way, and no whole instruction waits.
  bool idle() const;
  /// When everything that has been executed has ended, write responses not counted; absolute.
  Picoseconds ended() const { return clock_.time_of(core_.timing().cycles()); }
  std::vector<vp::Finding> findings() const;
  std::string broken_conservation() const;
  /// The ports of the machine are loaded behind it.
  void persist(Archive& archive);

 private:
  void run();
  bool fetch(Picoseconds now);
  bool blocked(const Instruction& in) const;
  void start(const Instruction& in);
  void over(const DramMove& move, std::uint64_t end);
  void announce(Picoseconds now);
  void observe(Activity activity, std::uint64_t start, std::uint64_t end);

  const TensilConfig config_;
  const Clock clock_;
  VisibleTimer& timer_;
  StreamSource* source_ = nullptr;
  Core core_;
  Sampler sampler_;
  const MasterPort& kernel_;  ///< tells the present time
  MemoryPort ports_[2];
  Probe probe_;
  std::vector<std::uint8_t> bytes_;   ///< of the instruction being fetched
  std::optional<Instruction> next_;   ///< fetched, not started
  std::vector<std::uint8_t> moving_;  ///< by thread: its transfer is under way
  Picoseconds taken_ = 0;             ///< when the stream has last moved
  Picoseconds came_ = 0;              ///< when the bytes that were waited for have come
  Picoseconds packet_ = 0;            ///< when that of the newest bytes was begun
  bool starved_ = true;               ///< all bytes that have come are taken
  bool running_ = false;
  std::function<void()> on_stop_;
  Observer observer_;
};

}  // namespace vp::tensil
