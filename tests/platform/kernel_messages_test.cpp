#include "platform/run/kernel_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <systemc>

namespace vp {
namespace {

struct Broken : sc_core::sc_module {
  explicit Broken(sc_core::sc_module_name module_name) : sc_module(module_name) {
    SC_HAS_PROCESS(Broken);
    SC_THREAD(run);
  }
  void run() {
    wait(sc_core::sc_time(1, sc_core::SC_NS));
    SC_REPORT_FATAL("model", "an invariant broke");
  }
};

TEST(KernelMessages, a_broken_invariant_leaves_the_simulation_as_an_exception) {
  tame_kernel_messages();
  const Broken broken("broken");
  try {
    sc_core::sc_start();
    FAIL() << "the run went on";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("an invariant broke"));
  }
}

TEST(KernelMessages, warnings_go_to_standard_error_and_information_nowhere) {
  tame_kernel_messages();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  SC_REPORT_INFO("model", "all is well");
  SC_REPORT_WARNING("model", "odd");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tinytpu-vp: warning: model: odd\n");
}

}  // namespace
}  // namespace vp
