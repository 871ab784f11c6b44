#include <gtest/gtest.h>

#include "platform/cli/gdb_options.h"
#include "platform/cli/run_parser.h"
#include "tests/platform/run_in_process.h"

namespace vp {
namespace {

RunOptions gdb_options_of(const std::vector<std::string>& arguments) {
  RunOptions options;
  read_gdb_options(make_run_parser().parse(arguments), options);
  return options;
}

TEST(GdbOptions, without_a_place_it_is_the_usual_port_of_this_host) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--gdb", "program.elf"}, {"program.elf", "--gdb"}, {"--gdb", "-q"}}) {
    const RunOptions options = gdb_options_of(arguments);
    ASSERT_TRUE(options.gdb);
    EXPECT_EQ(options.gdb->port, 1234);
    EXPECT_TRUE(options.gdb->only_this_host());
  }
  EXPECT_FALSE(gdb_options_of({"program.elf"}).gdb);
}

TEST(GdbOptions, a_place_may_follow_or_be_joined) {
  EXPECT_EQ(gdb_options_of({"--gdb", "2000", "program.elf"}).gdb->port, 2000);
  EXPECT_EQ(gdb_options_of({"--gdb=0", "program.elf"}).gdb->port, 0);
  EXPECT_EQ(gdb_options_of({"--gdb", "0.0.0.0:7", "program.elf"}).gdb->host, "0.0.0.0");
  EXPECT_EQ(gdb_options_of({"--gdb", "stdio", "program.elf"}).gdb->kind, gdb::Place::Kind::standard_streams);
  EXPECT_EQ(operands(make_run_parser().parse({"--gdb", "2000", "program.elf"})),
            std::vector<std::string>{"program.elf"});
}

TEST(GdbOptions, what_makes_no_sense_is_one_sentence) {
  expect_user_error({"run", "--gdb", "70000", "program.elf"}, "--gdb: '70000' is none of PORT");
  expect_user_error({"run", "--gdb=host:1", "program.elf"}, "none of PORT");
  expect_user_error({"run", "--gdb-wait", "program.elf"}, "--gdb-wait needs --gdb");
  expect_user_error({"run", "--gdb", "stdio", "program.elf"}, "uart0.input has to be a file");
  expect_user_error({"run", "--gdb", "stdio", "--uart-input", "/dev/null", "program.elf"},
                    "uart0.output has to be a file");
  expect_user_error({"run", "--gdb", "stdio", "--stats", "-", "program.elf"}, "so --stats needs a file");
}

TEST(GdbOptions, runs_without_a_cpu_refuse_it) {
  expect_user_error({"run", "--gdb", "--network", "4x4"}, "--gdb is for programs of the CPU");
  expect_user_error({"run", "--gdb", "--program", "x.tpu"}, "--gdb is for programs of the CPU");
  expect_user_error({"run", "--gdb-wait", "--tmodel", "x.tmodel", "--input", "x"},
                    "--gdb-wait is for programs of the CPU");
  expect_user_error({"run", "--gdb", "--drra", "x.drra"}, "--gdb is for programs of the CPU");
  expect_user_error({"run", "--gdb", "--workload", "x.csv"}, "--gdb is for programs of the CPU");
  expect_user_error({"run", "--gdb", "--matmul", "x.mm"}, "--gdb is for programs of the CPU");
  expect_user_error({"run", "--gdb", "--serial", "matmul=pty"}, "--gdb is for programs of the CPU");
  expect_user_error({"sweep", "--set", "tpu.matrix_width=6,8", "-o", "/tmp/none", "--", "run", "--gdb", "x.elf"},
                    "nobody is there to debug the points");
}

}  // namespace
}  // namespace vp
