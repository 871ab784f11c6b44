// The driver's Linux back end against a stand-in for the module: open() and ioctl() of this program are the test's, and
// the buffers are a file in memory.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <string>
#include <vector>

#include "sw/driver/tinytpu/linux/tinytpu_linux.h"
#include "sw/linux/module/program.h"

namespace vp::test {
namespace {

struct Module {
  tinytpu_ioc_info info{};
  std::string opened;
  int file = -1;
  unsigned long failing = 0;  // a request that fails, and how
  int error = 0;
  unsigned interrupted = 0;  // waits that a signal ends before one succeeds
  std::vector<std::vector<tinytpu_instruction_words>> programs;
  bool owned = false;
};

Module* module_of_test;

int fail(int error) {
  errno = error;
  return -1;
}

int submit(Module& module, tinytpu_ioc_submit& request) {
  const auto* words = reinterpret_cast<const tinytpu_instruction_words*>(request.instructions);
  const uint64_t count = request.bytes / sizeof *words;
  __u64 bad = 0;
  request.refusal = tinytpu_check_program(&module.info, words, count, &bad);
  request.bad_instruction = bad;
  if (request.refusal != TINYTPU_ACCEPTED) return fail(EINVAL);
  module.programs.emplace_back(words, words + count);
  request.ticket = module.programs.size();
  return 0;
}

int request_of(Module& module, unsigned long request, void* argument) {
  if (request == module.failing) return fail(module.error);
  switch (request) {
    case TINYTPU_IOC_INFO:
      std::memcpy(argument, &module.info, sizeof module.info);
      return 0;
    case TINYTPU_IOC_ACQUIRE:
      module.owned = true;
      return 0;
    case TINYTPU_IOC_SUBMIT:
      return module.owned ? submit(module, *static_cast<tinytpu_ioc_submit*>(argument)) : fail(EPERM);
    case TINYTPU_IOC_WAIT: {
      auto& wait = *static_cast<tinytpu_ioc_wait*>(argument);
      if (module.interrupted > 0) return --module.interrupted, fail(EINTR);
      wait.runtime = 1000 + static_cast<uint32_t>(wait.ticket);
      return wait.ticket == module.programs.size() ? 0 : fail(EINVAL);
    }
  }
  return fail(ENOTTY);
}

class LinuxBackend : public testing::Test {
 protected:
  LinuxBackend() {
    module_.info.matrix_width = 14;
    module_.info.weight_buffer_depth = 32768;
    module_.info.unified_buffer_depth = 4096;
    module_.info.clock_period_ps = 5625;
    module_.info.stride = 16;
    module_.info.max_instructions = 100;
    module_.info.weights_size = 0x80000;
    module_.info.unified_offset = 0x80000;
    module_.info.unified_size = 0x10000;
    module_of_test = &module_;
  }
  ~LinuxBackend() override { module_of_test = nullptr; }

  int open() { return tinytpu_linux_open(&host_, &tpu_, 3); }

  Module module_;
  tinytpu_linux host_{};
  ::tinytpu tpu_{};
};

TEST_F(LinuxBackend, runs_a_program_on_mapped_buffers) {
  ASSERT_EQ(open(), 0);
  EXPECT_EQ(module_.opened, "/dev/tinytpu3");
  const uint8_t row[14] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  tinytpu_write_weights(&tpu_, 2, 1, row, 14);
  tinytpu_write_inputs(&tpu_, 1, 1, row, 14);
  uint8_t weights[14], inputs[14];
  ASSERT_EQ(pread(host_.file, weights, 14, 2 * 16), 14);
  ASSERT_EQ(pread(host_.file, inputs, 14, 0x80000 + 16), 14);
  EXPECT_EQ(std::memcmp(weights, row, 14), 0);
  EXPECT_EQ(std::memcmp(inputs, row, 14), 0);
  for (uint32_t round = 1; round <= 2; ++round) {
    tinytpu_push(&tpu_, tinytpu_read_weights(0, 14, true));
    tinytpu_synchronize(&tpu_);
    EXPECT_EQ(module_.programs.size(), round);
    EXPECT_EQ(module_.programs.back().size(), 2u);
    EXPECT_EQ(tinytpu_runtime(&tpu_), 1000 + round);
  }
  EXPECT_EQ(tinytpu_linux_error(&host_), 0);
  EXPECT_EQ(tinytpu_linux_refusal(&host_), nullptr);
  tinytpu_linux_close(&host_);
}

TEST_F(LinuxBackend, a_refused_program_is_the_first_error_and_ends_the_wait) {
  ASSERT_EQ(open(), 0);
  tinytpu_push(&tpu_, tinytpu_nop());
  tinytpu_push(&tpu_, tinytpu_read_weights(32768, 1, true));
  tinytpu_synchronize(&tpu_);
  EXPECT_EQ(tinytpu_linux_error(&host_), -EINVAL);
  EXPECT_STREQ(tinytpu_linux_refusal(&host_), "rows are beyond the weight buffer");
  EXPECT_EQ(host_.instruction, 1u);
  tinytpu_push(&tpu_, tinytpu_nop());
  tinytpu_synchronize(&tpu_);
  EXPECT_TRUE(module_.programs.empty()) << "nothing is submitted behind an error";
  tinytpu_linux_close(&host_);
}

TEST_F(LinuxBackend, a_program_that_is_too_long_is_an_error) {
  ASSERT_EQ(open(), 0);
  for (int i = 0; i < 100; ++i) tinytpu_push(&tpu_, tinytpu_nop());
  tinytpu_synchronize(&tpu_);
  EXPECT_EQ(tinytpu_linux_error(&host_), -E2BIG);
  EXPECT_TRUE(module_.programs.empty());
  tinytpu_linux_close(&host_);
}

TEST_F(LinuxBackend, a_device_that_goes_ends_the_wait) {
  ASSERT_EQ(open(), 0);
  module_.failing = TINYTPU_IOC_WAIT;
  module_.error = ENODEV;
  tinytpu_synchronize(&tpu_);
  EXPECT_EQ(tinytpu_linux_error(&host_), -ENODEV);
  tinytpu_linux_close(&host_);
}

TEST_F(LinuxBackend, a_signal_does_not_end_a_wait) {
  ASSERT_EQ(open(), 0);
  module_.interrupted = 3;
  tinytpu_synchronize(&tpu_);
  EXPECT_EQ(module_.interrupted, 0u);
  EXPECT_EQ(tinytpu_linux_error(&host_), 0);
  tinytpu_linux_close(&host_);
}

TEST_F(LinuxBackend, a_device_that_cannot_be_opened_is_an_error) {
  module_.failing = TINYTPU_IOC_ACQUIRE;
  module_.error = ENODEV;
  EXPECT_EQ(open(), -ENODEV);
  EXPECT_EQ(close(module_.file), -1) << "the file is closed already";
  module_.failing = 0;
  module_.info.unified_size = 0;
  EXPECT_EQ(open(), -EOPNOTSUPP) << "a buffer that cannot be mapped";
  module_of_test = nullptr;
  EXPECT_EQ(open(), -ENOENT);
}

}  // namespace
}  // namespace vp::test

// The linker puts these in the place of open() and ioctl() of what stands in this program.
extern "C" {
int __wrap_open(const char* path, int flags, ...);
int __wrap_ioctl(int file, unsigned long request, ...);

int __wrap_open(const char* path, int /*flags*/, ...) {
  vp::test::Module* module = vp::test::module_of_test;
  if (module == nullptr) return vp::test::fail(ENOENT);
  module->opened = path;
  module->file = memfd_create("window", 0);
  return ftruncate(module->file, 0x100000) == 0 ? module->file : -1;
}

int __wrap_ioctl(int file, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  vp::test::Module& module = *vp::test::module_of_test;
  return file == module.file ? vp::test::request_of(module, request, argument) : vp::test::fail(EBADF);
}
}
