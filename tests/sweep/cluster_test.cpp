#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "models/common/error.h"
#include "platform/common/child_process.h"
#include "platform/sweep/words.h"
#include "tests/sweep/stand_in.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

const std::string kProgram = VP_BINARY_DIR "/tinytpu-vp";
constexpr int kCannotStart = 77;

/// Sweeps of a stand-in by the real tinytpu-vp; folders with everything in their names that has to be quoted.
class Cluster : public testing::Test {
 protected:
  Cluster() {
    fs::create_directories(folder_.path("it's a 50% $HOME \"sweep\""));
    out_ = folder_.path("it's a 50% $HOME \"sweep\"/out dir");
  }

  std::vector<std::string> sweep_words(const std::vector<std::string>& options) const {
    std::vector<std::string> words = environment_;
    words.insert(words.end(), {kProgram, "sweep", "--program", program_, "-o", out_});
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("--");
    words.insert(words.end(), {"run", elf_});
    return words;
  }
  /// Runs it to its end; returns its exit code.
  int sweep(const std::vector<std::string>& options) { return run_captured(sweep_words(options), output_).exit_code; }

  template <typename Condition>
  static bool wait_until(Condition condition) {
    for (int i = 0; i < 3000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  std::string started() const { return TemporaryFolder::read(folder_.path("runs.log")); }
  /// A stand-in that takes a minute.
  void make_slow() {
    folder_.write(
        "stand in",
        "#!/bin/sh\n[ \"$1\" = --version ] && exit\necho started >> \"$(dirname \"$0\")/runs.log\"\nexec sleep 60\n");
  }

  TemporaryFolder folder_;
  std::string program_ = write_stand_in(folder_);
  std::string elf_ = write_program(folder_, "my program.elf", "code");
  std::string out_;
  std::vector<std::string> environment_ = {"env"};
  std::string output_;
};

const std::vector<std::string> kSixPoints = {"--set", "bus.width=32,64", "--set", "cpu.quantum=1us,2us,4us"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// ---- Slurm on this machine: the one that ctest has started for all tests, or one of the test's own

class Slurm : public Cluster {
 protected:
  void SetUp() override {
    const char* const shared = std::getenv("VP_SHARED_SLURM");  // the file that names its folder
    if (shared)
      use_shared(TemporaryFolder::read(shared));
    else
      start_own();
  }
  void TearDown() override {
    std::string text;
    if (own_) run_captured({VP_SOURCE_DIR "/tests/sweep/start_slurm", "stop", own_->path()}, text);
  }
  void start_own() {
    std::string text;
    own_.emplace();
    const ChildEnd end = run_captured({VP_SOURCE_DIR "/tests/sweep/start_slurm", "start", own_->path()}, text);
    if (end.exit_code == kCannotStart) {
      GTEST_SKIP() << text;
    }
    ASSERT_TRUE(end.success()) << text;
    environment_.push_back("SLURM_CONF=" + own_->path("slurm.conf"));
  }
  void use_shared(std::string folder) {
    folder.resize(folder.find('\n'));
    const std::string reason = TemporaryFolder::read(folder + "/reason");
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
    environment_.push_back("SLURM_CONF=" + folder + "/slurm.conf");
    ASSERT_TRUE(wait_until([&] { return queue().empty(); })) << "jobs of the test before";
  }
  std::string queue() {
    std::string text;
    std::vector<std::string> words = environment_;
    words.insert(words.end(), {"squeue", "--noheader", "--format=%F"});
    run_captured(words, text);
    return text;
  }

  std::optional<TemporaryFolder> own_;
};

TEST_F(Slurm, a_job_array_runs_every_point_once) {
  EXPECT_EQ(sweep(with(kSixPoints, {"--engine", "slurm", "--chunk", "2"})), 0) << output_;
  EXPECT_THAT(output_, AllOf(HasSubstr("slurm: 3 tasks of up to 2 points in job "),
                             HasSubstr("6 points: 6 finished, 0 reused, 0 failed\n")));
  EXPECT_EQ(count_runs(folder_), 6u);
  EXPECT_THAT(started(), HasSubstr("/my program.elf> in "));
  EXPECT_EQ(sweep(with(kSixPoints, {"--engine", "slurm"})), 0);
  EXPECT_THAT(output_, HasSubstr("6 points: 0 finished, 6 reused, 0 failed\n"));
}

TEST_F(Slurm, failing_points_are_reported) {
  folder_.write("stand in", "#!/bin/sh\necho 'tinytpu-vp: broken' >&2\nexit 3\n");
  EXPECT_EQ(sweep({"--set", "bus.width=32", "--engine", "slurm"}), 1);
  EXPECT_THAT(output_, HasSubstr("failed: bus.width=32\n  exit code 3: tinytpu-vp: broken\n  log: "));
}

TEST_F(Slurm, an_interrupt_cancels_the_job) {
  make_slow();
  ChildSetup setup;
  setup.command = sweep_words(with(kSixPoints, {"--engine", "slurm", "--jobs", "1"}));
  setup.output = folder_.path("sweep.log");
  ChildProcess process(setup);
  ASSERT_TRUE(wait_until([&] { return !started().empty(); })) << TemporaryFolder::read(setup.output);
  process.send(SIGINT);
  EXPECT_EQ(process.wait().exit_code, 130) << TemporaryFolder::read(setup.output);
  EXPECT_TRUE(wait_until([&] { return queue().empty(); }));
  EXPECT_EQ(count_runs(folder_), 1u) << "--jobs 1 runs one point at a time";
}

TEST_F(Slurm, points_of_a_job_that_somebody_cancelled_are_reported) {
  make_slow();
  ChildSetup setup;
  setup.command = sweep_words({"--set", "bus.width=32,64", "--engine", "slurm", "--chunk", "2"});
  setup.output = folder_.path("sweep.log");
  ChildProcess process(setup);
  ASSERT_TRUE(wait_until([&] { return !started().empty(); })) << TemporaryFolder::read(setup.output);
  std::vector<std::string> words = environment_;
  words.insert(words.end(), {"scancel", queue().substr(0, queue().find('\n'))});
  run_captured(words, output_);
  EXPECT_EQ(process.wait().exit_code, 1);
  EXPECT_THAT(TemporaryFolder::read(setup.output), HasSubstr("the Slurm task ended without a result"));
}

TEST_F(Slurm, what_sbatch_refuses_is_one_sentence) {
  EXPECT_EQ(sweep({"--set", "bus.width=32", "--engine", "slurm", "--engine-option=--partition=none"}), 2);
  EXPECT_THAT(output_, HasSubstr("tinytpu-vp: sbatch refuses the sweep: "));
  EXPECT_EQ(std::count(output_.begin(), output_.end(), '\n'), 1) << output_;
}

TEST_F(Cluster, a_missing_slurm_is_one_sentence_before_anything_runs) {
  environment_.push_back("PATH=/none");
  EXPECT_EQ(run_captured(with({"/usr/bin/env", "PATH=/none"}, {kProgram, "sweep", "-o", out_, "--engine", "slurm",
                                                               "--set", "bus.width=32", "--", "run", elf_}),
                         output_)
                .exit_code,
            2);
  EXPECT_EQ(output_, "tinytpu-vp: --engine slurm needs the program sbatch (package slurm-client)\n");
  EXPECT_FALSE(fs::exists(out_));
}

// ---- GNU parallel

TEST_F(Cluster, gnu_parallel_runs_every_point_once) {
  EXPECT_EQ(sweep(with(kSixPoints, {"--engine", "parallel", "--jobs", "2"})), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("6 points: 6 finished, 0 reused, 0 failed\n"));
  EXPECT_EQ(count_runs(folder_), 6u);
  EXPECT_THAT(started(), HasSubstr("/my program.elf> in "));
}

TEST_F(Cluster, an_interrupt_ends_gnu_parallel_and_its_points) {
  make_slow();
  ChildSetup setup;
  setup.command = sweep_words(with(kSixPoints, {"--engine", "parallel", "--jobs", "2"}));
  setup.output = folder_.path("sweep.log");
  ChildProcess process(setup);
  ASSERT_TRUE(wait_until([&] { return count_runs(folder_) == 2; })) << TemporaryFolder::read(setup.output);
  process.send(SIGINT);
  EXPECT_EQ(process.wait().exit_code, 130);
  EXPECT_EQ(count_runs(folder_), 2u);
  EXPECT_THAT(TemporaryFolder::read(setup.output), HasSubstr("6 left (interrupted"));
}

TEST_F(Cluster, an_unreachable_host_is_reported_for_each_point) {
  EXPECT_EQ(
      sweep({"--set", "bus.width=32", "--engine", "parallel", "--sshlogin", "ssh -o ConnectTimeout=5 none.invalid"}),
      1);
  EXPECT_THAT(output_, HasSubstr("GNU parallel ended without a result"));
}

/// An ssh server of the test's own: a free port, keys of its own, this user.
class Ssh : public Cluster {
 protected:
  void SetUp() override {
    const std::string host_key = make_key("host");
    const std::string key = make_key("user");
    fs::copy_file(key + ".pub", keys_.path("authorized"));
    if (::getuid() == 0) fs::create_directories("/run/sshd");
    std::string text;
    for (int attempt = 0; attempt < 20 && !server_; ++attempt) {
      const std::string port = std::to_string(20000 + (::getpid() * 7 + attempt * 131) % 20000);
      ChildSetup setup;
      setup.command = {"/usr/sbin/sshd",
                       "-D",
                       "-e",
                       "-f",
                       "/dev/null",
                       "-p",
                       port,
                       "-h",
                       host_key,
                       "-oAuthorizedKeysFile=" + keys_.path("authorized"),
                       "-oStrictModes=no",
                       "-oPidFile=none",
                       "-oListenAddress=127.0.0.1",
                       "-oPermitRootLogin=yes"};
      setup.output = keys_.path("sshd.log");
      server_.emplace(setup);
      login_ = "ssh -p " + port + " -i " + key +
               " -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
               " -o LogLevel=ERROR 127.0.0.1";
      if (wait_until([&] {
            return TemporaryFolder::read(setup.output).find("listening") != std::string::npos || server_->poll();
          }) &&
          run_captured(with(split_words(login_), {"true"}), text).success())
        return;
      text += TemporaryFolder::read(setup.output);
      server_.reset();
    }
    GTEST_SKIP() << "no ssh server can run here: " << text;
  }
  std::string make_key(const std::string& name) {
    run_captured({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys_.path(name)}, output_);
    return keys_.path(name);
  }

  TemporaryFolder keys_;
  std::optional<ChildProcess> server_;
  std::string login_;
};

TEST_F(Ssh, gnu_parallel_runs_points_over_ssh) {
  EXPECT_EQ(sweep(with(kSixPoints, {"--engine", "parallel", "--jobs", "2", "--sshlogin", login_})), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("6 points: 6 finished, 0 reused, 0 failed\n"));
  EXPECT_EQ(count_runs(folder_), 6u);
  EXPECT_THAT(started(), HasSubstr("/my program.elf> in " + fs::current_path().string()));
}

}  // namespace
}  // namespace vp
