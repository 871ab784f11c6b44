#include "models/tensil/memory_port.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "models/common/archive.h"
#include "models/common/error.h"

namespace vp::tensil {
namespace {

constexpr std::uint64_t kBoundary = 4096;     // no AXI burst crosses it
constexpr std::uint64_t kLongestBurst = 256;  // beats

}  // namespace

std::uint64_t MemoryPort::longest_burst(unsigned axi_bytes) { return std::min(kBoundary, kLongestBurst * axi_bytes); }

MemoryPort::MemoryPort(MasterPort& port, unsigned axi_bytes, Picoseconds clock)
    : port_(port), axi_bytes_(axi_bytes), clock_(clock) {
  port_.attach(*this);
}

void MemoryPort::begin(DramMove move, Picoseconds at) {
  if (port_.under_way(false) == 0 && port_.under_way(true) == 0) abandoned_.clear();
  jobs_.push_back(std::make_unique<Job>());
  current_ = jobs_.back().get();
  current_->move = std::move(move);
  current_->number = ++jobs_begun_;
  first_ = at;
  pump();
}

/// Asks for whatever can go. The port may call back while it is asked.
void MemoryPort::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (can_ask()) ask();
  pumping_ = false;
}

bool MemoryPort::can_ask() const {
  if (current_ == nullptr || current_->all_asked()) return false;
  // The newest job asks; those before it are writes that wait for their responses.
  if (current_->move.reads && jobs_.size() > 1) return false;
  if (next_write_ != kNever) return false;  // one that was asked for has not left yet
  return current_->in_flight == 0 || port_.can_issue(!current_->move.reads);
}

/// Bytes of the burst that begins at this place of the move's bytes.
std::uint64_t MemoryPort::piece(const Job& job, std::uint64_t place) const {
  const std::uint64_t length = job.move.vector_bytes;
  if (!job.move.contiguous()) return length - place % length;
  const std::uint64_t unit = longest_burst(axi_bytes_);
  const auto address = static_cast<std::uint32_t>(job.move.address(0) + place);
  return std::min<std::uint64_t>(job.move.bytes.size() - place, unit - address % unit);
}

std::uint64_t MemoryPort::beats(std::uint32_t address, std::uint64_t bytes) const {
  return (address % axi_bytes_ + bytes + axi_bytes_ - 1) / axi_bytes_;
}

void MemoryPort::ask() {
  Job& job = *current_;
  const std::uint64_t size = piece(job, job.asked), length = job.move.vector_bytes;
  MasterPort::Transfer transfer;
  transfer.write = !job.move.reads;
  transfer.address = job.move.contiguous()
                         ? static_cast<std::uint32_t>(job.move.address(0) + job.asked)
                         : static_cast<std::uint32_t>(job.move.address(job.asked / length) + job.asked % length);
  transfer.data = &job.move.bytes[job.asked];
  transfer.size = size;
  transfer.tag = tag_of(job, job.asked);
  transfer.not_before = std::max(first_, clock_.time_of(edge(port_.now())));
  if (transfer.write) next_write_ = transfer.not_before = std::max(transfer.not_before, channel_free_);
  job.asked += size;
  ++job.in_flight;
  ++bursts_[transfer.write];
  port_.issue(transfer);
}

MemoryPort::Job& MemoryPort::job_of(Tag tag) {
  return **std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& job) { return job->number == tag >> 32; });
}

void MemoryPort::issued(Tag tag, Picoseconds time) {
  Job& job = job_of(tag);
  const std::uint64_t place = tag & 0xFFFFFFFF;
  const std::uint64_t data = beats(0, piece(job, place));
  if (job.move.reads) {
    data_end_ = time + (data - 1) * clock_.period();
  } else {
    next_write_ = kNever;
    channel_free_ = time + data * clock_.period();
    if (job.all_asked() && &job == current_)
      over(edge(time) + data - std::min<std::uint64_t>(kRequestCycles, edge(time)));
  }
  pump();
}

void MemoryPort::completed(Tag tag, const Answer& answer) {
  Job& job = job_of(tag);
  --job.in_flight;
  const std::uint64_t place = tag & 0xFFFFFFFF;
  if (!answer.ok()) {
    if (refused_.number++ == 0)
      refused_ = {1, job.move.address(place / job.move.vector_bytes), !job.move.reads, answer.completion};
    if (job.move.reads) std::memset(&job.move.bytes[place], 0, piece(job, place));
  }
  const bool ended = job.all_asked() && job.in_flight == 0;
  if (ended && job.move.reads) over(edge(answer.completion) + kReturnCycles);
  if (ended) jobs_.erase(std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& one) { return one.get() == &job; }));
  pump();
}

/// The job is not freed in here: the stream goes on with the next one.
void MemoryPort::over(std::uint64_t cycle) {
  Job& job = *current_;
  current_ = nullptr;
  on_over(job.move, cycle);
}

Picoseconds MemoryPort::next_write(Picoseconds now) const {
  if (next_write_ != kNever && next_write_ > now) return next_write_;
  if (next_write_ == kNever && (current_ == nullptr || current_->move.reads)) return kNever;
  return now + clock_.period();  // with the response that makes room for it
}

Picoseconds MemoryPort::earliest_end(Picoseconds now) const {
  if (current_ == nullptr) return kNever;
  if (!current_->move.reads) return now;
  return std::max({now, first_, data_end_}) + kReturnCycles * clock_.period();
}

void MemoryPort::abandon() {
  port_.abandon();
  std::move(jobs_.begin(), jobs_.end(), std::back_inserter(abandoned_));
  jobs_.clear();
  current_ = nullptr;
  next_write_ = kNever;
  channel_free_ = 0;
}

std::uint8_t* MemoryPort::data_of(Tag tag) {
  for (const auto& job : jobs_)
    if (job->number == tag >> 32 && (tag & 0xFFFFFFFF) < job->move.bytes.size())
      return &job->move.bytes[tag & 0xFFFFFFFF];
  throw UserError("the saved state has a burst of a TCU without its bytes.");
}

void MemoryPort::Refused::persist(Archive& archive) {
  archive("number", number)("address", address)("write", write)("time", time);
}

void MemoryPort::Job::persist(Archive& archive) {
  archive("move", move)("number", number)("asked", asked)("in_flight", in_flight);
  archive.require(asked <= move.bytes.size(), "asked", "is out of range");
}

void MemoryPort::persist(Archive& archive) {
  std::uint64_t jobs = jobs_.size();
  archive.below("number_of_jobs", jobs, 1 << 16);
  if (archive.loading()) {
    abandoned_.clear();
    jobs_.clear();
    while (jobs_.size() < jobs) jobs_.push_back(std::make_unique<Job>());
  }
  for (const auto& job : jobs_) archive("job", *job);
  bool busy = current_ != nullptr;
  archive("busy", busy);
  archive.require(!busy || !jobs_.empty(), "busy", "is out of range");
  if (archive.loading()) current_ = busy ? jobs_.back().get() : nullptr;
  archive("first", first_)("channel_free", channel_free_)("next_write", next_write_);
  archive("data_end", data_end_)("jobs_begun", jobs_begun_);
  archive("bursts", bursts_)("refused", refused_);
}

}  // namespace vp::tensil
