#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/system/program.h"

namespace vp {

/// Where ./run-tests has put Debian's kernel, our driver and the images made of them.
inline std::string linux_file(const std::string& name) { return VP_SOURCE_DIR "/build/linux/" + name; }

/// Why a file is not there: what the set-up said, or that there was none.
inline std::string why_missing(const std::string& name) {
  std::ifstream file(linux_file("missing"));
  const std::string said((std::istreambuf_iterator<char>(file)), {});
  return said.empty() ? "there is no build/linux/" + name + ": ./run-tests makes it" : said;
}

/// Tests with a Linux that is set up by ./run-tests; without it they are skipped, with the reason.
class LinuxTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"debian/Image", "test.cpio", "shell.cpio"}) skip_without(name);
  }
  void skip_without(const std::string& name) {
    if (!std::filesystem::exists(linux_file(name))) GTEST_SKIP() << why_missing(name);
  }
};

/// What lets the stock kernel start in a third of its instructions (self tests and traces that no machine needs).
inline constexpr const char* kFastStart =
    "console=ttyS0 panic=-1 init_on_alloc=0 lsm=capability cryptomgr.notests=1 audit=0 initcall_blacklist="
    "jent_mod_init,load_system_certificate_list,init_kprobe_trace,bpf_tcp_ca_kfunc_init,bpf_dummy_struct_ops_init,"
    "check_unaligned_access_all_cpus ";

/// --timeout of a boot, wall-clock time, in which that many times the usual is to be done.
inline std::string boot_time(double times_the_usual = 1) {
  return std::to_string(static_cast<int>(120 * kTimeBudget * times_the_usual)) + "s";
}

/// A boot of the stock kernel on the default machine with 128 MiB in functional mode. `what`: for /init of the images
/// (tools/linux/init), behind the options above; `options` may have another --linux or --timeout; `initrd`: "test" or
/// "shell".
inline ProgramResult boot_linux(const std::string& what, const std::vector<std::string>& options = {},
                                const std::string& initrd = "test", const ProgramInput& input = {}) {
  std::vector<std::string> words = {"run",
                                    "--initrd",
                                    linux_file(initrd + ".cpio"),
                                    "--append",
                                    kFastStart + what,
                                    "--set",
                                    "dram0.size=128MiB",
                                    "--set",
                                    "dram1.present=false"};
  const auto lacks = [&options](const char* name) {
    return std::find(options.begin(), options.end(), name) == options.end();
  };
  bool has_fidelity = false;
  for (const std::string& option : options) has_fidelity |= option.compare(0, 9, "fidelity=") == 0;
  if (!has_fidelity) words.insert(words.end(), {"--set", "fidelity=functional"});
  if (lacks("--linux")) words.insert(words.end(), {"--linux", linux_file("debian/Image")});
  if (lacks("--timeout")) words.insert(words.end(), {"--timeout", boot_time()});
  words.insert(words.end(), options.begin(), options.end());
  return run_tinytpu_vp(words, input);
}

}  // namespace vp
