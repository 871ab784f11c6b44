#include "models/tensil/core.h"

#include <algorithm>

#include "models/tensil/asm.h"

namespace vp::tensil {
namespace {

/// Vectors that the array takes at once, so that inputs and results stay in the first cache.
constexpr std::uint64_t kBlockVectors = 64;

/// The tracepoint after a reset: no program reaches it.
constexpr std::uint32_t kNoTracepoint = 0xFFFFFFFF;
constexpr std::uint32_t kDefaultTimeout = 100;

bool configures(const Instruction& in, ConfigRegister which) {
  return in.operation == Operation::configure && in.config_register == static_cast<unsigned>(which);
}

}  // namespace

Core::Space::Space(unsigned vectors) : depth(vectors), mask(1) {
  while (mask < depth) mask *= 2;
  --mask;
}

Core::Core(const Architecture& architecture, Encoding encoding, OnError on_error, unsigned axi_bytes, DramPort& dram0,
           DramPort& dram1)
    : Core(architecture, encoding, on_error, axi_bytes) {
  ports_[0] = &dram0;
  ports_[1] = &dram1;
}

Core::Core(const Architecture& architecture, Encoding encoding, OnError on_error, unsigned axi_bytes)
    : architecture_(architecture),
      format_(architecture.format()),
      layout_(architecture, encoding),
      on_error_(on_error),
      local_space_(architecture.local_depth),
      accumulator_space_(architecture.accumulator_depth),
      dram_spaces_{Space(architecture.dram0_depth), Space(architecture.dram1_depth)},
      beats_((architecture.vector_bytes() + axi_bytes - 1) / axi_bytes),
      local_(architecture.local_depth, architecture.array_size),
      accumulators_(architecture.accumulator_depth, architecture.array_size),
      array_(architecture),
      simd_(architecture),
      timing_(architecture),
      zeros_(padded_lanes(architecture.array_size)),
      nowhere_(zeros_.size()),
      inputs_(kBlockVectors * architecture.array_size),
      results_(kBlockVectors * zeros_.size()) {
  reset(0);
}

void Core::reset(std::uint64_t cycle) {
  array_.reset();
  simd_.reset();
  timing_.reset(cycle);
  order_.reset();
  if (architecture_.number_of_threads > 1) order_.emplace(architecture_);
  program_counter_ = 0;
  std::fill(std::begin(config_), std::end(config_), 0);
  config_[static_cast<unsigned>(ConfigRegister::timeout)] = kDefaultTimeout;
  config_[static_cast<unsigned>(ConfigRegister::tracepoint)] = kNoTracepoint;
  pending_.clear();
  stopped_.reset();
  newest_access_ = {};
}

void Core::push(const std::uint8_t* bytes, std::size_t count) {
  const std::size_t length = layout_.instruction_bytes();
  while (!pending_.empty() && count > 0) {
    pending_.push_back(*bytes++);
    --count;
    if (pending_.size() < length) continue;
    execute(layout_.decode(pending_.data()));
    pending_.clear();
  }
  for (; count >= length; bytes += length, count -= length) execute(layout_.decode(bytes));
  pending_.insert(pending_.end(), bytes, bytes + count);
}

void Core::preload(unsigned vector, const std::uint8_t* bytes, unsigned vectors) {
  for (unsigned v = 0; v < vectors && vector + v < local_.depth(); ++v)
    read_scalars(format_, bytes + std::size_t{v} * architecture_.vector_bytes(), local_.write(vector + v),
                 architecture_.array_size);
}

void Core::execute(const Instruction& in) {
  std::optional<DramMove> move = begin(in);
  if (move) transfer(*move);
}

std::optional<DramMove> Core::begin(const Instruction& in, Picoseconds pushed) {
  if (stopped_) return std::nullopt;
  if (program_counter_ == config(ConfigRegister::tracepoint)) ++figures_.tracepoint_hits;
  ++figures_.instructions;
  const std::string fault = illegal(in);
  if (!fault.empty()) {
    if (report(FindingKind::illegal_instruction, in, fault)) skip(in, pushed);
    return std::nullopt;
  }
  const std::string range = beyond(in);
  if (!range.empty() && !report(FindingKind::address_beyond, in, range)) return std::nullopt;
  if (order_) order_->begin_instruction(in.thread);
  unordered_ = false;
  const std::uint32_t program_counter = program_counter_;
  std::optional<DramMove> move = perform(in);
  if (unordered_)
    findings_.add(FindingKind::unordered_threads, program_counter_,
                  findings_.keeps(FindingKind::unordered_threads) ? disassemble(layout_, in) : "");
  if (!configures(in, ConfigRegister::program_counter)) ++program_counter_;
  if (move)
    move->pushed = pushed;
  else
    tell_executed(in, program_counter, pushed);
  if (configures(in, ConfigRegister::sample_interval)) sample_every(config(ConfigRegister::sample_interval));
  if (move && decoder_observer_ && timing_.sampling()) decoder_observer_->turned_to(in, program_counter, move->asked);
  return move;
}

/// An illegal instruction takes a cycle.
void Core::skip(const Instruction& in, Picoseconds pushed) {
  Instruction skipped = in;
  if (in.thread >= architecture_.number_of_threads) skipped.thread = 0;
  timing_.finish(skipped, Activity::skipped, timing_.start(skipped, Activity::skipped), 0);
  ++program_counter_;
  tell_executed(in, program_counter_ - 1, pushed);
}

void Core::tell_observers(const Instruction& in, std::uint32_t program_counter, Picoseconds pushed) {
  for (CoreObserver* observer : observers_)
    observer->executed(program_counter, in, pushed, timing_.begun(), timing_.ended());
}

void Core::tell_executed(const Instruction& in, std::uint32_t program_counter, Picoseconds pushed) {
  tell_observers(in, program_counter, pushed);
  if (decoder_observer_ && timing_.sampling())
    decoder_observer_->left(in, program_counter, timing_.decoded(), program_counter_);
}

void Core::sample_every(std::uint32_t interval) {
  config_[static_cast<unsigned>(ConfigRegister::sample_interval)] = interval;
  timing_.set_sample_interval(interval);
  if (decoder_observer_) decoder_observer_->sampled(interval, timing_.ended(), program_counter_);
}

/// Notes a finding. False if the run ends with it.
bool Core::report(FindingKind kind, const Instruction& in, const std::string& problem) {
  findings_.add(kind, program_counter_, findings_.keeps(kind) ? disassemble(layout_, in) + ": " + problem : "");
  if (on_error_ == OnError::stop) stopped_ = Stop{program_counter_, in, problem};
  return on_error_ != OnError::stop;
}

std::string Core::illegal(const Instruction& in) const {
  if (in.thread >= architecture_.number_of_threads) return "thread " + std::to_string(in.thread) + " does not exist";
  switch (in.operation) {
    case Operation::reserved:
      return "opcode " + std::to_string(in.opcode) + " does not exist";
    case Operation::data_move:
      return name_of(in.flow()) ? "" : "data flow " + std::to_string(in.flags) + " does not exist";
    case Operation::simd:
      return simd_.illegal(in);
    case Operation::load_lut:
      if (architecture_.number_of_luts == 0) return "there are no lookup tables";
      return in.address1 <= architecture_.number_of_luts
                 ? ""
                 : "lookup table " + std::to_string(in.address1) + " does not exist";
    default:
      return "";
  }
}

/// Vectors that the instruction moves.
std::uint64_t Core::vectors_of(const Instruction& in) const {
  if (in.operation == Operation::load_lut)
    return (architecture_.lut_depth + architecture_.array_size - 1) / architecture_.array_size;
  return in.operation == Operation::simd ? 1 : in.count();
}

/// Which operand leaves its memory, in words; empty if none does.
std::string Core::beyond(const Instruction& in) const {
  const std::uint64_t count = vectors_of(in);
  const auto outside = [&](const Rows& rows, const char* memory) -> std::string {
    if (rows.within(count)) return "";
    return "vectors " + std::to_string(rows.base) + " to " + std::to_string(rows.last(count)) + " of " + memory +
           ", which has " + std::to_string(rows.space->depth);
  };
  const auto first = [](const std::string& one, const std::string& other) { return one.empty() ? other : one; };
  const auto local = [&] { return outside(local_rows(in), "local memory"); };
  const auto accumulators = [&](const Rows& rows) { return outside(rows, "the accumulators"); };
  switch (in.operation) {
    case Operation::mat_mul:
      return first(in.has(kMatMulZeroes) ? "" : local(), accumulators(other_rows(in, accumulator_space_)));
    case Operation::load_weight:
      return in.has(kLoadWeightZeroes) ? "" : local();
    case Operation::load_lut:
      return local();
    case Operation::simd:
      return first(in.has(kSimdWrite) ? accumulators({in.address0, 1, &accumulator_space_}) : "",
                   in.has(kSimdRead) ? accumulators({in.address1, 1, &accumulator_space_}) : "");
    case Operation::data_move:
      if (activity_of(in) == Activity::accumulator_move)
        return first(local(), accumulators(other_rows(in, accumulator_space_)));
      return first(local(), in.flags < 2 ? outside(other_rows(in, dram_spaces_[0]), "DRAM0")
                                         : outside(other_rows(in, dram_spaces_[1]), "DRAM1"));
    default:
      return "";
  }
}

Activity Core::activity_of(const Instruction& in) const {
  switch (in.operation) {
    case Operation::mat_mul:
      return Activity::mat_mul;
    case Operation::load_weight:
      return Activity::load_weight;
    case Operation::simd:
      return Activity::simd;
    case Operation::load_lut:
      return Activity::load_lut;
    case Operation::configure:
      return Activity::configure;
    case Operation::data_move:
      switch (in.flow()) {
        case DataFlow::dram0_to_local:
          return Activity::dram0_read;
        case DataFlow::local_to_dram0:
          return Activity::dram0_write;
        case DataFlow::dram1_to_local:
          return Activity::dram1_read;
        case DataFlow::local_to_dram1:
          return Activity::dram1_write;
        default:
          return Activity::accumulator_move;
      }
    default:
      return Activity::no_op;
  }
}

/// Function and time of a legal instruction, but for a transfer with DRAM.
std::optional<DramMove> Core::perform(const Instruction& in) {
  const Activity activity = activity_of(in);
  if (is_dram(activity)) return begin_move(in, activity);
  const Timing::Started started = timing_.start(in, activity);
  switch (in.operation) {
    case Operation::mat_mul:
      mat_mul(in);
      break;
    case Operation::load_weight:
      load_weight(in);
      break;
    case Operation::data_move:
      move_accumulators(in);
      break;
    case Operation::simd:
      simd(in);
      break;
    case Operation::load_lut:
      load_lut(in);
      break;
    case Operation::configure:
      configure(in);
      break;
    case Operation::no_op:
      if (order_) order_->wait_for(in.address0);
      break;
    case Operation::reserved:
      break;
  }
  const bool moves = activity != Activity::configure && activity != Activity::no_op;
  timing_.finish(in, activity, started, moves ? vectors_of(in) : 0);
  return std::nullopt;
}

}  // namespace vp::tensil
