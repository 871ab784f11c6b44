// A machine of all kinds of parts, with every parameter at the ends of what it may be, alone and several at a time: it
// runs or is refused in one sentence, and no model ever breaks. Programs that touch every device run on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/dice.h"
#include "tests/support/rounds.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::AnyOf;
using ::testing::StartsWith;

using Values = std::vector<std::string>;

/// What the default machine lacks or has left out.
const Values kAllParts = {
    "drra.present=true",        "cdma.kind=cdma",          "cdma.base=0x4e200000",  "cdma.interrupt=6",
    "axidma0.kind=axidma",      "axidma0.base=0x40400000", "axidma0.mm2s=tensil0",  "axidma0.mm2s_interrupt=3",
    "axidma0.s2mm_interrupt=4", "tensil0.kind=tensil",     "traffic0.present=true", "traffic0.base=0x84000000",
    "traffic0.rate=10000000",   "blk0.kind=virtio-blk",    "blk0.base=0x10008000",  "blk0.interrupt=16",
    "rng0.kind=virtio-rng",     "rng0.base=0x10009000",    "rng0.interrupt=17"};

/// Each touches one device besides CPU, memories, console and interrupt controllers.
const std::map<std::string, std::string> kProgramOfPart = {
    {"tpu", "digits64"},       {"matmul", "matmul64"},       {"uart1", "matmul64"},        {"drra", "drra_demo64"},
    {"cdma", "cdma_test64"},   {"axidma0", "tensil_demo64"}, {"tensil0", "tensil_demo64"}, {"traffic0", "storm64"},
    {"finisher", "restart64"}, {"blk0", "virtio_test64"},    {"rng0", "virtio_test64"}};
const Values kPrograms = {"selftest64",    "digits64", "matmul64",  "drra_demo64", "cdma_test64",
                          "tensil_demo64", "storm64",  "restart64", "selftest32",  "virtio_test64"};

/// "LOW to HIGH".
Values ends_of_range(const std::string& range) {
  const std::size_t to = range.find(" to ");
  return {range.substr(0, to), range.substr(to + 4)};
}

Values words_of(std::string list) {
  Values words;
  for (std::size_t comma = 0; (comma = list.find(", ")) != std::string::npos; list.erase(0, comma + 2))
    words.push_back(list.substr(0, comma));
  words.push_back(list);
  return words;
}

/// A parameter of the machine, and values at the ends of what it may be.
struct AtEnds {
  std::string name;
  Values values;
};

Values ends_of(const nlohmann::json& parameter) {
  const std::string type = parameter.at("type"), range = parameter.at("range");
  if (type == "boolean") return {"true", "false"};
  if (type == "choice") return words_of(range);
  if (type == "clock") return {"1ps", "1s"};
  if (type == "interrupt") return {"none", "1", "31", "1023", "plic:1"};
  if (type == "text") return {"", "x", std::string(300, 'x'), "/nowhere"};
  return ends_of_range(range);
}

std::vector<AtEnds> all_parameters() {
  Values command = {"params", "--json"};
  for (const std::string& setting : kAllParts) command.insert(command.end(), {"--set", setting});
  std::vector<AtEnds> all;
  for (const nlohmann::json& parameter : nlohmann::json::parse(run_tinytpu_vp(command).out)) {
    const std::string name = parameter.at("name");
    if (name.size() > 5 && name.substr(name.size() - 5) == ".kind") continue;  // a part keeps its kind
    all.push_back({name, ends_of(parameter)});
  }
  return all;
}

std::string program_for(const std::string& parameter, std::size_t number) {
  const auto own = kProgramOfPart.find(parameter.substr(0, parameter.find('.')));
  return own != kProgramOfPart.end() ? own->second : kPrograms[number % kPrograms.size()];
}

void expect_run_or_refusal(const Values& settings, const std::string& program) {
  Values command = {"run", "-q", "--log-level", "silent", "--max-time", "3ms", "--timeout", "20s"};
  for (const std::string& setting : kAllParts) command.insert(command.end(), {"--set", setting});
  for (const std::string& setting : settings) command.insert(command.end(), {"--set", setting});
  command.push_back(firmware(program));
  SCOPED_TRACE(program + ' ' + testing::PrintToString(settings));
  const ProgramResult result = run_tinytpu_vp(command);
  EXPECT_THAT(result.exit_code, AnyOf(0, 1, 2, 3, 4)) << result.error;
  EXPECT_LT(result.seconds.count(), 30 * kTimeBudget);
  if (result.exit_code != 2) return;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.error, StartsWith("tinytpu-vp: "));
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

/// Every end of every parameter is in one of so many shares.
constexpr unsigned kShares = 8;
class RangeEnds : public testing::TestWithParam<unsigned> {};

TEST_P(RangeEnds, of_every_parameter_run_or_are_refused) {
  std::size_t number = 0;
  for (const AtEnds& parameter : all_parameters())
    for (const std::string& value : parameter.values)
      if (++number % kShares == GetParam())
        expect_run_or_refusal({parameter.name + "=" + value}, program_for(parameter.name, number / kShares));
  EXPECT_GT(number, 400u);
}

INSTANTIATE_TEST_SUITE_P(Shares, RangeEnds, testing::Range(0u, kShares));

TEST(RangeEndsTogether, of_any_parameters_run_or_are_refused) {
  const std::vector<AtEnds> parameters = all_parameters();
  for (Rounds rounds(24); rounds.next();) {
    Dice dice(rounds.seed());
    SCOPED_TRACE("seed " + std::to_string(rounds.seed()));
    Values settings;
    for (unsigned i = dice.from_to(2, 8); i > 0; --i) {
      const AtEnds& parameter = parameters[dice.source()() % parameters.size()];
      settings.push_back(parameter.name + "=" + dice.one_of(parameter.values));
    }
    expect_run_or_refusal(settings, dice.one_of(kPrograms));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace vp
