#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "models/common/origin.h"
#include "models/matmul/array_controller.h"
#include "models/matmul/block_memory.h"
#include "models/matmul/core_config.h"
#include "models/matmul/errata_log.h"
#include "models/matmul/loader.h"
#include "models/matmul/receiver.h"
#include "models/matmul/thread.h"
#include "models/matmul/write_path.h"

namespace vp {
class Archive;
}

namespace vp::matmul {

/// Told what a core does, at the clock edge at which it does it. All calls come from within Core::advance_to().
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  /// A thread's fetch state was entered: the previous instruction of its run, if any, took until here.
  virtual void on_fetch(unsigned /*thread*/, std::uint64_t /*cycle*/) {}
  /// A fetch read this instruction; `disabled`: it found the enable bit cleared instead and read nothing.
  virtual void on_issue(unsigned /*thread*/, std::uint32_t /*pc*/, Opcode /*opcode*/, bool /*disabled*/) {}
  /// The thread came to rest; `disabled`: because of the enable bit, not of TERM.
  virtual void on_rest(unsigned /*thread*/, std::uint64_t /*cycle*/, bool /*disabled*/) {}
  /// A frame was begun on the line.
  virtual void on_frame(const SentFrame& /*frame*/) {}
};

/// How a word came into an instruction memory.
struct StoredInstruction {
  std::uint64_t cycle = 0;
  Origin origin;  ///< of the store that sent its last byte, if one did
  void persist(Archive& archive);
};

/// Figures a core keeps about itself. Clocks of instructions count from fetch to fetch, as in the timing table.
struct CoreCounters {
  struct PerThread {
    std::array<std::uint64_t, 4> instructions{};  ///< completed, by opcode
    std::array<std::uint64_t, 4> clocks{};        ///< spent in completed ones, by opcode
    std::uint64_t runs = 0;                       ///< starts from idle
    void persist(Archive& archive);
  };
  std::array<PerThread, kThreads> threads;
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t block_stores = 0;
  std::uint64_t instruction_stores = 0;
  std::uint64_t dropped_instruction_stores = 0;  ///< both threads were enabled
  std::uint64_t updates = 0;
  std::uint64_t ignored_bytes = 0;  ///< command bytes 00xxxxxx
  void persist(Archive& archive);
};

/// The whole MatMul device without SystemC, exact to the clock. Time is the number of the last clock edge done; a state
/// "entered at c" is visible after edge c. Clocks in which nothing changes cost nothing: advance_to() jumps over them.
class Core {
 public:
  /// Throws std::logic_error if the size of a memory is no power of two.
  explicit Core(const CoreConfig& config);

  const CoreConfig& config() const { return config_; }
  void add_observer(CoreObserver& observer) { observers_.push_back(&observer); }
  /// Nobody observes any more: a copy has the observers of its original.
  void drop_observers() { observers_.clear(); }

  /// Reset at edge `cycle`, which becomes the present time even if the core was ahead of it: memories cleared, threads
  /// disabled, line idle, command decoder at the start of a command. Counters and the list of errata stay.
  void reset(std::uint64_t cycle);
  std::uint64_t cycle() const { return cycle_; }
  /// Does all edges up to and including `cycle`; an earlier one is ignored.
  void advance_to(std::uint64_t cycle);
  /// Does edges up to and including `cycle`, but stops before one that takes a byte out of the transmit FIFO: the only
  /// place where CTS counts. Returns whether it stopped there.
  bool advance_until_frame(std::uint64_t cycle);
  /// Does exactly one edge, whether or not it changes anything: what advance_to() must be equal to.
  void step();
  /// The next edge at which anything will change if no input changes; ~0 if none. Nothing happens before it.
  std::uint64_t next_event() const;

  /// Input line level from edge `from` on. Not before an earlier change. It may be in the past by less than a byte's
  /// latency, since until then the receiver only listens. Throws std::logic_error otherwise.
  void set_line(bool level, std::uint64_t from);
  /// A whole frame of the device's format whose start bit is first sampled at edge `first`; may be in the past as
  /// above.
  void put_frame(std::uint8_t byte, std::uint64_t first);
  /// Who sends the byte whose start bit is first sampled at edge `first`. In the order of the edges.
  void note_origin(std::uint64_t first, const Origin& origin) { origins_.push_back({first, origin}); }
  /// How the instruction at this address came there, nullptr if nobody has stored it.
  const StoredInstruction* stored(unsigned thread, std::uint32_t address) const;
  /// The earliest edge at which the line may still change.
  std::uint64_t line_open_from() const;
  /// The edge after which the receiver is free for the next byte: RTS is high again.
  std::uint64_t receiver_free_at() const { return receiver_.free_at(); }
  /// Clocks from sampling a start bit to the first effect of its byte.
  std::uint64_t byte_latency() const { return receiver_.latency(); }
  /// First edge at which the next frame may start: the present one's end, and the clock of idle line after it.
  std::uint64_t line_free_at() const;
  /// CTS input, from the next edge on.
  void set_cts(bool level) {
    if (cts_ && !level) ++cts_spell_;
    cts_ = level;
  }
  bool cts() const { return cts_; }
  /// RTS output after edge `cycle`.
  bool rts(std::uint64_t cycle) const { return receiver_.rts(cycle); }

  /// Frames begun since the last call, in order.
  std::vector<SentFrame> take_frames();

  /// Both threads idle or disabled, transmit FIFO empty, transmitter idle.
  bool at_rest() const;
  /// Thread that waits for a LOAD that takes 2^32 clocks, while nothing else will happen before; -1 if none. A thread
  /// that waits for the LOAD path behind it counts as doing nothing.
  int hung_thread() const;
  /// The LOAD of `thread` is such a one.
  bool load_hangs(unsigned thread) const { return array_.load_hangs(thread, cycle_); }
  std::uint32_t load_counter() const { return array_.load_tick(cycle_); }

  const Thread& thread(unsigned index) const { return threads_[index]; }
  bool enabled(unsigned thread) const { return enabled_[thread]; }
  const BlockMemory& memory() const { return memory_; }
  const WritePath& write_path() const { return write_path_; }
  const Loader& loader() const { return loader_; }
  const ErrataLog& errata() const { return errata_; }
  const CoreCounters& counters() const { return counters_; }
  void persist(Archive& archive);

 private:
  struct Record {  // of a thread's instruction in work
    std::uint64_t fetched = 0;
    Opcode opcode = Opcode::term;
    bool disabled = false;
    std::uint32_t pc = 0;
    std::uint64_t serial = 0;
    void persist(Archive& archive);
  };

  void check_open(std::uint64_t from) const;
  void edge(std::uint64_t cycle);
  ThreadInputs inputs(unsigned thread, const WritePath::Requests& requests) const;
  WritePath::Requests requests() const { return {threads_[0].outputs(), threads_[1].outputs()}; }
  void clock_thread(unsigned thread, const ThreadInputs& in, std::uint64_t cycle);
  void account(unsigned thread, std::uint64_t cycle);
  void clock_write_path(std::uint64_t cycle, const WritePath::Requests& requests);
  void decode_byte(std::uint8_t byte, std::uint64_t cycle);
  Origin origin_of_byte(std::uint64_t cycle);
  unsigned instruction_index(std::uint32_t address) const { return address >> 2 & (config_.imem_words - 1); }
  Origin origin_of(unsigned thread, std::uint32_t pc) const;
  void finish_store(const Loader::Action& store);

  CoreConfig config_;
  std::vector<CoreObserver*> observers_;
  std::uint64_t cycle_ = 0;
  BlockMemory memory_;
  std::array<Thread, kThreads> threads_;
  ArrayController array_;
  WritePath write_path_;
  Receiver receiver_;
  Loader loader_;
  std::array<bool, kThreads> enabled_{};
  std::array<bool, kThreads> start_{};  // pulses of the present clock
  bool cts_ = true;
  Loader::Action store_;   // to be done at the next edge
  int store_thread_ = -1;  // target of an instruction store
  StoredInstruction store_by_;
  std::deque<StoredInstruction> origins_;  // of bytes on the line; cycle: edge of the start bit
  std::array<std::map<unsigned, StoredInstruction>, kThreads> stored_;  // by index
  std::array<Record, kThreads> records_;
  std::uint64_t serial_ = 0;
  std::uint64_t lossy_serial_ = 0;     // instruction that lost the latest byte to the FIFO
  std::uint64_t cts_spell_ = 0;        // spells of low CTS so far
  std::uint64_t lossy_cts_spell_ = 0;  // the one that lost the latest byte
  ErrataLog errata_;
  CoreCounters counters_;
  std::vector<SentFrame> frames_;
};

}  // namespace vp::matmul
