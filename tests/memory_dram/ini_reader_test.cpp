#include "models/memory/dram/ini_reader.h"

#include <gmock/gmock.h>

#include <random>
#include <sstream>
#include <string>

#include "models/common/error.h"

namespace vp::dram {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const char* const kFile = R"([dram_structure]
protocol = DDR4
bankgroups = 4
banks_per_group = 4
rows = 65536
columns = 1024
device_width = 8
BL = 8

[timing]
tCK = 0.83
AL = 0
CL = 17
CWL = 12
tRCD = 17
tRP = 17
tRAS = 39
tRFC = 420
tRFC2 = 312
tRFC4 = 192
tREFI = 9360
tRPRE = 1
tWPRE = 1
tRRD_S = 4
tRRD_L = 6
tWTR_S = 3
tWTR_L = 9
tFAW = 26
tWR = 18
tWR2 = 19
tRTP = 9
tCCD_S = 4
tCCD_L = 6
tCKE = 6
tCKESR = 7
tXS = 432
tXP = 8
tRTRS = 1

[power]
VDD = 1.2
IDD0 = 60   ; milliampere
anything = goes

[system]
channel_size = 16384
channels = 1
bus_width = 64
address_mapping = rochrababgco
queue_structure = PER_BANK
refresh_policy = RANK_LEVEL_STAGGERED
row_buf_policy = CLOSE_PAGE
cmd_queue_size = 8
trans_queue_size = 32

[other]
epoch_period = 1204819
output_level = 1
)";

ChannelConfig read(const std::string& text) {
  std::istringstream stream(text);
  return read_ini(stream, "test.ini");
}

/// The file with the first `from` replaced by `to`.
std::string with(const std::string& from, const std::string& to) {
  std::string text = kFile;
  return text.replace(text.find(from), from.size(), to);
}

TEST(IniReader, currents_are_taken_and_what_is_no_number_is_refused) {
  std::istringstream good(kFile);
  const ChannelConfig config = read_ini(good, "f.ini");
  EXPECT_EQ(config.power.vdd, 1.2);
  EXPECT_EQ(config.power.idd0, 60);
  EXPECT_EQ(config.power.idd4r, std::nullopt);
  std::string text = kFile;
  text.replace(text.find("IDD0 = 60"), 9, "IDD0 = xx");
  std::istringstream bad(text);
  EXPECT_THAT([&] { read_ini(bad, "f.ini"); }, ThrowsMessage<UserError>(HasSubstr("'IDD0 = xx'")));
}

TEST(IniReader, ReadsADramsim3File) {
  const ChannelConfig config = read(kFile);
  EXPECT_EQ(config.clock_period, 830u);
  EXPECT_EQ(config.structure.bank_groups, 4u);
  EXPECT_EQ(config.timing.cl, 17u);
  EXPECT_EQ(config.timing.wtr_l, 9u);
  EXPECT_EQ(config.timing.refi, 9360u);
  EXPECT_EQ(config.ranks(), 2u);
  EXPECT_EQ(config.controller.page, PagePolicy::closed);
  EXPECT_EQ(config.controller.bank_queue, 8u);
}

TEST(IniReader, SaysWhichKeyWasMeant) {
  EXPECT_THAT([] { read(with("tREFI = 9360", "REFI = 9360")); },
              ThrowsMessage<UserError>(AllOf(HasSubstr("test.ini:21"), HasSubstr("unknown key 'REFI'"),
                                             HasSubstr("did you mean 'tREFI'?"))));
}

TEST(IniReader, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT([] { read(with("[system]", "[sytem]")); }, ThrowsMessage<UserError>(HasSubstr("did you mean 'system'?")));
  EXPECT_THAT([] { read(with("channels = 1", "channels = 2")); }, ThrowsMessage<UserError>(HasSubstr("only 1")));
  EXPECT_THAT([] { read(with("= DDR4", "= GDDR5")); }, ThrowsMessage<UserError>(HasSubstr("allowed are DDR3")));
  EXPECT_THAT([] { read(with("RANK_LEVEL_STAGGERED", "BANK_LEVEL_STAGGERED")); },
              ThrowsMessage<UserError>(HasSubstr("RANK_LEVEL_SIMULTANEOUS")));
  EXPECT_THAT([] { read(with("rochrababgco", "rochrababgcx")); }, ThrowsMessage<UserError>(HasSubstr("12 characters")));
}

TEST(IniReader, RefusesMissingRepeatedAndBrokenLines) {
  EXPECT_THAT([] { read(with("tFAW = 26\n", "")); },
              ThrowsMessage<UserError>(HasSubstr("'tFAW' is missing in section [timing]")));
  EXPECT_THAT([] { read(with("tWR2 = 19", "tWR = 19")); }, ThrowsMessage<UserError>(HasSubstr("given twice")));
  EXPECT_THAT([] { read(with("CL = 17", "CL = fast")); }, ThrowsMessage<UserError>(HasSubstr("'CL = fast'")));
  EXPECT_THAT([] { read(with("CL = 17", "CL")); }, ThrowsMessage<UserError>(HasSubstr("key = value")));
  EXPECT_THAT([] { read(with("tRAS = 39", "tRAS = 10")); },
              ThrowsMessage<UserError>(HasSubstr("tRAS is shorter than tRCD")));
  EXPECT_THAT([] { read_ini_file("/nowhere/at.ini"); }, ThrowsMessage<UserError>(HasSubstr("Cannot open")));
}

// Any text gives a configuration or one UserError; fixed seeds.
TEST(IniReader, SurvivesDamagedFiles) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text = kFile;
    for (int edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        case 2:
          text.insert(at, std::to_string(random()));
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
      }
    }
    try {
      read(text).validate();
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

}  // namespace
}  // namespace vp::dram
