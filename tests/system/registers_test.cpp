// What 'tinytpu-vp registers' says of parts and kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/platform/temporary_folder.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string registers(std::vector<std::string> words) {
  words.insert(words.begin(), "registers");
  const ProgramResult result = run_tinytpu_vp(words);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(result.error, "");
  return result.out;
}

TEST(Registers, without_a_part_those_that_have_registers_are_listed) {
  const std::string list = registers({});
  EXPECT_THAT(list, ContainsRegex("uart0 +uart +0x10000000 +12 registers\n"));
  EXPECT_THAT(list, ContainsRegex("drra +drra +.*left out: drra.present is false\n"));
  EXPECT_THAT(list, Not(HasSubstr("dram0")));
}

TEST(Registers, a_table_has_offset_access_reset_value_fields_and_their_meaning) {
  const std::string table = registers({"uart0"});
  EXPECT_THAT(table, HasSubstr("uart0 (uart) at 0x10000000\n"));
  EXPECT_THAT(table, ContainsRegex("offset +register +bytes +access +reset +meaning\n"));
  EXPECT_THAT(table, ContainsRegex("0x00000005 +LSR +1 +read, writes ignored +0x60 +line status\n"));
  EXPECT_THAT(table, ContainsRegex("0x00000000 +THR +1 +write only +- +transmitter holding; in view 0\n"));
  EXPECT_THAT(table, ContainsRegex(" 7:6 +RCVR_TRIGGER +characters: 0 = 1, 1 = 4, 2 = 8, 3 = 14\n"));
}

TEST(Registers, an_array_stands_once_with_its_distance) {
  EXPECT_THAT(registers({"plic"}), ContainsRegex("0x00000004 +PRIORITY\\[1\\.\\.31\\] .*; one every 4 bytes\n"));
}

TEST(Registers, a_part_has_the_sizes_of_the_machine_in_force) {
  const std::string small = registers({"--set", "tpu1.kind=tinytpu", "--set", "tpu1.base=0x46000000", "--set",
                                       "tpu1.matrix_width=8", "--set", "tpu1.unified_buffer_depth=1024", "tpu1"});
  EXPECT_THAT(small, HasSubstr("tpu1 (tinytpu) at 0x46000000\n"));
  EXPECT_THAT(small, ContainsRegex("UNIFIED_BUFFER +16384 "));
  EXPECT_THAT(registers({"tpu"}), ContainsRegex("UNIFIED_BUFFER +65536 "));
}

TEST(Registers, a_kind_that_no_part_of_the_machine_has_is_described_without_a_place) {
  EXPECT_THAT(registers({"cdma"}), HasSubstr("cdma (cdma)\n"));
}

TEST(Registers, json_has_every_register_and_field) {
  const auto uart = nlohmann::json::parse(registers({"--format", "json", "uart0"}));
  EXPECT_EQ(uart["part"], "uart0");
  EXPECT_EQ(uart["base"], 0x10000000);
  const auto& all = uart["registers"];
  const auto iir = std::find_if(all.begin(), all.end(), [](const auto& one) { return one["name"] == "IIR"; });
  ASSERT_NE(iir, all.end());
  EXPECT_EQ((*iir)["offset"], 2);
  EXPECT_EQ((*iir)["access"], "read only");
  EXPECT_EQ((*iir)["reset"], 1);
  EXPECT_EQ((*iir)["fields"][0]["values"]["character_timeout"], 12);
  const auto plic = nlohmann::json::parse(registers({"--format", "json", "plic"}));
  EXPECT_EQ(plic["registers"][0]["array"]["count"], 31);
  const auto tpu = nlohmann::json::parse(registers({"--format", "json", "tpu"}));
  EXPECT_EQ(tpu["memories"][1]["name"], "UNIFIED_BUFFER");
  EXPECT_EQ(tpu["memories"][1]["offset"], 0x80000);
}

TEST(Registers, a_header_defines_offsets_masks_and_named_values) {
  const std::string header = registers({"--format", "header", "cdma", "uart0"});
  for (const char* line :
       {"#ifndef CDMA_REGISTERS_H\n", "#define CDMA_CDMACR_OFFSET 0x", "#define CDMA_CDMACR_BYTES 4\n",
        "#define CDMA_CDMASR_RESET 0x00010002\n", "#define CDMA_CDMASR_IDLE_SHIFT 1\n",
        "#define CDMA_CDMASR_IDLE_MASK 0x00000002", "#define CDMA_CDMACR_KEY_HOLE_READ_SHIFT 4\n",
        "#define UART0_BASE 0x10000000\n", "#define UART0_IIR_INTERRUPT_NONE 0x"})
    EXPECT_THAT(header, HasSubstr(line));
}

TEST(Registers, nothing_of_the_host_is_touched) {
  TemporaryFolder folder;
  ProgramInput input;
  input.text = "not for us";
  const ProgramResult result =
      run_tinytpu_vp({"registers", "--set", "uart0.output=" + folder.path("out"), "uart0"}, input);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(TemporaryFolder::read(folder.path("out")), "");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST(Registers, what_has_none_and_what_is_not_there_is_one_sentence) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"dram0"}, "registers: dram0 (memory) has no registers"},
      {{"cpu"}, "registers: cpu (cpu) has no registers"},
      {{"uart7"}, "'uart7' is neither a part of the machine nor a kind of part: did you mean 'uart"},
      {{"--format", "xml", "tpu"}, "--format: 'xml' is none of text, json and header"},
      {{"--format", "json"}, "--format needs a PART or KIND"},
      {{std::string(500, 'x')}, "is neither a part of the machine nor a kind of part"},
  };
  for (const auto& [words, sentence] : cases) {
    std::vector<std::string> all = words;
    all.insert(all.begin(), "registers");
    const ProgramResult result = run_tinytpu_vp(all);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.error, HasSubstr(sentence));
    EXPECT_LT(result.error.size(), 300u);
  }
}

/// Every kind that there is; its output must be well-formed.
TEST(Registers, every_kind_that_has_registers_is_described_in_every_form) {
  std::istringstream kinds(run_tinytpu_vp({"machine", "--kinds"}).out);
  unsigned described = 0;
  for (std::string line; std::getline(kinds, line);) {
    const std::string kind = line.substr(0, line.find(' '));
    const ProgramResult table = run_tinytpu_vp({"registers", kind});
    if (table.exit_code == 2) {
      EXPECT_THAT(table.error, HasSubstr("has no registers"));
      continue;
    }
    EXPECT_EQ(table.exit_code, 0) << kind;
    EXPECT_EQ(table.error, "") << kind;
    EXPECT_FALSE(nlohmann::json::parse(registers({"--format", "json", kind}))["registers"].empty());
    EXPECT_THAT(registers({"--format", "header", kind}), testing::EndsWith("\n#endif\n"));
    ++described;
  }
  EXPECT_GE(described, 8u);
}

}  // namespace
}  // namespace vp
