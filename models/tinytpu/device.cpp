#include "models/tinytpu/device.h"

#include <algorithm>
#include <cstring>

#include "models/common/error.h"

namespace vp::tinytpu {
namespace {

constexpr const char* kInstructionWords[] = {"runtime counter", "lower instruction word", "middle instruction word",
                                             "upper instruction word"};

/// Looked at before the buffers are made, which would take gigabytes.
const TinyTpuConfig& checked(const TinyTpuConfig& config) {
  TinyTpuDevice::check(config);
  return config;
}

}  // namespace

void TinyTpuDevice::check(const TinyTpuConfig& config) {
  const std::uint64_t window = MemoryMap(config).window();
  if (window > std::uint64_t{1} << 31)
    throw UserError("the tinyTPU's window of " + std::to_string(window >> 20) +
                    " MiB is too large: choose smaller buffers (2048 MiB at most)");
}

TinyTpuDevice::TinyTpuDevice(const TinyTpuConfig& config, VisibleTimer& timer)
    : config_(checked(config)),
      clock_(config.clock_period),
      core_(config),
      port_(core_),
      timer_(timer),
      runtime_counter_(bank_, {"RUNTIME_COUNTER", port_.map().instruction_offset(), "cycles of the last program",
                               RegisterMode::write_ignored}),
      instruction_lower_(bank_, word(1, "INSTRUCTION_LOWER", "bits 31:0 of an instruction; reads 0")),
      instruction_middle_(bank_, word(2, "INSTRUCTION_MIDDLE", "bits 63:32; reads 0")),
      instruction_upper_(bank_, word(3, "INSTRUCTION_UPPER", "bits 79:64; reads 0")) {
  const MemoryMap& map = port_.map();
  runtime_counter_.on_peek = [this](Picoseconds) { return core_.runtime_now(); };
  bank_.add_region({"WEIGHT_BUFFER", 0, map.stride() * config.weight_depth, "rows of weights"});
  bank_.add_region({"UNIFIED_BUFFER", map.unified_buffer_offset(), map.stride() * config.unified_buffer_depth,
                    "rows of inputs and results"});
}

RegisterBase::Place TinyTpuDevice::word(unsigned number, const char* name, const char* help) const {
  return {name, port_.map().instruction_offset() + std::uint64_t{4} * number, help};
}

AccessResult TinyTpuDevice::write_word(std::uint64_t offset, std::uint32_t data, unsigned strobes, Picoseconds& now) {
  const AxiPort::WriteTimes times = port_.write(offset, data, strobes, clock_.edge_at_or_after(now), origin_);
  if (times.response == kNoEdge) return AccessResult::no_answer;
  now = clock_.time_of(times.response);
  schedule();
  return AccessResult::ok;
}

AccessResult TinyTpuDevice::read_word(std::uint64_t offset, std::uint32_t& data, Picoseconds& now) {
  const AxiPort::ReadAnswer answer = port_.read(offset, clock_.edge_at_or_after(now), 0, origin_);
  if (answer.response == kNoEdge) return AccessResult::no_answer;
  now = clock_.time_of(answer.response);
  data = answer.data;
  schedule();
  return AccessResult::ok;
}

AccessResult TinyTpuDevice::write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) {
  const unsigned lane = offset % kPortBytes;
  std::uint32_t word = 0;
  std::memcpy(reinterpret_cast<std::uint8_t*>(&word) + lane, data, size);
  return write_word(offset - lane, word, ((1U << size) - 1) << lane, now);
}

Answer TinyTpuDevice::access(const Access& access) {
  origin_ = origin_of(access);
  Answer answer = TargetModel::access(access);
  if (answer.result == AccessResult::no_answer) answer.why = port_.why_blocked();
  return answer;
}

AccessResult TinyTpuDevice::write_masked(std::uint64_t offset, const std::uint8_t* data, const std::uint8_t* enabled,
                                         unsigned size, Picoseconds& now) {
  const unsigned lane = offset % kPortBytes;
  std::uint32_t word = 0;
  unsigned strobes = 0;
  for (unsigned i = 0; i < size; ++i) {
    if (!enabled[i]) continue;
    word |= std::uint32_t{data[i]} << (lane + i) * 8;
    strobes |= 1U << (lane + i);
  }
  return write_word(offset - lane, word, strobes, now);
}

AccessResult TinyTpuDevice::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  const unsigned lane = offset % kPortBytes;
  std::uint32_t word = 0;
  const AccessResult result = read_word(offset - lane, word, now);
  if (result == AccessResult::ok) std::memcpy(data, reinterpret_cast<const std::uint8_t*>(&word) + lane, size);
  return result;
}

AccessResult TinyTpuDevice::read_masked(std::uint64_t offset, std::uint8_t* data, const std::uint8_t* enabled,
                                        unsigned size, Picoseconds& now) {
  std::uint8_t bytes[kPortBytes] = {};
  const AccessResult result = read(offset, bytes, size, now);
  for (unsigned i = 0; result == AccessResult::ok && i < size; ++i)
    if (enabled[i]) data[i] = bytes[i];
  return result;
}

unsigned TinyTpuDevice::debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) {
  std::vector<std::uint8_t> row(port_.map().stride());
  for (unsigned i = 0; i < size;) {
    const Place place = port_.map().decode(offset + i);
    const unsigned byte = static_cast<unsigned>((offset + i) % port_.map().stride());
    std::fill(row.begin(), row.end(), std::uint8_t{0});
    if (place.region == Region::weights) core_.read_weights(place.row, row.data());
    if (place.region == Region::unified_buffer) core_.read_unified_buffer(place.row, row.data());
    if (place.region == Region::instructions) {
      const std::uint32_t runtime = core_.runtime_now();
      std::memcpy(row.data(), &runtime, sizeof runtime);
    }
    const unsigned count = std::min(size - i, static_cast<unsigned>(row.size()) - byte);
    std::copy_n(&row[byte], count, data + i);
    i += count;
  }
  return size;
}

unsigned TinyTpuDevice::debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) {
  std::vector<std::uint8_t> row(port_.map().stride());
  for (unsigned i = 0; i < size;) {
    const Place place = port_.map().decode(offset + i);
    if (place.region == Region::instructions) return i;
    const unsigned byte = static_cast<unsigned>((offset + i) % port_.map().stride());
    const unsigned count = std::min(size - i, static_cast<unsigned>(row.size()) - byte);
    const bool weights = place.region == Region::weights;
    weights ? core_.read_weights(place.row, row.data()) : core_.read_unified_buffer(place.row, row.data());
    std::copy_n(data + i, count, &row[byte]);
    weights ? core_.write_weights(place.row, row.data()) : core_.write_unified_buffer(place.row, row.data());
    i += count;
  }
  return size;
}

std::string TinyTpuDevice::describe(std::uint64_t offset) const {
  const Place place = port_.map().decode(offset);
  if (place.region == Region::instructions) return kInstructionWords[place.word];
  return std::string(place.region == Region::weights ? "weight buffer" : "unified buffer") + " row " +
         std::to_string(place.row) + " word " + std::to_string(place.word);
}

/// Keeps the timer at the next edge of the line.
void TinyTpuDevice::schedule() {
  const Edge edge = line_.level() ? pulse_ + 1 : core_.next_synchronize();
  timer_.set(edge == kNoEdge ? kNever : clock_.time_of(edge));
}

void TinyTpuDevice::deliver() {
  const Edge next = core_.next_synchronize();
  // While the line is high, only an adjacent pulse keeps it so.
  const bool high = next != kNoEdge && (!line_.level() || next == pulse_ + 1);
  if (high) {
    pulse_ = core_.take_synchronize();
    ++pulses_;
  }
  line_.set(high);
  schedule();
}

void TinyTpuDevice::reset(Picoseconds now) {
  port_.reset(clock_.edge_at_or_after(now));
  while (core_.next_synchronize() != kNoEdge) core_.take_synchronize();
  line_.set(false);
  schedule();
}

DeviceFigures TinyTpuDevice::figures(Picoseconds now) {
  core_.advance_to(clock_.edge_at_or_before(now));
  return {std::to_string(clock_.period()) + "ps", pulses_, core_.runtime_figures(), port_.figures(), core_.figures()};
}

std::vector<Finding> TinyTpuDevice::hazards(Picoseconds now, const OriginText& origin) {
  core_.advance_to(clock_.edge_at_or_before(now));
  std::vector<Finding> findings = core_.hazards().told(config_.clock_period, origin);
  if (const Edge edge = core_.given_up_at(); edge != kNoEdge)
    findings.push_back({"the run was stopped in the middle of a program: rows from cycle " + std::to_string(edge) +
                            " on were not worked off, so that they hold old values and hazards among them are not "
                            "listed.",
                        clock_.time_of(edge)});
  return findings;
}

}  // namespace vp::tinytpu
