#include "models/tensil/sampler.h"

#include <algorithm>
#include <vector>

#include "models/common/archive.h"

namespace vp::tensil {
namespace {

/// The bit that tells whether a port is valid; the one above it, whether it is ready.
constexpr std::uint16_t valid(DecoderPort port) {
  return static_cast<std::uint16_t>(1u << (2 * static_cast<unsigned>(port)));
}
constexpr std::uint16_t kAllReady = 0xAAAA;

/// The ports to which the decoder hands an instruction on.
std::uint16_t ports_of(const Instruction& in) {
  using Port = DecoderPort;
  const auto unless = [](bool not_used, Port port) { return not_used ? 0 : valid(port); };
  unsigned ports = 0;
  switch (in.operation) {
    case Operation::mat_mul:
      ports = valid(Port::array) | valid(Port::dataflow) | valid(Port::accumulators) |
              unless(in.has(kMatMulZeroes), Port::memory_a);
      break;
    case Operation::load_weight:
      ports = valid(Port::array) | unless(in.has(kLoadWeightZeroes), Port::memory_b);
      break;
    case Operation::data_move:
      if (in.flags >= 4)
        ports = valid(Port::dataflow) | valid(Port::memory_a) | valid(Port::accumulators);
      else
        ports = valid(Port::memory_b) | valid(in.flags < 2 ? Port::dram0 : Port::dram1);
      break;
    case Operation::simd:
      ports = valid(Port::accumulators);
      break;
    case Operation::load_lut:
      ports = valid(Port::memory_a);
      break;
    default:
      break;
  }
  return static_cast<std::uint16_t>(ports);
}

void append(std::vector<std::uint8_t>& bytes, const Sample& sample) {
  const std::uint64_t word = sample.program_counter | std::uint64_t{sample.flags} << 32;
  for (unsigned i = 0; i < Sample::kBytes; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

}  // namespace

Sampler::Sampler(Core& core, std::uint32_t block, Picoseconds clock)
    : block_(std::max(block, 1u)), clock_(clock), core_(core) {}

void Sampler::connect(PacketSink& sink) {
  sink_ = &sink;
  core_.set_decoder_observer(this);
}

void Sampler::sampled(std::uint32_t interval, std::uint64_t cycle, std::uint32_t program_counter) {
  if (!ticks_.running()) {
    spans_.clear();
    rest_ = program_counter;
  }
  ticks_.set_interval(interval, cycle);
}

void Sampler::turned_to(const Instruction& in, std::uint32_t program_counter, std::uint64_t asked) {
  spans_.push_back({asked, kOpen, kOpen, program_counter, program_counter + 1, ports_of(in)});
}

void Sampler::left(const Instruction& in, std::uint32_t program_counter, const Timing::Decoded& times,
                   std::uint32_t next) {
  const Span span{times.asked, times.ready, times.end, program_counter, next, ports_of(in)};
  auto behind = spans_.end();
  while (behind != spans_.begin() && std::prev(behind)->asked > times.asked) --behind;
  const auto is_it = [&](const Span& one) {
    return one.end == kOpen && one.asked == times.asked && one.program_counter == program_counter;
  };
  const auto open = behind == spans_.begin() ? spans_.end() : std::prev(behind);
  if (open == spans_.end() || !is_it(*open)) {
    spans_.insert(behind, span);
    return;
  }
  *open = span;
  closed_ = true;
}

/// Of several threads, what the instruction shows that began last.
Sample Sampler::sample_at(std::uint64_t cycle) const {
  const Half time = 2 * cycle;
  const auto behind = std::find_if(spans_.begin(), spans_.end(), [&](const Span& span) { return span.asked > time; });
  if (behind == spans_.begin()) return {rest_, kAllReady};
  const Span& span = *std::prev(behind);
  if (time >= span.end) return {span.next, kAllReady};
  constexpr std::uint16_t kInstruction = valid(DecoderPort::instruction);
  unsigned flags = kAllReady | kInstruction | span.ports;
  if (time < span.ready) flags &= ~(span.ports * 2u);
  if (time + 2 < span.end) flags &= ~(kInstruction * 2u);  // it leaves the decoder in its last cycle
  return {span.program_counter, static_cast<std::uint16_t>(flags)};
}

/// The cycle up to which, that one not included, samples will not change any more.
std::uint64_t Sampler::known_until(Picoseconds now) const {
  const std::uint64_t cycle = now / clock_.period();
  std::uint64_t known = cycle < kDelay ? 0 : cycle - kDelay + 1;
  for (const Span& span : spans_)
    if (span.end == kOpen) known = std::min(known, (span.asked + 1) / 2);
  return known;
}

/// Samples before `cycle` are not taken: the first waits, if none does yet.
void Sampler::pass(std::uint64_t cycle) {
  if (!held_ && ticks_.next() < cycle) {
    held_ = sample_at(ticks_.next());
    ticks_.advance();
  }
  lost_ += ticks_.pass(cycle);
  drop_old_spans();
}

void Sampler::drop_old_spans() {
  while (spans_.size() > 1 && spans_.front().end != kOpen &&
         spans_[1].asked <= 2 * std::min(ticks_.next(), kOpen / 2)) {
    rest_ = spans_.front().next;
    spans_.pop_front();
  }
}

void Sampler::settle(Picoseconds now) {
  if (sink_ == nullptr) return;
  if (closed_) earliest_ = now / clock_.period() + kDelay;
  closed_ = false;
  if (!wanting()) listening_ = false;
  const std::uint64_t known = known_until(now);
  pass(listening_ ? std::min(known, since_) : known);
}

void Sampler::wanted(Picoseconds at) {
  listening_ = true;
  since_ = edge(at);
  if (on_wanted) on_wanted();
}

Picoseconds Sampler::next() const {
  if (!wanting()) return kNever;
  std::uint64_t more = (sink_->wants() + Sample::kBytes - 1) / Sample::kBytes;
  more = std::min<std::uint64_t>(more, block_ - in_packet_);
  if (held_ || ticks_.next() < since_) --more;  // one waits by then
  std::uint64_t last = since_;
  if (more > 0) {
    SampleClock ticks = ticks_;
    ticks.pass(since_);
    last = ticks.after(more - 1);
    if (last == SampleClock::kNone) return kNever;
  }
  for (const Span& span : spans_)
    if (span.end == kOpen && span.asked <= 2 * last) return kNever;
  return clock_.time_of(std::max(last + kDelay, earliest_));
}

void Sampler::deliver(Picoseconds now) {
  settle(now);
  if (!wanting() || now / clock_.period() < earliest_) return;
  const std::uint64_t known = known_until(now);
  std::vector<std::uint8_t> bytes;
  const auto put = [&](bool last) {
    sink_->put(bytes.data(), bytes.size(), last, now);
    bytes.clear();
  };
  while (wanting() && (held_ ? since_ : ticks_.next()) < known) {
    append(bytes, held_ ? *held_ : sample_at(ticks_.next()));
    if (held_)
      held_.reset();
    else
      ticks_.advance();
    ++taken_;
    const bool last = ++in_packet_ == block_;
    if (last) in_packet_ = 0;
    packets_ += last;
    if (last || bytes.size() >= sink_->wants()) put(last);
  }
  if (!bytes.empty()) put(false);
  drop_old_spans();
}

void Sampler::reset() {
  ticks_.reset();
  spans_.clear();
  rest_ = 0;
  held_.reset();
  listening_ = closed_ = false;
  in_packet_ = 0;
  earliest_ = 0;
}

void Sample::persist(Archive& archive) { archive("program_counter", program_counter)("flags", flags); }

void Sampler::Span::persist(Archive& archive) {
  archive("asked", asked)("ready", ready)("end", end)("program_counter", program_counter)("next", next);
  archive("ports", ports);
}

void Sampler::persist(Archive& archive) {
  archive("ticks", ticks_)("spans", spans_)("rest", rest_)("held", held_)("listening", listening_)("since", since_);
  archive("earliest", earliest_)("closed", closed_).below("in_packet", in_packet_, block_);
  archive("taken", taken_)("lost", lost_)("packets", packets_);
}

}  // namespace vp::tensil
