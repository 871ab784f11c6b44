// Regions that a program names: their figures, what bounded them, and names that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

struct Regions : testing::Test {
  nlohmann::json groups(const std::string& program, std::vector<std::string> options = {}) {
    const std::string file = folder.path("stats.json");
    options.insert(options.begin(), {"run", "--stats", file, program});
    result = run_tinytpu_vp(options);
    return nlohmann::json::parse(TemporaryFolder::read(file))["groups"];
  }
  static std::uint64_t number(const nlohmann::json& group, const std::string& name) {
    return group["values"][name]["value"].get<std::uint64_t>();
  }
  TemporaryFolder folder;
  ProgramResult result;
};

/// Writes to REGION: the address behind its own last instruction, where `name` stands. Then passes.
std::string naming_program(const std::string& name) {
  std::vector<std::uint32_t> words = {
      0x001002b7,  // lui   t0,0x100       finisher
      0x00000317,  // auipc t1,0
      0x02030313,  // addi  t1,t1,32       behind the program
      0x1062a823,  // sw    t1,0x110(t0)   REGION
      0x00005337,  // lui   t1,0x5
      0x55530313,  // addi  t1,t1,0x555    pass
      0x0062a023,  // sw    t1,0(t0)
      0x0000006f,  // j     .
      0x00000013,  // nop
  };
  for (std::size_t at = 0; at <= name.size(); at += 4) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4 && at + i < name.size(); ++i)
      word |= std::uint32_t{static_cast<unsigned char>(name[at + i])} << 8 * i;
    words.push_back(word);
  }
  words.insert(words.end(), 4, 0);
  return program_of(words);
}

TEST_F(Regions, of_the_digits_the_inference_has_figures_of_its_own) {
  const nlohmann::json all = groups(firmware("digits64"));
  const nlohmann::json& region = all["regions"]["groups"]["inference"];
  EXPECT_EQ(number(region, "entries"), 1u);
  EXPECT_LT(number(region, "simulated_time"), number(all["run"], "simulated_time"));
  EXPECT_LT(number(region, "instructions"), number(all["run"], "instructions"));
  const nlohmann::json& cpu = region["groups"]["cpu"];
  EXPECT_EQ(number(cpu, "total"), number(region, "simulated_time"));
  EXPECT_EQ(number(cpu, "busy") + number(cpu, "stall_bus") + number(cpu, "stall_memory") + number(cpu, "idle"),
            number(cpu, "total"));
  // All of the tinyTPU's programs run in it.
  const nlohmann::json& tpu = region["groups"]["tpu"]["values"];
  EXPECT_EQ(tpu["busy"]["value"].get<double>() + tpu["stall_host_feed"]["value"].get<double>(),
            static_cast<double>(number(all["ideal"], "cycles")));
  EXPECT_EQ(number(region["groups"]["ideal"], "mapped_macs"), number(all["ideal"], "mapped_macs"));
  EXPECT_EQ(region["groups"]["bound"]["values"]["by"]["value"], "host_feed");
  EXPECT_THAT(result.error,
              ContainsRegex("\n-- region inference: [0-9.]+ ms, [0-9.]+ % of the run; bounded by host feed: "
                            "cpu executing instructions, "));
}

TEST_F(Regions, outside_of_them_nothing_counts) {
  const nlohmann::json all = groups(firmware("region64"));
  const nlohmann::json& regions = all["regions"]["groups"];
  unsigned outside = 0, inside = 0;
  ASSERT_EQ(std::sscanf(result.out.c_str(), "outside: %u cycles\ninside: %u cycles\n", &outside, &inside), 2);
  EXPECT_NEAR(static_cast<double>(number(regions["outside"], "simulated_time")) / 1e4, outside, 100);
  EXPECT_NEAR(static_cast<double>(number(regions["inside"], "simulated_time")) / 1e4, inside, 100);
  EXPECT_EQ(regions["inside"]["groups"]["bound"]["values"]["by"]["value"], "dram");
}

TEST_F(Regions, change_no_figure_of_the_run_whatever_the_quantum) {
  const auto with = [this](const char* quantum) {
    return groups(firmware("region64"), {"--set", std::string("cpu.quantum=") + quantum})["regions"];
  };
  const nlohmann::json reference = with("10us");
  EXPECT_EQ(with("100ns"), reference);
  EXPECT_EQ(with("1ms"), reference);
}

TEST_F(Regions, one_that_the_program_does_not_leave_ends_with_the_run) {
  const nlohmann::json all = groups(folder.write("named.elf", naming_program("whole.run_2")));
  ASSERT_TRUE(all["regions"]["groups"].contains("whole.run_2")) << result.error;
  EXPECT_GT(number(all["regions"]["groups"]["whole.run_2"], "simulated_time"), 0u);
}

TEST_F(Regions, a_name_that_is_none_begins_no_region_and_is_said_once) {
  for (const std::string& name : {std::string(), std::string("a b"), std::string("</script>"), std::string(65, 'x'),
                                  std::string("a..b"), std::string(".a"), std::string("\xff")}) {
    const nlohmann::json all = groups(folder.write("named.elf", naming_program(name)));
    EXPECT_FALSE(all.contains("regions")) << name;
    EXPECT_THAT(result.error, HasSubstr("the register REGION was given 0x80000024, where no name of a region stands "
                                        "(pc 0x8000000c (start+0xc)); no region begins"))
        << name;
    EXPECT_EQ(result.exit_code, 0);
  }
}

}  // namespace
}  // namespace vp
