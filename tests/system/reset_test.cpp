// Resets of the machine load what was loaded at its start.
#include <gmock/gmock.h>

#include "platform/common/exit_code.h"
#include "tests/system/saved_machine.h"
#include "tests/system/small_programs.h"

namespace vp {
namespace {

/// Looks at the byte behind its code's page: if it is '!', ends the run with success, else writes that there and resets
/// the machine.
std::string resetting_program() {
  return program_of({
      0x00000297,  //       auipc t0,0
      0x000023b7,  //       lui   t2,2
      0x007282b3,  //       add   t0,t0,t2       0x80002000
      0x0002c303,  //       lbu   t1,0(t0)
      0x02100e13,  //       li    t3,'!'
      0x00100eb7,  //       lui   t4,0x100
      0x01c30c63,  //       beq   t1,t3,end
      0x01c28023,  //       sb    t3,0(t0)
      0x00007f37,  //       lui   t5,7
      0x777f0f13,  //       addi  t5,t5,0x777
      0x01eea023,  //       sw    t5,0(t4)
      0x0000006f,  //       j     .
      0x00005f37,  // end:  lui   t5,5
      0x555f0f13,  //       addi  t5,t5,0x555
      0x01eea023,  //       sw    t5,0(t4)
      0x0000006f,  //       j     .
  });
}

/// Runs it with a file behind it, of whose content `change` makes another one meanwhile.
void run_with_file(const std::function<void(const TemporaryFolder&)>& change,
                   const std::function<void(const MachineEnd&)>& expect) {
  in_a_process([&] {
    tame_kernel_messages();
    const TemporaryFolder folder;
    const std::string content(200'000, '.');
    MachineSources sources;
    sources.assignments = {"uart0.input=", "uart0.output="};
    const MachineSettings settings(sources);
    ElfProgram program = parse_elf(resetting_program(), "resetting");
    program.segments.push_back({0x8000'2000, content.size(), StoredBytes::of_file(folder.write("file", content))});
    MachineRun machine(settings);
    machine.load(std::move(program));
    machine.limit_instructions(100);
    change(folder);
    expect(machine.run());
  });
}

TEST(Reset, reads_a_loaded_file_again) {
  run_with_file([](const TemporaryFolder& folder) { std::filesystem::remove(folder.path("file")); },
                [](const MachineEnd& end) { EXPECT_EQ(end.cause, EndCause::instruction_limit) << end.sentence; });
}

TEST(Reset, never_loads_another_content) {
  run_with_file([](const TemporaryFolder& folder) { folder.write("file", std::string(200'000, '!')); },
                [](const MachineEnd& end) {
                  EXPECT_EQ(end.cause, EndCause::lost_program);
                  EXPECT_EQ(end.exit_code, kExitUserError);
                  EXPECT_THAT(end.sentence, testing::HasSubstr("has been changed since the run began"));
                });
}

}  // namespace
}  // namespace vp
