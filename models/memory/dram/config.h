#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/clock.h"

namespace vp {
class ParameterGroup;
}

namespace vp::dram {

/// Time in cycles of the DRAM's command clock (tCK); data moves on both edges.
using Cycle = std::uint64_t;

/// Later than any command: "never".
inline constexpr Cycle kNoCycle = ~Cycle{0};

enum class Protocol { ddr3, ddr4, lpddr, lpddr3, lpddr4 };
enum class PagePolicy { open, closed };
/// What they mean is said at make_scheduler().
enum class SchedulingPolicy { in_order, first_ready, oldest_ready };
/// all_ranks: one refresh of every rank each tREFI; staggered: one rank every tREFI / ranks.
enum class RefreshPolicy { staggered, all_ranks };

/// What one rank is made of, named as in a DRAMsim3 ini file. `columns` counts device columns, burst_length of them a
/// burst.
struct Structure {
  Protocol protocol = Protocol::ddr4;
  unsigned bank_groups = 4;
  unsigned banks_per_group = 4;
  unsigned rows = 65536;
  unsigned columns = 1024;
  unsigned device_width = 8;  ///< bits
  unsigned burst_length = 8;  ///< beats on the data bus, two a cycle
};

/// Timing parameters in cycles, with the names of the JEDEC standards. _l: same bank group, _s: other bank group.
struct Timing {
  unsigned al = 0, cl = 17, cwl = 12;
  unsigned rcd = 17, rp = 17, ras = 39;
  unsigned rfc = 420, refi = 9360;
  unsigned rrd_s = 4, rrd_l = 6, faw = 26;
  unsigned ccd_s = 4, ccd_l = 6;
  unsigned wtr_s = 3, wtr_l = 9;
  unsigned wr = 18, rtp = 9;
  unsigned rtrs = 1;  ///< bus turnaround: rank to rank, and read to write
  unsigned ppd = 0;   ///< precharge to precharge (LPDDR4)
};

/// How the controller in front of the devices behaves.
struct Controller {
  SchedulingPolicy scheduling = SchedulingPolicy::first_ready;
  PagePolicy page = PagePolicy::open;
  RefreshPolicy refresh = RefreshPolicy::staggered;
  unsigned front_end = 1;           ///< cycles from the arrival of a request to the earliest command it can cause
  unsigned transaction_queue = 32;  ///< requests accepted and not yet in a bank's queue
  unsigned bank_queue = 8;          ///< requests waiting for one bank among which look-ahead may choose
  unsigned row_hit_limit = 4;       ///< row hits after which an older request for another row may close the row
  /// Extra cycles between a read and a write command beyond CL + BL/2 + tRTRS - CWL (preamble; DRAMSys adds one).
  unsigned read_to_write_extra = 0;
  /// Before a refresh, close all banks of the rank with one command instead of one command a bank.
  bool precharge_all = false;
  /// Extra cycles of auto-precharge after a read, beyond tRTP (DRAMsim3 waits for the burst to end).
  bool auto_precharge_after_burst = true;
  /// A write is complete when it is accepted (front-end delay), not with its last data beat.
  bool posted_writes = false;
};

/// Supply voltage (volts) and currents (milliamperes) of one device, named as in the JEDEC standards and in the section
/// [power] of a DRAMsim3 file; what is not told stays empty. Only energy_figures() looks at them.
struct Power {
  std::optional<double> vdd;
  std::optional<double> idd0;    ///< one bank is activated and precharged, again and again
  std::optional<double> idd2n;   ///< standby, all banks closed
  std::optional<double> idd3n;   ///< standby, a row is open
  std::optional<double> idd4w;   ///< bursts of writes
  std::optional<double> idd4r;   ///< bursts of reads
  std::optional<double> idd5ab;  ///< refresh of all banks
};

/// Everything about one channel. A plain value: read it from a preset or an ini file, change what you like, validate(),
/// and hand it to a channel as const.
struct ChannelConfig {
  std::string name = "ddr4-2400";  ///< preset or file, for reports
  Picoseconds clock_period = 830;
  Structure structure;
  Timing timing;
  Controller controller;
  unsigned bus_width = 64;                       ///< bits of data
  std::uint64_t size_mib = 8192;                 ///< of the channel; with the structure it gives the number of ranks
  std::string address_mapping = "rochrababgco";  ///< six two-letter fields, high to low
  Power power;

  /// Throws UserError with one sentence if anything is impossible.
  void validate() const;

  unsigned banks_per_rank() const { return structure.bank_groups * structure.banks_per_group; }
  std::uint64_t rank_mib() const;
  unsigned ranks() const { return static_cast<unsigned>(size_mib / rank_mib()); }
  /// Bytes of one burst: the smallest unit of a transfer.
  unsigned burst_bytes() const { return bus_width / 8 * structure.burst_length; }
  /// Cycles for which a burst holds the data bus.
  unsigned burst_cycles() const { return structure.burst_length / 2; }
  /// Cycles from one refresh (of one rank, or of all) to the next.
  Cycle refresh_interval() const {
    return controller.refresh == RefreshPolicy::staggered ? timing.refi / ranks() : timing.refi;
  }
  /// Bytes a second if the data bus never idled: 2 x bus width / tCK.
  double peak_bytes_per_second() const { return burst_bytes() / (burst_cycles() * clock_period * 1e-12); }
};

/// A user's choice of a channel, as parameters (`dram1.preset` ...). Empty texts leave what the preset or file says.
struct ChannelOptions {
  std::string preset = kFixed;
  std::string ini_file;  ///< DRAMsim3 ini file; takes the place of the preset
  std::string address_mapping;
  std::string page_policy = "default";
  std::string scheduling = "default";
  bool posted_writes = false;

  /// The preset of no channel: a fixed latency, to which the other options do not apply.
  static constexpr const char* kFixed = "fixed";

  void declare(ParameterGroup group);
  bool fixed() const { return preset == kFixed && ini_file.empty(); }
  /// Throws UserError for options that no channel takes; those are refused beside `fixed`, too.
  void check() const;
  /// The configuration chosen, unless it is fixed(); throws UserError.
  ChannelConfig resolve() const;
};

}  // namespace vp::dram
