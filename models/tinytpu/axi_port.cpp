#include "models/tinytpu/axi_port.h"

#include <algorithm>

namespace vp::tinytpu {
namespace {

// Edges from the address handshake (README, Timing).
constexpr Edge kDataHandshake = 1;
constexpr Edge kLaneWrite = 2;  // earliest
constexpr Edge kRowWrite = 4;
constexpr Edge kWriteResponse = 3;
constexpr Edge kRowRead = 1;
constexpr Edge kCounterRead = 2;
constexpr Edge kReadResponse = 5;

constexpr const char* kLaneNames[3] = {"lower", "middle", "upper"};

}  // namespace

AxiPort::AxiPort(Core& core)
    : core_(core),
      map_(core.config()),
      row_(core.config().matrix_width),
      data_(core.config().matrix_width),
      enable_(core.config().matrix_width) {}

AxiPort::WriteTimes AxiPort::write(std::uint64_t offset, std::uint32_t data, unsigned strobes, Edge start,
                                   const Origin& origin) {
  WriteTimes times;
  if (blocked_) return times;
  const Place place = map_.decode(offset);
  ++counts_[static_cast<unsigned>(place.region)].writes;
  times.address = std::max(start, free_from_);
  times.data = times.address + kDataHandshake;
  times.response = times.address + kWriteResponse;
  if (place.region != Region::instructions) {
    write_row(place, data, strobes, times.address + kRowWrite, origin);
  } else if (place.word > 0) {
    const Edge pushed = write_instruction(place.word, data, times.address + kLaneWrite, origin);
    times.response = pushed == kNoEdge ? kNoEdge : pushed + (kWriteResponse - kLaneWrite);
  }
  blocked_ = times.response == kNoEdge;
  free_from_ = times.response + 1;
  return times;
}

/// Returns the edge of the push, kNoEdge if a lane stays full for ever.
Edge AxiPort::write_instruction(unsigned word, std::uint32_t data, Edge earliest, const Origin& origin) {
  const Edge edge = core_.predict_push_edge(earliest);
  if (edge == kNoEdge) return kNoEdge;
  back_pressure_ += edge - earliest;
  core_.push_word(word - 1, data, edge, origin);
  return edge;
}

/// The lane word goes out on all lanes; the enables pick the row's bytes. Lanes beyond the row (padding) do not exist.
void AxiPort::write_row(const Place& place, std::uint32_t data, unsigned strobes, Edge edge, const Origin& origin) {
  const std::size_t first = std::size_t{place.word} * 4;
  const std::size_t last = std::min(first + 4, row_.size());
  for (std::size_t i = first; i < last; ++i) {
    data_[i] = static_cast<std::uint8_t>(data >> (i - first) * 8);
    enable_[i] = strobes >> (i - first) & 1;
  }
  if (place.wrapped)
    core_.host_wrapped(place.region == Region::weights ? Memory::weight_buffer : Memory::unified_buffer, place.row,
                       edge, origin);
  if (place.region == Region::weights) {
    core_.host_write_weights(place.row, data_.data(), enable_.data(), edge, origin);
  } else {
    HostAccess access;
    access.row = place.row;
    access.data = data_.data();
    access.enable = enable_.data();
    access.origin = origin;
    core_.host_access(access, edge, row_.data());
  }
  for (std::size_t i = first; i < last; ++i) enable_[i] = 0;
}

AxiPort::ReadAnswer AxiPort::read(std::uint64_t offset, Edge start, Edge ready_delay, const Origin& origin) {
  ReadAnswer answer;
  if (blocked_) return answer;
  const Place place = map_.decode(offset);
  ++counts_[static_cast<unsigned>(place.region)].reads;
  answer.address = std::max(start, free_from_);
  const Edge access = answer.address + ready_delay;
  answer.response = access + kReadResponse;
  free_from_ = answer.response + 1;
  if (place.region == Region::unified_buffer) {
    HostAccess host;
    host.row = place.row;
    host.origin = origin;
    if (place.wrapped) core_.host_wrapped(Memory::unified_buffer, place.row, access + kRowRead, origin);
    core_.host_access(host, access + kRowRead, row_.data());
    const std::size_t first = std::size_t{place.word} * 4;
    for (std::size_t i = first; i < std::min(first + 4, row_.size()); ++i)
      answer.data |= std::uint32_t{row_[i]} << (i - first) * 8;
  } else if (place.region == Region::instructions && place.word == 0) {
    answer.data = core_.runtime(access + kCounterRead);
  }
  return answer;
}

std::string AxiPort::why_blocked() const {
  std::string full, fills;
  for (unsigned lane = 0; lane < 3; ++lane) {
    const unsigned fill = core_.lane_fill(lane);
    if (fill >= core_.config().fifo_depth) full += std::string(full.empty() ? "" : " and ") + kLaneNames[lane];
    fills += std::string(lane ? ", " : "") + kLaneNames[lane] + " " + std::to_string(fill);
  }
  return "the " + full +
         " lane of the tinyTPU's instruction FIFO is full and cannot drain, since the words in other lanes are "
         "missing (words of " +
         std::to_string(core_.config().fifo_depth) + " in each lane: " + fills +
         "); the port is blocked until a reset.";
}

void AxiPort::reset(Edge edge, Edge cycles) {
  core_.reset(edge);
  blocked_ = false;
  free_from_ = std::max(core_.next_edge(), edge + cycles);
}

PortFigures AxiPort::figures() const {
  const auto region = [this](unsigned index) {
    return PortFigures::Region{counts_[index].reads, counts_[index].writes};
  };
  return {region(0), region(1), region(2), back_pressure_};
}

}  // namespace vp::tinytpu
