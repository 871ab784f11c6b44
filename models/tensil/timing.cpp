#include "models/tensil/timing.h"

#include <algorithm>
#include <numeric>

#include "models/common/archive.h"

namespace vp::tensil {
namespace {

// Half cycles. The cycles of an instruction were measured on the hardware description in steady state.
constexpr std::uint64_t kCycle = 2;
constexpr std::uint64_t kSimdReadTime = 2 * kCycle;
constexpr std::uint64_t kSimdReadWriteTime = 4 * kCycle;
constexpr std::uint64_t kSimdPlainTime = 3;           // without a read
constexpr std::uint64_t kToLocal = 2 * kCycle;        // after the last vector, accumulators to local memory
constexpr std::uint64_t kToAccumulator = 1 * kCycle;  // likewise the other way
/// SIMD instructions that wait in front of the ALUs while the decoder goes on.
constexpr std::size_t kSimdQueue = 10;

bool occupies_unit(Activity activity) {
  return activity != Activity::no_op && activity != Activity::skipped && activity != Activity::configure;
}

}  // namespace

const char* name_of(Activity activity) {
  static constexpr const char* kNames[kActivities] = {"mat_mul",     "load_weight", "simd",        "dram0_read",
                                                      "dram0_write", "dram1_read",  "dram1_write", "accumulator_move",
                                                      "load_lut",    "configure",   "no_op",       "skipped"};
  return kNames[static_cast<unsigned>(activity)];
}

Timing::Timing(const Architecture& architecture)
    : array_size_(architecture.array_size),
      queue_depth_(architecture.thread_queue_depth),
      threads_(architecture.number_of_threads) {}

Timing::Half& Timing::unit(Activity activity) {
  switch (activity) {
    case Activity::dram0_read:
    case Activity::dram0_write:
      return units_[1];
    case Activity::dram1_read:
    case Activity::dram1_write:
      return units_[2];
    default:
      return units_[0];
  }
}

/// When the thread, the unit and the thread's queue let the instruction begin.
Timing::Half Timing::ready(const Instruction& in, Activity activity) {
  Thread& thread = threads_[in.thread];
  if (threads_.size() == 1) return std::max(thread.free, arrival_);
  if (thread.starts.size() >= queue_depth_) {
    dispatched_ = std::max(dispatched_, thread.starts.front());
    thread.starts.pop_front();
  }
  Half begin = std::max({thread.free, dispatched_, arrival_});
  if (activity == Activity::no_op)
    begin = std::max(begin, threads_[in.address0 < threads_.size() ? in.address0 : in.thread].free);
  else if (occupies_unit(activity))
    begin = std::max(begin, unit(activity));
  thread.starts.push_back(begin);
  return begin;
}

void Timing::arrive(std::uint64_t cycle, std::uint64_t since, bool goes_on) {
  account_.comes(since * kCycle, goes_on);
  arrival_ = cycle * kCycle;
  Half busy = since * kCycle;
  for (const Thread& thread : threads_) busy = std::max(busy, thread.free);
  if (arrival_ > busy) stream_waited_ += arrival_ - busy;
}

Timing::Started Timing::start(const Instruction& in, Activity activity) {
  Started started;
  started.begin = started.asked = ready(in, activity);
  const bool to_local = activity == Activity::accumulator_move && in.flow() == DataFlow::accumulator_to_local;
  if (activity == Activity::accumulator_move) started.begin = std::max(started.begin, simd_free_);
  // A SIMD instruction that reads waits for the array in its own queue.
  if (to_local || activity == Activity::load_weight) {
    started.begin += drain_;
    drain_ = 0;
  }
  if (threads_.size() == 1) account_.began(activity, started.asked);
  return started;
}

/// Puts a SIMD instruction that takes `work` into its queue; returns when the decoder goes on.
Timing::Half Timing::queue_simd(const Instruction& in, Half begin, Half work) {
  Half end = std::max(begin, simd_free_) + work;
  if (in.has(kSimdRead)) {
    end += drain_;
    drain_ = 0;
  }
  simd_free_ = end;
  simd_queue_.push_back(end);
  Half next = begin + kCycle;
  if (simd_queue_.size() > kSimdQueue) {
    next = std::max(next, simd_queue_.front());
    simd_queue_.pop_front();
  }
  return next;
}

/// What the instruction's unit has to do.
Timing::Half Timing::work_of(const Instruction& in, Activity activity, std::uint64_t vectors) const {
  switch (activity) {
    case Activity::mat_mul:
    case Activity::load_weight:
    case Activity::load_lut:
      return vectors * kCycle;
    case Activity::accumulator_move:
      return vectors * kCycle + (in.flow() == DataFlow::accumulator_to_local ? kToLocal : kToAccumulator);
    case Activity::simd:
      if (!in.has(kSimdRead)) return kSimdPlainTime;
      return in.has(kSimdWrite) ? kSimdReadWriteTime : kSimdReadTime;
    default:
      return kCycle;
  }
}

void Timing::finish(const Instruction& in, Activity activity, const Started& started, std::uint64_t vectors,
                    std::uint64_t port_cycles, std::uint64_t beats) {
  const Half work = is_dram(activity) ? std::min(beats, port_cycles) * kCycle : work_of(in, activity, vectors);
  Half end = started.begin + (is_dram(activity) ? port_cycles * kCycle : work);
  if (activity == Activity::simd) end = queue_simd(in, started.begin, work);
  if (activity == Activity::mat_mul) {
    drain_ = (2 * array_size_ - 1 + (in.has(kMatMulAccumulate) ? 1 : 0)) * kCycle;
    array_free_ = end + drain_;
  }
  threads_[in.thread].free = end;
  if (occupies_unit(activity)) unit(activity) = std::max(unit(activity), end);
  ActivityCount& count = counts_[static_cast<unsigned>(activity)];
  const Half taken = end - started.asked;
  ++count.instructions;
  count.vectors += vectors;
  count.cycles += static_cast<double>(taken) / kCycle;
  count.work += static_cast<double>(work) / kCycle;
  count.waited += static_cast<double>(taken - std::min(taken, work)) / kCycle;
  if (sample_clock_.running()) count_samples(in, count, started.asked, end);
  if (threads_.size() == 1) account_.ended(activity, started.asked, started.begin, end, array_free_, simd_free_);
  newest_ = {activity, cycle_of(started.begin), cycle_of(end)};
  const Half ready = activity == Activity::simd ? end - kCycle : end - std::min(work, end);
  decoded_ = {started.asked, ready, end, work};
}

/// A sample shows the instruction that the decoder is at; of several threads, the one that ends next.
void Timing::count_samples(const Instruction& in, ActivityCount& count, Half from, Half to) {
  if (threads_.size() == 1) samples_.between += sample_clock_.pass(cycle_of(from));
  const std::uint64_t samples = sample_clock_.pass(cycle_of(to));
  count.samples += samples;
  samples_.of(in) += samples;
}

std::uint64_t SampleCounts::of(Operation operation) const {
  const auto first = instructions.begin() + static_cast<std::ptrdiff_t>(operation) * 16;
  return std::accumulate(first, first + 16, std::uint64_t{0});
}

std::uint64_t SampleCounts::total() const { return std::accumulate(instructions.begin(), instructions.end(), between); }

std::uint64_t Timing::cycles() const {
  Half last = std::max(simd_free_, array_free_);
  for (const Thread& thread : threads_) last = std::max(last, thread.free);
  return (last + kCycle - 1) / kCycle;
}

void Timing::reset(std::uint64_t cycle) {
  const Half now = cycle * kCycle;
  for (Thread& thread : threads_) thread = {now, {}};
  units_.fill(now);
  dispatched_ = arrival_ = now;
  array_free_ = simd_free_ = now;
  drain_ = 0;
  simd_queue_.clear();
  sample_clock_.reset();
  account_.reset(now);
  newest_ = {Activity::no_op, cycle, cycle};
}

StreamAccount::Sums Timing::account(std::uint64_t cycle) const { return account_.until(cycle * kCycle); }

/// The account of the stream has what each kind of instruction has taken.
std::string Timing::broken_conservation() const {
  if (threads_.size() != 1) return "";
  double taken = 0;
  for (const ActivityCount& count : counts_) taken += count.cycles;
  if (taken != static_cast<double>(account_.taken()) / kCycle)
    return "the kinds of instructions took other times than their stream";
  return "";
}

void Timing::Thread::persist(Archive& archive) { archive("free", free)("starts", starts); }

void ActivityCount::persist(Archive& archive) {
  archive("instructions", instructions)("vectors", vectors)("cycles", cycles)("work", work)("waited", waited);
  archive("samples", samples);
}

void Timing::persist(Archive& archive) {
  archive.fixed("threads", threads_)("units", units_)("dispatched", dispatched_)("arrival", arrival_);
  archive("stream_waited", stream_waited_)("drain", drain_)("array_free", array_free_)("simd_free", simd_free_);
  archive("simd_queue", simd_queue_)("sample_clock", sample_clock_)("samples", samples_.instructions);
  archive("samples_between", samples_.between)("counts", counts_);
  if (archive.version() >= 2) archive("account", account_);
}

}  // namespace vp::tensil
