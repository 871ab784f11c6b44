#include "platform/board/machine_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/common/error.h"
#include "platform/board/machine_table.h"
#include "platform/board/machine_text.h"
#include "platform/files/whole_file.h"
#include "tests/platform/temporary_folder.h"

namespace vp {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

MachineSources with(std::vector<std::string> assignments) {
  MachineSources sources;
  sources.assignments = std::move(assignments);
  return sources;
}

/// The sentence with which a machine is refused; empty if it is not.
std::string refusal(const MachineSources& sources) {
  try {
    MachineSettings(sources).check();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}
std::string refusal(std::vector<std::string> assignments) { return refusal(with(std::move(assignments))); }

std::string text_of(const MachineSettings& machine) {
  std::ostringstream text;
  write_machine(machine, text);
  return text.str();
}

class MachineFile : public testing::Test {
 protected:
  /// A machine of this description, in a file called m.ini.
  MachineSources file(const std::string& text) {
    std::ofstream(folder_.path("m.ini")) << text;
    MachineSources sources;
    sources.machine = folder_.path("m.ini");
    return sources;
  }

  TemporaryFolder folder_;
};

constexpr const char* kSmall =
    "[cpu]\nkind = cpu\n[rom]\nkind = bootrom\nbase = 0x1000\n"
    "[ram]\nkind = memory\nbase = 0x80000000\nsize = 1MiB\n";

TEST(MachineSettings, the_default_machines_device_tree_is_the_recorded_one) {
  const auto tree = [](const char* isa) {
    const std::vector<std::uint8_t> blob =
        flatten(MachineSettings(with({std::string("cpu.isa=") + isa})).device_tree());
    return std::string(blob.begin(), blob.end());
  };
  const std::string recorded = VP_SOURCE_DIR "/tests/board/default_machine";
  EXPECT_TRUE(tree("rv64gc") == read_file(recorded + "64.dtb"));
  EXPECT_TRUE(tree("rv32gc") == read_file(recorded + "32.dtb"));
}

TEST(MachineSettings, settings_of_the_default_machine_are_defaults) {
  const MachineSettings machine;
  EXPECT_EQ(machine.table.find("dram1.base")->default_value, "0xc0000000");
  EXPECT_EQ(machine.table.find("traffic0.present")->default_value, "false");
  for (const Parameter& parameter : machine.table.all()) EXPECT_EQ(parameter.source, "default") << parameter.name;
}

TEST(MachineSettings, an_assignment_adds_a_part) {
  const MachineSettings machine(with({"tpu1.kind=tinytpu", "tpu1.base=0x46000000", "tpu1.interrupt=20"}));
  machine.check();
  EXPECT_EQ(machine.table.find("tpu1.matrix_width")->get(), "14");
  const DeviceTreeNode root = machine.device_tree();
  EXPECT_NE(root.child("soc")->child("tinytpu@46000000"), nullptr);
  EXPECT_NE(root.child("soc")->child("tinytpu@43c00000"), nullptr);
}

TEST(MachineSettings, the_environment_adds_a_part) {
  MachineSources sources;
  sources.environment = {"TINYTPU_VP_TPU1__KIND=tinytpu", "TINYTPU_VP_TPU1__BASE=0x46000000", "PATH=/bin"};
  EXPECT_EQ(MachineSettings(sources).table.find("tpu1.base")->get(), "0x46000000");
}

TEST(MachineSettings, unknown_kinds_are_refused_with_the_nearest_one) {
  EXPECT_EQ(refusal({"tpu1.kind=tinytpuu"}),
            "--set: tpu1.kind: there is no kind of part called 'tinytpuu': did you mean 'tinytpu'?");
}

TEST(MachineSettings, a_part_keeps_its_kind) {
  EXPECT_EQ(refusal({"tpu.kind=tinytpu"}), "");
  EXPECT_EQ(refusal({"tpu.kind=uart"}),
            "--set: tpu.kind: the machine has a part tpu of the kind tinytpu already, which cannot become a uart: give "
            "another name, or describe the whole machine in a file for --machine");
}

TEST(MachineSettings, names_of_parts_are_words) {
  for (const char* name : {"Tpu", "1tpu", "my tpu", "tpu-1", "a__b", "tpu_", ""})
    EXPECT_THAT(refusal({std::string(name) + ".kind=tinytpu"}), Not("")) << name;
  EXPECT_THAT(refusal({"Tpu.kind=tinytpu"}), HasSubstr("'Tpu' cannot be the name of a part"));
  EXPECT_EQ(refusal({"bus.kind=uart"}), "--set: a part cannot be called bus, which is the name of something else");
}

TEST(MachineSettings, a_window_needs_an_address) {
  EXPECT_EQ(refusal({"tpu1.kind=tinytpu"}), "tpu1 has no place in the address space: set tpu1.base");
  EXPECT_EQ(refusal({"tpu1.kind=tinytpu", "tpu1.present=false"}), "");
}

TEST(MachineSettings, windows_do_not_overlap) {
  EXPECT_THAT(refusal({"tpu1.kind=tinytpu", "tpu1.base=0x43C80000"}),
              AllOf(HasSubstr("overlap"), HasSubstr("tpu1 (0x43c80000"), HasSubstr("tpu (0x43c00000")));
}

TEST(MachineSettings, an_interrupt_input_takes_one_line) {
  EXPECT_EQ(refusal({"tpu.interrupt=10"}), "uart0.interrupt and tpu.interrupt both lead to input 10 of plic");
  EXPECT_EQ(refusal({"tpu.interrupt=plic:10"}), "uart0.interrupt and tpu.interrupt both lead to input 10 of plic");
  EXPECT_EQ(refusal({"tpu.interrupt=10", "uart0.interrupt=none"}), "");
  EXPECT_EQ(refusal({"tpu.interrupt=10", "uart0.present=false"}), "");
}

TEST(MachineSettings, an_interrupt_is_one_that_the_controller_has) {
  EXPECT_EQ(refusal({"tpu.interrupt=32"}),
            "tpu.interrupt is 32, but the inputs of plic end with number 31 (plic.sources)");
  EXPECT_EQ(refusal({"tpu.interrupt=32", "plic.sources=32"}), "");
  EXPECT_THAT(refusal({"tpu.interrupt=0"}), HasSubstr("--set: tpu.interrupt: '0' is no interrupt"));
  EXPECT_THAT(refusal({"tpu.interrupt=plic:"}), HasSubstr("'plic:' is no interrupt"));
}

TEST(MachineSettings, wires_lead_to_parts_of_the_machine) {
  EXPECT_EQ(refusal({"tpu.interrupt=plic7:3"}),
            "tpu.interrupt leads to plic7:3, but the machine has no part plic7: did you mean 'plic'?");
  EXPECT_EQ(refusal({"tpu.interrupt=uart0:3"}), "tpu.interrupt leads to uart0:3, but uart0 is no interrupt controller");
  EXPECT_EQ(refusal({"matmul.serial=uart9"}),
            "matmul.serial leads to uart9, but the machine has no part uart9: did you mean 'uart0'?");
  EXPECT_EQ(refusal({"matmul.serial=tpu"}), "matmul.serial leads to tpu, but tpu is no serial port");
}

TEST(MachineSettings, a_wire_to_a_part_that_is_left_out_is_unplugged) {
  EXPECT_EQ(refusal({"uart1.present=false"}), "");
  EXPECT_EQ(refusal({"plic.present=false"}), "");
  EXPECT_EQ(refusal({"plic.present=false", "tpu.interrupt=plic:1"}), "");
}

TEST(MachineSettings, a_serial_port_has_one_thing_at_its_other_end) {
  EXPECT_EQ(refusal({"matmul1.kind=matmul", "matmul1.serial=uart1"}),
            "matmul.serial and matmul1.serial both lead to uart1");
  EXPECT_EQ(refusal({"uart1.output=file"}),
            "uart1 has a console (uart1.input, uart1.output) and matmul at its other end: set matmul.serial");
}

TEST(MachineSettings, a_second_controller_takes_lines_by_its_name) {
  const MachineSettings machine(with({"plic1.kind=plic", "plic1.base=0x20000000", "tpu1.kind=tinytpu",
                                      "tpu1.base=0x46000000", "tpu1.interrupt=plic1:1"}));
  machine.check();
  std::ostringstream table;
  print_machine_table(machine, table);
  EXPECT_THAT(table.str(), HasSubstr("plic1:1 rising edge"));
}

TEST(MachineSettings, a_machine_has_one_cpu_that_starts_somewhere) {
  EXPECT_EQ(refusal({"cpu1.kind=cpu"}), "a machine has one CPU, but this one has cpu and cpu1.");
  EXPECT_EQ(refusal({"bootrom.present=false"}), "cpu has nowhere to start: the machine has no boot ROM.");
  EXPECT_EQ(refusal({"cpu.sstc=true", "clint.present=false"}),
            "cpu.sstc compares with a real-time counter, but the machine has none (a clint).");
}

TEST_F(MachineFile, it_takes_the_place_of_the_default_machine) {
  const MachineSettings machine(file(kSmall));
  machine.check();
  EXPECT_EQ(machine.parts().size(), 3u);
  EXPECT_EQ(machine.table.find("tpu.matrix_width"), nullptr);
  EXPECT_EQ(machine.table.find("ram.size")->get(), "1048576");
  EXPECT_EQ(machine.table.find("rom.base")->source, folder_.path("m.ini") + ":5");
}

TEST_F(MachineFile, a_section_of_a_part_says_its_kind) {
  EXPECT_EQ(
      refusal(file(std::string(kSmall) + "[tpu9]\nbase = 0x46000000\n")),
      folder_.path("m.ini") + ":11: tpu9 is no part, because no line 'kind = ...' of a section [tpu9] says what it is");
}

TEST_F(MachineFile, a_kind_is_said_once) {
  EXPECT_EQ(refusal(file("[cpu]\nkind = cpu\nkind = cpu\n")),
            folder_.path("m.ini") + ":3: cpu.kind is already set in line 2");
}

TEST_F(MachineFile, it_cannot_load_a_plug_in) {
  EXPECT_THAT(refusal(file(std::string("plugin = lamp.so\n") + kSmall)), HasSubstr("unknown parameter 'plugin'"));
}

TEST_F(MachineFile, what_is_printed_makes_the_same_machine) {
  const std::string usual = text_of(MachineSettings());
  EXPECT_EQ(text_of(MachineSettings(file(usual))), usual);
  const std::string other =
      text_of(MachineSettings(with({"fidelity=functional", "tpu1.kind=tinytpu", "tpu1.base=0x46000000",
                                    "tpu1.interrupt=plic:20", "tpu1.matrix_width=8", "uart1.present=false",
                                    "cpu.icache.size=16KiB", "bus.topology=shared", "uart0.input= a b "})));
  EXPECT_EQ(text_of(MachineSettings(file(other))), other);
}

TEST_F(MachineFile, what_is_printed_is_the_default_machines_file) {
  const auto content = [](const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && line.front() != '#' && line.find("base") != 0 && line.find("clock") != 0)
        kept += line + '\n';
    return kept;
  };
  EXPECT_EQ(content(text_of(MachineSettings())),
            content(read_file(VP_SOURCE_DIR "/platform/board/default_machine.ini")));
}

}  // namespace
}  // namespace vp
