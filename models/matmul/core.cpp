#include "models/matmul/core.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vp::matmul {
namespace {

/// Waiting longer than this is a hang: no instruction takes this long, but a used-up load counter does.
constexpr std::uint64_t kHangClocks = std::uint64_t{1} << 30;

}  // namespace

Core::Core(const CoreConfig& config)
    : config_(config),
      memory_(config),
      threads_{Thread(config), Thread(config)},
      array_(config),
      write_path_(config),
      receiver_(config),
      loader_(config) {
  if ((config.imem_words & (config.imem_words - 1)) != 0 || config.imem_words == 0) {
    throw std::logic_error("the size of instruction memory must be a power of two");
  }
}

void Core::reset(std::uint64_t cycle) {
  cycle_ = cycle;
  memory_.reset();
  for (Thread& thread : threads_) thread.reset();
  array_.reset();
  write_path_.reset();
  receiver_.reset(cycle_);
  loader_.reset();
  enabled_ = {};
  start_ = {};
  store_ = {};
  frames_.clear();
  origins_.clear();
  for (auto& thread : stored_) thread.clear();
}

std::uint64_t Core::line_open_from() const {
  const std::uint64_t effect = byte_latency();
  return std::max(receiver_.line().latest_change(), cycle_ < effect ? 1 : cycle_ - effect + 1);
}

void Core::check_open(std::uint64_t from) const {
  if (from < line_open_from()) throw std::logic_error("the line's past cannot change");
}

void Core::set_line(bool level, std::uint64_t from) {
  check_open(from);
  receiver_.set_line(level, from);
}

void Core::put_frame(std::uint8_t byte, std::uint64_t first) {
  check_open(first);
  receiver_.put_frame(byte, first);
}

std::uint64_t Core::line_free_at() const { return std::max(cycle_, receiver_.line().latest_change()) + 1; }

std::vector<SentFrame> Core::take_frames() { return std::exchange(frames_, {}); }

bool Core::at_rest() const {
  return threads_[0].at_rest() && threads_[1].at_rest() && write_path_.fifo_empty() && write_path_.idle(cycle_);
}

int Core::hung_thread() const {
  for (unsigned thread = 0; thread < kThreads; ++thread)
    if (array_.load_hangs(thread, cycle_) && next_event() - cycle_ > kHangClocks) return static_cast<int>(thread);
  return -1;
}

ThreadInputs Core::inputs(unsigned thread, const WritePath::Requests& requests) const {
  ThreadInputs in;
  in.enabled = enabled_[thread];
  in.start = start_[thread];
  in.write_lock = write_path_.lock(thread);
  in.write_ready = write_path_.ready(requests);
  in.load_lock = array_.load_lock(thread);
  in.load_finished = array_.load_finished(cycle_);
  in.comp_lock = array_.comp_lock(thread);
  in.comp_finished = array_.comp_finished(cycle_);
  return in;
}

std::uint64_t Core::next_event() const {
  const WritePath::Requests present = requests();
  if (store_.command != Command::none) return cycle_ + 1;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    if (!threads_[thread].sleeps(inputs(thread, present))) return cycle_ + 1;
  return std::min(
      {array_.next_edge(cycle_, present), write_path_.next_edge(cycle_, present, cts_), receiver_.byte_edge()});
}

void Core::advance_to(std::uint64_t cycle) {
  while (cycle_ < cycle) {
    const std::uint64_t next = next_event();
    if (next > cycle) {
      cycle_ = cycle;
    } else {
      cycle_ = next - 1;
      step();
    }
  }
}

bool Core::advance_until_frame(std::uint64_t cycle) {
  while (cycle_ < cycle) {
    if (write_path_.takes_head(cycle_, cts_)) return true;
    const std::uint64_t next = std::min(next_event(), cycle);
    advance_to(write_path_.takes_head(next - 1, cts_) ? next - 1 : next);
  }
  return write_path_.takes_head(cycle_, cts_);
}

void Core::step() {
  edge(cycle_ + 1);
  ++cycle_;
}

// All units see the others as they were before the edge: outputs are collected first, memory is written last.
void Core::edge(std::uint64_t cycle) {
  const WritePath::Requests present = requests();
  const std::array<ThreadInputs, kThreads> in = {inputs(0, present), inputs(1, present)};
  start_ = {};
  const Loader::Action store = std::exchange(store_, {});
  const int hung = array_.clock(cycle, present, memory_);
  if (hung >= 0) {
    const auto thread = static_cast<unsigned>(hung);
    errata_.hang(cycle, thread, threads_[thread].pc(), origin_of(thread, threads_[thread].pc()));
  }
  clock_write_path(cycle, present);
  for (unsigned thread = 0; thread < kThreads; ++thread) clock_thread(thread, in[thread], cycle);
  array_.commit(memory_);
  if (store.command != Command::none) finish_store(store);
  if (receiver_.byte_edge() == cycle) decode_byte(receiver_.take(), cycle);
}

void Core::clock_thread(unsigned thread, const ThreadInputs& in, std::uint64_t cycle) {
  Thread& unit = threads_[thread];
  Record& record = records_[thread];
  const bool was_resting = unit.at_rest();
  if (unit.fetching()) {
    record.opcode = decode(unit.word()).opcode;
    record.disabled = !in.enabled;
    for (CoreObserver* one : observers_) one->on_issue(thread, unit.pc(), record.opcode, record.disabled);
  }
  const ThreadEvent event = unit.clock(in, memory_);
  if (event == ThreadEvent::none) return;
  if (!was_resting) account(thread, cycle);
  if (event == ThreadEvent::fetch) {
    if (was_resting) ++counters_.threads[thread].runs;
    record = {cycle, Opcode::term, false, unit.pc(), ++serial_};
    for (CoreObserver* one : observers_) one->on_fetch(thread, cycle);
  } else {
    for (CoreObserver* one : observers_) one->on_rest(thread, cycle, event == ThreadEvent::disabled);
  }
}

// The instruction in work ended at `cycle`.
void Core::account(unsigned thread, std::uint64_t cycle) {
  const Record& record = records_[thread];
  if (record.disabled) return;
  CoreCounters::PerThread& counters = counters_.threads[thread];
  ++counters.instructions[static_cast<std::size_t>(record.opcode)];
  counters.clocks[static_cast<std::size_t>(record.opcode)] += cycle - record.fetched;
}

void Core::clock_write_path(std::uint64_t cycle, const WritePath::Requests& requests) {
  const int owner = write_path_.owner();
  const WritePath::Outcome outcome = write_path_.clock(cycle, requests, cts_);
  if (outcome.started) {
    ++counters_.bytes_sent;
    frames_.push_back(outcome.frame);
    for (CoreObserver* one : observers_) one->on_frame(outcome.frame);
  }
  if (outcome.lost_to_fifo) {
    const Record& record = records_[static_cast<unsigned>(owner)];
    errata_.lost_byte(ErrataEvent::Kind::fifo_byte_loss, cycle, static_cast<unsigned>(owner), record.pc,
                      record.serial == lossy_serial_, origin_of(static_cast<unsigned>(owner), record.pc));
    lossy_serial_ = record.serial;
  }
  if (outcome.lost_to_cts) {
    errata_.lost_byte(ErrataEvent::Kind::cts_byte_loss, cycle, 0, 0, cts_spell_ == lossy_cts_spell_);
    lossy_cts_spell_ = cts_spell_;
  }
}

/// The byte seen at edge `cycle` began on the line so long before.
Origin Core::origin_of_byte(std::uint64_t cycle) {
  Origin origin;
  for (; !origins_.empty() && origins_.front().cycle + byte_latency() <= cycle; origins_.pop_front())
    origin = origins_.front().origin;
  return origin;
}

const StoredInstruction* Core::stored(unsigned thread, std::uint32_t address) const {
  const auto found = stored_[thread].find(instruction_index(address));
  return found == stored_[thread].end() ? nullptr : &found->second;
}

Origin Core::origin_of(unsigned thread, std::uint32_t pc) const {
  const StoredInstruction* const instruction = stored(thread, pc);
  return instruction ? instruction->origin : Origin();
}

void Core::decode_byte(std::uint8_t byte, std::uint64_t cycle) {
  const Origin origin = origin_of_byte(cycle);
  ++counters_.bytes_received;
  if (loader_.between_commands() && byte >> kCommandShift == 0) ++counters_.ignored_bytes;
  const Loader::Action action = loader_.take(byte);
  switch (action.command) {
    case Command::none:
      break;
    case Command::update:
      ++counters_.updates;
      enabled_ = {(action.update & kEnable0) != 0, (action.update & kEnable1) != 0};
      start_ = {(action.update & kStart0) != 0, (action.update & kStart1) != 0};
      break;
    case Command::store_instruction:
      // No command names the thread: the first one that is not enabled gets the word.
      store_thread_ = !enabled_[0] ? 0 : !enabled_[1] ? 1 : -1;
      store_by_ = {cycle + 1, origin};
      store_ = action;
      break;
    case Command::store_block:
      store_ = action;
      break;
  }
}

void Core::finish_store(const Loader::Action& store) {
  if (store.command == Command::store_block) {
    ++counters_.block_stores;
    const std::uint32_t base = memory_.host_address(store.address);
    for (std::uint32_t i = 0; i < loader_.block().size(); ++i) memory_.write(base + i, loader_.block()[i]);
  } else if (store_thread_ < 0) {
    ++counters_.dropped_instruction_stores;
  } else {
    ++counters_.instruction_stores;
    threads_[static_cast<unsigned>(store_thread_)].store(store.address, store.word);
    stored_[static_cast<unsigned>(store_thread_)][instruction_index(store.address)] = store_by_;
  }
}

}  // namespace vp::matmul
