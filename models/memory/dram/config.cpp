#include "models/memory/dram/config.h"

#include <algorithm>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/memory/dram/address_map.h"
#include "models/memory/dram/gaps.h"
#include "models/memory/dram/ini_reader.h"
#include "models/memory/dram/presets.h"

namespace vp::dram {
namespace {

bool is_power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

[[noreturn]] void refuse(const ChannelConfig& config, const std::string& what) {
  throw UserError("DRAM '" + config.name + "': " + what + ".");
}

void check_powers_of_two(const ChannelConfig& config) {
  const Structure& s = config.structure;
  const struct {
    const char* name;
    std::uint64_t value, low, high;
  } fields[] = {{"bankgroups", s.bank_groups, 1, 16},     {"banks_per_group", s.banks_per_group, 1, 64},
                {"rows", s.rows, 1024, 1u << 24},         {"columns", s.columns, 16, 1u << 16},
                {"device_width", s.device_width, 1, 512}, {"BL", s.burst_length, 2, 64},
                {"bus_width", config.bus_width, 8, 1024}};
  for (const auto& field : fields)
    if (!is_power_of_two(field.value) || field.value < field.low || field.value > field.high)
      refuse(config, std::string(field.name) + " is " + std::to_string(field.value) +
                         ", but must be a power of two from " + std::to_string(field.low) + " to " +
                         std::to_string(field.high));
}

void check_structure(const ChannelConfig& config) {
  check_powers_of_two(config);
  const Structure& s = config.structure;
  if (s.columns < s.burst_length) refuse(config, "columns must hold at least one burst (BL)");
  if (config.bus_width < s.device_width) refuse(config, "bus_width is smaller than device_width");
  if (config.burst_bytes() > 4096) refuse(config, "one burst (bus_width / 8 x BL) is larger than 4096 bytes");
  const std::uint64_t rank = config.rank_mib();
  if (rank == 0) refuse(config, "a rank is smaller than 1 MiB");
  if (config.size_mib % rank != 0 || !is_power_of_two(config.size_mib / rank) || config.size_mib / rank > 8)
    refuse(config, "channel_size is " + std::to_string(config.size_mib) + " MiB, but must be 1, 2, 4 or 8 ranks of " +
                       std::to_string(rank) + " MiB");
}

void check_timing(const ChannelConfig& config) {
  const Timing& t = config.timing;
  // A refresh interval that no run reaches switches refresh off, as users of DRAMsim3 do it.
  constexpr unsigned kLongest = 1u << 20, kRefreshOff = 0x7fff'ffff;
  const struct {
    const char* name;
    unsigned value, low, high = kLongest;
  } values[] = {{"CL", t.cl, 1},
                {"CWL", t.cwl, 1},
                {"tRCD", t.rcd, 1},
                {"tRP", t.rp, 1},
                {"tRAS", t.ras, 1},
                {"tRFC", t.rfc, 1},
                {"tREFI", t.refi, 1, kRefreshOff},
                {"tRRD_S", t.rrd_s, 1},
                {"tRRD_L", t.rrd_l, 1},
                {"tFAW", t.faw, 0},
                {"tCCD_S", t.ccd_s, 1},
                {"tCCD_L", t.ccd_l, 1},
                {"tWTR_S", t.wtr_s, 0},
                {"tWTR_L", t.wtr_l, 0},
                {"tWR", t.wr, 0},
                {"tRTP", t.rtp, 0},
                {"tRTRS", t.rtrs, 0},
                {"tPPD", t.ppd, 0},
                {"AL", t.al, 0}};
  for (const auto& value : values)
    if (value.value < value.low || value.value > value.high)
      refuse(config, std::string(value.name) + " is " + std::to_string(value.value) + ", but must be " +
                         std::to_string(value.low) + " to " + std::to_string(value.high) + " cycles");
  if (config.clock_period == 0 || config.clock_period > 1000000) refuse(config, "tCK must be 0.001 to 1000 ns");
  if (t.al > t.rcd) refuse(config, "AL is longer than tRCD");
  if (t.ras < t.rcd) refuse(config, "tRAS is shorter than tRCD");
  if (t.rrd_l < t.rrd_s) refuse(config, "tRRD_L is shorter than tRRD_S");
  if (t.ccd_l < t.ccd_s) refuse(config, "tCCD_L is shorter than tCCD_S");
  if (t.wtr_l < t.wtr_s) refuse(config, "tWTR_L is shorter than tWTR_S");
  // Open a row, turn the data bus around, write, close the row. Less, and requests might wait for ever.
  const Gaps gaps(config);
  const unsigned row = std::max(t.ras, t.rcd + gaps.longest_column + gaps.to_precharge[1]) + t.rp + t.faw;
  if (t.refi / config.ranks() <= t.rfc + row)
    refuse(config, "tREFI is " + std::to_string(t.refi / config.ranks()) +
                       " cycles a rank, but tRFC and a row cycle take " + std::to_string(t.rfc + row));
}

}  // namespace

std::uint64_t ChannelConfig::rank_mib() const {
  // A page is columns x device_width bits a device; bus_width / device_width devices make a rank.
  const std::uint64_t page_bytes = std::uint64_t{structure.columns} * bus_width / 8;
  return page_bytes * structure.rows * banks_per_rank() >> 20;
}

void ChannelConfig::validate() const {
  check_structure(*this);
  check_timing(*this);
  const Controller& c = controller;
  if (c.bank_queue < 1 || c.bank_queue > 64) refuse(*this, "cmd_queue_size must be 1 to 64");
  if (c.transaction_queue < 1 || c.transaction_queue > 4096) refuse(*this, "trans_queue_size must be 1 to 4096");
  if (c.front_end > 10000) refuse(*this, "the front-end delay must be 0 to 10000 cycles");
  check_mapping(address_mapping);
}

void ChannelOptions::declare(ParameterGroup group) {
  std::vector<std::string> presets = preset_names();
  presets.insert(presets.begin(), kFixed);
  group.effective([this] { return ini_file.empty(); }, group.full("ini_file") + " takes its place")
      .choice("preset", preset, presets, "DRAM devices and timing of the channel (timed mode)");
  group.text("ini_file", ini_file, "DRAMsim3 ini file that takes the place of the preset");
  const ParameterGroup dram = group.effective([this] { return !fixed(); }, group.full("preset") + " is " + kFixed);
  dram.text("address_mapping", address_mapping,
            "order of the address fields, high to low: ro, ch, ra, ba, bg, co in any order; empty: as the preset says");
  dram.choice("page_policy", page_policy, std::vector<std::string>{"default", "open", "closed"},
              "leave rows open after an access, or close them");
  dram.choice("scheduling", scheduling, std::vector<std::string>{"default", "in-order", "first-ready"},
              "order of the column commands");
  dram.boolean("posted_writes", posted_writes, "acknowledge a write when it is accepted, not when its data has moved");
}

void ChannelOptions::check() const {
  if (!address_mapping.empty()) check_mapping(address_mapping);
}

ChannelConfig ChannelOptions::resolve() const {
  ChannelConfig config = ini_file.empty() ? dram::preset(preset) : read_ini_file(ini_file);
  if (!address_mapping.empty()) config.address_mapping = address_mapping;
  if (page_policy != "default") config.controller.page = page_policy == "open" ? PagePolicy::open : PagePolicy::closed;
  if (scheduling != "default")
    config.controller.scheduling =
        scheduling == "in-order" ? SchedulingPolicy::in_order : SchedulingPolicy::first_ready;
  config.controller.posted_writes = posted_writes;
  config.validate();
  return config;
}

}  // namespace vp::dram
