#pragma once

#include <cstdint>
#include <string>

#include "models/memory/dram/config.h"

namespace vp::dram {

/// Where a burst lies. `bank` counts within the channel: (rank x bank groups + group) x banks per group + bank, so that
/// it can index a flat table; `group` counts within the channel likewise.
struct Location {
  unsigned bank;
  unsigned group;
  unsigned rank;
  unsigned row;
  unsigned column;  ///< in bursts
};

/// Splits addresses as a DRAMsim3 mapping string says: six fields of two letters, highest first (ro row, ch channel, ra
/// rank, ba bank in its group, bg bank group, co column in bursts); below them the byte within the burst. Address bits
/// above the channel's size are dropped.
class AddressMap {
 public:
  explicit AddressMap(const ChannelConfig& config);

  /// Address bits below the number of the burst.
  unsigned offset_bits() const { return offset_bits_; }
  Location locate(std::uint64_t address) const {
    const std::uint64_t burst = address >> offset_bits_;
    const unsigned rank = rank_.of(burst);
    const unsigned group = rank * groups_ + group_.of(burst);
    return {group * banks_per_group_ + bank_.of(burst), group, rank, row_.of(burst), column_.of(burst)};
  }

 private:
  struct Field {
    unsigned shift = 0;
    unsigned mask = 0;
    unsigned of(std::uint64_t burst) const { return static_cast<unsigned>(burst >> shift) & mask; }
  };
  unsigned offset_bits_ = 0;
  unsigned groups_ = 1;
  unsigned banks_per_group_ = 1;
  Field rank_, group_, bank_, row_, column_;
};

/// Throws UserError unless the text is a permutation of the six fields.
void check_mapping(const std::string& mapping);

}  // namespace vp::dram
