#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/drra/address_stream.h"
#include "models/drra/isa.h"

namespace vp::drra {

constexpr unsigned kRegisterWords = 64;
constexpr unsigned kBlockWords = 16;
constexpr unsigned kBlocks = kRegisterWords / kBlockWords;

/// A block of a register file, a row of a DiMArch memory or of an IO buffer.
using Row = std::array<std::int16_t, kBlockWords>;

/// A word on the interconnect: the 16 bits, and whether it is an element of a stream. The valid bit is for figures and
/// for cells at rest; the hardware has none.
using BusWord = std::int32_t;
constexpr BusWord kValidBit = 1 << 16;
constexpr BusWord bus_word(std::int16_t value, bool valid) {
  return static_cast<std::uint16_t>(value) | (valid ? kValidBit : 0);
}
constexpr std::int16_t value_of(BusWord word) { return static_cast<std::int16_t>(word); }

/// The ports of a register file: the word ports as REFI numbers them, then the block ports to the DiMArch.
enum Port : unsigned { w0, w1, r0, r1, block_write, block_read, kPorts };
constexpr const char* name_of(Port port) {
  constexpr const char* kNames[kPorts] = {"w0", "w1", "r0", "r1", "block_write", "block_read"};
  return kNames[port];
}

/// 64 words with two word reads, two word writes, a block read and a block write in each cycle, every port with its
/// address generator. Reads see the words as they were before the writes of the same cycle; a port whose generator
/// gives no address reads 0.
class RegisterFile {
 public:
  /// Starts the generator of a port in cycle `start`; `pc` is that of its REFI, for messages. Returns false, and does
  /// nothing, while an earlier stream of the port has addresses left.
  bool start_stream(Port port, const StreamSettings& settings, Cycle start, unsigned pc) {
    if (streams_[port].active()) return false;
    streams_[port].start(settings, start);
    pcs_[port] = static_cast<std::uint8_t>(pc);
    next_ = std::min(next_, streams_[port].next());
    return true;
  }
  /// The cycle of the earliest address of any port; kNever without streams.
  Cycle next() const { return next_; }
  /// Whether a port has an address in this cycle.
  bool due(Port port, Cycle cycle) const { return streams_[port].next() == cycle; }
  const AddressStream& stream(Port port) const { return streams_[port]; }
  bool active(Port port) const { return streams_[port].active(); }
  unsigned pc(Port port) const { return pcs_[port]; }

  /// The word of a read port in this cycle.
  BusWord read_word(Port port, Cycle cycle) {
    return due(port, cycle) ? bus_word(words_[take(port) % kRegisterWords], true) : 0;
  }
  /// The address of a word write port, or the number of a block of a block port. Only if due().
  unsigned take(Port port) {
    const auto address = static_cast<unsigned>(streams_[port].address());
    streams_[port].advance();
    ++addresses_[port];
    return address % (port >= block_write ? kBlocks : kRegisterWords);
  }
  /// After all ports of a cycle.
  void settle() {
    next_ = kNever;
    for (const AddressStream& stream : streams_) next_ = std::min(next_, stream.next());
  }

  std::int16_t operator[](unsigned address) const { return words_[address]; }
  void write(unsigned address, std::int16_t value) { words_[address] = value; }
  Row block(unsigned number) const {
    Row row;
    std::copy_n(words_.begin() + number * kBlockWords, kBlockWords, row.begin());
    return row;
  }
  /// Addresses that each port has given.
  const std::array<std::uint64_t, kPorts>& addresses() const { return addresses_; }
  /// As at power-up, but for addresses().
  void reset() {
    const std::array<std::uint64_t, kPorts> addresses = addresses_;
    *this = RegisterFile();
    addresses_ = addresses;
  }
  void persist(Archive& archive);

 private:
  std::array<std::int16_t, kRegisterWords> words_{};
  std::array<AddressStream, kPorts> streams_;
  std::array<std::uint8_t, kPorts> pcs_{};
  std::array<std::uint64_t, kPorts> addresses_{};
  Cycle next_ = kNever;
};

}  // namespace vp::drra
