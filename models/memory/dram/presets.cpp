#include "models/memory/dram/presets.h"

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp::dram {
namespace {

// Order of the members of Timing: al cl cwl | rcd rp ras | rfc refi | rrd_s rrd_l faw | ccd_s ccd_l | wtr_s wtr_l | wr
// rtp | rtrs | ppd. Nanosecond values of the JEDEC standards rounded up to cycles; sources in the README.
std::vector<ChannelConfig> make_presets() {
  const Structure ddr3{Protocol::ddr3, 1, 8, 65536, 2048, 8, 8};        // 8 Gb x8
  const Structure ddr4{Protocol::ddr4, 4, 4, 65536, 1024, 8, 8};        // 8 Gb x8
  const Structure lpddr4{Protocol::lpddr4, 1, 8, 65536, 1024, 16, 16};  // 8 Gb a channel, x16
  ChannelConfig ddr3_1600{"ddr3-1600", 1250, ddr3, {0, 11, 8, 11, 11, 28, 280, 6240, 6, 6, 32, 4, 4, 6, 6, 12, 6, 1, 0},
                          {},          64,   8192, "rochrababgco"};
  ChannelConfig ddr4_2400{"ddr4-2400", 830, ddr4, {0, 17, 12, 17, 17, 39, 420, 9360, 4, 6, 26, 4, 6, 3, 9, 18, 9, 1, 0},
                          {},          64,  8192, "rochrababgco"};
  ChannelConfig ddr4_3200{
      "ddr4-3200", 625, ddr4, {0, 22, 16, 22, 22, 52, 560, 12480, 4, 8, 34, 4, 8, 4, 12, 24, 12, 1, 0},
      {},          64,  8192, "rochrababgco"};
  ChannelConfig lpddr4_3200{"lpddr4-3200",
                            625,
                            lpddr4,
                            {0, 28, 14, 29, 29, 68, 448, 6246, 16, 16, 64, 8, 8, 16, 16, 29, 12, 1, 4},
                            {},
                            16,
                            1024,
                            "rochrababgco"};
  // Order of the members of Power: VDD | IDD0 | IDD2N IDD3N | IDD4W IDD4R | IDD5AB.
  ddr3_1600.power = {1.35, 67, 36, 51, 125, 125, 245};
  ddr4_2400.power = {1.2, 48, 34, 43, 123, 135, 250};
  ddr4_3200.power = {1.2, 57, 37, 52, 150, 168, 250};
  return {ddr3_1600, ddr4_2400, lpddr4_3200, ddr4_3200};
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const ChannelConfig& config : make_presets()) names.push_back(config.name);
  return names;
}

ChannelConfig preset(const std::string& name) {
  for (const ChannelConfig& config : make_presets())
    if (config.name == name) return config;
  std::string known;
  for (const std::string& candidate : preset_names()) known += (known.empty() ? "" : ", ") + candidate;
  const std::string near = nearest_word(name, preset_names());
  throw UserError("Unknown DRAM preset '" + name + "'" + (near.empty() ? "" : ": did you mean '" + near + "'?") +
                  " Known: " + known + ".");
}

}  // namespace vp::dram
