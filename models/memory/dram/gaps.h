#pragma once

#include <algorithm>

#include "models/memory/dram/config.h"

namespace vp::dram {

/// How two bursts lie to each other on the channel.
enum class Relation { same_group, same_rank, other_rank };

/// Least distances between commands in cycles, derived from a configuration. The rules are JEDEC's as DRAMsim3 states
/// them (README, timing rules); burst: cycles of data of one burst.
struct Gaps {
  explicit Gaps(const ChannelConfig& config) {
    const Timing& t = config.timing;
    const unsigned burst = config.burst_cycles();
    const unsigned read_latency = t.al + t.cl, write_latency = t.al + t.cwl;
    // The data may lie closer, but there is one command a cycle.
    const auto at_least_one = [](int value) { return static_cast<unsigned>(std::max(value, 1)); };
    const unsigned read_to_write =
        at_least_one(int(read_latency + burst + t.rtrs) - int(write_latency)) + config.controller.read_to_write_extra;
    const unsigned write_to_other_rank = at_least_one(int(write_latency + burst + t.rtrs) - int(read_latency));
    const unsigned write_end = write_latency + burst;
    // column[first is a write][second is a write][relation]
    column[0][0][0] = std::max(burst, t.ccd_l), column[0][0][1] = std::max(burst, t.ccd_s);
    column[0][0][2] = burst + t.rtrs;
    column[0][1][0] = column[0][1][1] = column[0][1][2] = read_to_write;
    column[1][0][0] = write_end + t.wtr_l, column[1][0][1] = write_end + t.wtr_s;
    column[1][0][2] = write_to_other_rank;
    column[1][1][0] = std::max(burst, t.ccd_l), column[1][1][1] = std::max(burst, t.ccd_s);
    column[1][1][2] = burst;
    activate_to_column = at_least_one(int(t.rcd) - int(t.al));
    activate_to_precharge = t.ras;
    activate_to_activate = t.ras + t.rp;
    to_precharge[0] = t.al + t.rtp, to_precharge[1] = write_end + t.wr;
    to_activate[0] = to_precharge[0] + (config.controller.auto_precharge_after_burst ? burst : 0) + t.rp;
    to_activate[1] = to_precharge[1] + t.rp;
    to_refresh[0] = to_precharge[0] + t.rp, to_refresh[1] = to_precharge[1] + t.rp;
    to_data_end[0] = read_latency + burst, to_data_end[1] = write_end;
    for (auto& first : column)
      for (auto& second : first)
        for (unsigned gap : second) longest_column = std::max(longest_column, gap);
  }

  unsigned column[2][2][3] = {};  ///< column command to column command, see above; index 2: Relation
  unsigned longest_column = 0;    ///< the largest of them
  unsigned activate_to_column = 0;
  unsigned activate_to_precharge = 0;
  unsigned activate_to_activate = 0;  ///< same bank
  unsigned to_precharge[2] = {};      ///< read, write to precharge of the bank
  unsigned to_activate[2] = {};       ///< read, write with auto-precharge to the next activate of the bank
  unsigned to_refresh[2] = {};        ///< read, write with auto-precharge to a refresh of the rank
  unsigned to_data_end[2] = {};       ///< read, write command to the end of the last data beat
};

}  // namespace vp::dram
