#include "models/tensil/dram_port.h"

#include <algorithm>
#include <cstring>

namespace vp::tensil {
namespace {

constexpr std::uint64_t kPage = 1 << 16;
constexpr std::uint64_t kBoundary = 4096;     ///< no AXI burst crosses it
constexpr std::uint64_t kLongestBurst = 256;  ///< beats
/// Requests that a port has under way; a longer latency than they cover is waited for.
constexpr std::uint64_t kOutstanding = 3;

// Found by fitting runs of the hardware description: cycles from the decoder to the first beat in local memory, and
// around a request and its response.
constexpr std::uint64_t kReadStart = 5;
constexpr std::uint64_t kReadRequest = 4;
constexpr std::uint64_t kWriteRequest = 2;

std::uint64_t divided_up(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

/// Calls use(page, place in it, bytes, place in the data) for the pieces of a range that lie in one page each.
template <typename Use>
void for_each_piece(std::uint32_t address, std::uint64_t count, Use use) {
  for (std::uint64_t done = 0; done < count;) {
    const std::uint32_t at = static_cast<std::uint32_t>(address + done);
    const std::uint64_t piece = std::min(count - done, kPage - at % kPage);
    use(at / kPage, at % kPage, piece, done);
    done += piece;
  }
}

}  // namespace

void SparseBytes::read(std::uint32_t address, std::uint8_t* data, std::uint64_t count) const {
  for_each_piece(address, count, [&](std::uint64_t page, std::uint64_t place, std::uint64_t bytes, std::uint64_t done) {
    if (const auto found = pages_.find(page); found != pages_.end())
      std::memcpy(data + done, found->second.get() + place, bytes);
    else
      std::memset(data + done, 0, bytes);
  });
}

void SparseBytes::write(std::uint32_t address, const std::uint8_t* data, std::uint64_t count) {
  for_each_piece(address, count, [&](std::uint64_t page, std::uint64_t place, std::uint64_t bytes, std::uint64_t done) {
    auto& memory = pages_[page];
    if (!memory) memory = std::make_unique<std::uint8_t[]>(kPage);
    std::memcpy(memory.get() + place, data + done, bytes);
  });
}

std::uint64_t PortTiming::beats(const Transfer& transfer) const {
  return transfer.vectors * divided_up(transfer.vector_bytes, axi_bytes);
}

std::uint64_t PortTiming::read_cycles(const Transfer& transfer) const {
  std::uint64_t streaming = beats(transfer);
  if (!transfer.contiguous())
    streaming = std::max(streaming, divided_up(transfer.vectors * (read_latency + kReadRequest), kOutstanding));
  return streaming + kReadStart + read_latency;
}

std::uint64_t PortTiming::write_cycles(const Transfer& transfer) const {
  const std::uint64_t burst = std::min(kBoundary, kLongestBurst * axi_bytes);
  const std::uint64_t first = transfer.address % burst;
  const std::uint64_t requests = transfer.contiguous() ? divided_up(first + transfer.bytes(), burst) : transfer.vectors;
  return std::max(beats(transfer), divided_up(requests * (write_latency + kWriteRequest), kOutstanding));
}

std::uint64_t FixedLatencyDram::read(const Transfer& transfer, std::uint8_t* data, std::uint64_t) {
  if (transfer.contiguous()) {
    memory_.read(transfer.address, data, transfer.bytes());
  } else {
    for (std::uint64_t v = 0; v < transfer.vectors; ++v)
      memory_.read(static_cast<std::uint32_t>(transfer.address + v * transfer.step_bytes),
                   data + v * transfer.vector_bytes, transfer.vector_bytes);
  }
  return timing_.read_cycles(transfer);
}

std::uint64_t FixedLatencyDram::write(const Transfer& transfer, const std::uint8_t* data, std::uint64_t) {
  if (transfer.contiguous()) {
    memory_.write(transfer.address, data, transfer.bytes());
  } else {
    for (std::uint64_t v = 0; v < transfer.vectors; ++v)
      memory_.write(static_cast<std::uint32_t>(transfer.address + v * transfer.step_bytes),
                    data + v * transfer.vector_bytes, transfer.vector_bytes);
  }
  return timing_.write_cycles(transfer);
}

}  // namespace vp::tensil
