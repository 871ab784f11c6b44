// The digits on several tinyTPUs at once, on machines composed on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/program.h"

namespace vp {
namespace {

using ::testing::HasSubstr;

class DigitsParallel : public testing::TestWithParam<const char*> {
 protected:
  /// On the default machine with these tinyTPUs besides `tpu`, of which each has its width.
  static ProgramResult run(const std::vector<unsigned>& others, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run", "-q", "--set", std::string("fidelity=") + GetParam()};
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::string part = "tpu" + std::to_string(i + 1);
      const std::string base = "0x4" + std::to_string(6 + i) + "000000";
      for (const std::string& setting :
           {part + ".kind=tinytpu", part + ".base=" + base, part + ".interrupt=" + std::to_string(20 + i),
            part + ".matrix_width=" + std::to_string(others[i])})
        arguments.insert(arguments.end(), {"--set", setting});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back(firmware("digits_parallel64"));
    return run_tinytpu_vp(arguments);
  }
  static void expect_passed(const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
    EXPECT_THAT(result.out, HasSubstr("output bytes equal to the reference: 3600 of 3600\n"));
    EXPECT_THAT(result.out, HasSubstr("digits_parallel: passed\n"));
  }
  /// The number of images that device `index` says it did; 0 if it says nothing.
  static unsigned images(const ProgramResult& result, unsigned index, unsigned width) {
    const std::string line = "tinyTPU " + std::to_string(index) + ": width " + std::to_string(width) + ", ";
    const std::size_t place = result.out.find(line);
    return place == std::string::npos ? 0 : static_cast<unsigned>(std::stoul(result.out.substr(place + line.size())));
  }
};

TEST_P(DigitsParallel, one_tinytpu_does_all) {
  const ProgramResult result = run({});
  expect_passed(result);
  EXPECT_EQ(images(result, 0, 14), 360u);
}

TEST_P(DigitsParallel, two_tinytpus_do_half_each) {
  const ProgramResult result = run({14});
  expect_passed(result);
  EXPECT_THAT(result.out, HasSubstr("tinyTPU 1 at 0x46000000, interrupt 20: 14 x 14"));
  EXPECT_NEAR(images(result, 0, 14), 180, 14);
  EXPECT_EQ(images(result, 0, 14) + images(result, 1, 14), 360u);
}

TEST_P(DigitsParallel, four_tinytpus_share_the_images) {
  const ProgramResult result = run({14, 14, 14});
  expect_passed(result);
  for (unsigned i = 0; i < 4; ++i) EXPECT_NEAR(images(result, i, 14), 90, 14) << i;
}

TEST_P(DigitsParallel, tinytpus_may_differ_in_width) {
  const ProgramResult result = run({32, 3});
  expect_passed(result);
  EXPECT_GT(images(result, 1, 32), images(result, 0, 14));
  EXPECT_GT(images(result, 0, 14), images(result, 2, 3));
  EXPECT_GT(images(result, 2, 3), 0u);
}

TEST_P(DigitsParallel, a_machine_without_tinytpu_is_told_and_fails) {
  const ProgramResult result = run({}, {"--set", "tpu.present=false"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "digits_parallel: no tinyTPU in the device tree (error 19)\n");
}

INSTANTIATE_TEST_SUITE_P(Fidelities, DigitsParallel, testing::Values("functional", "timed"));

}  // namespace
}  // namespace vp
