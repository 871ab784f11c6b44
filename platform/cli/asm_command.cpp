#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <iterator>

#include "models/common/error.h"
#include "models/tinytpu/asm.h"
#include "platform/cli/commands.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/options.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace {

namespace po = boost::program_options;

struct Source {
  std::string name;
  std::string text;
};

Source read_source(const std::vector<std::string>& operands, const char* command) {
  if (operands.size() > 1) throw UserError(std::string(command) + ": more than one input file given");
  if (operands.empty() || operands[0] == "-")
    return {"standard input", {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}};
  return {operands[0], read_file(operands[0])};
}

/// Both directions read text and write text: the assembler accepts bare words, so it also reads what it writes.
int translate(const char* command, const char* about, const std::vector<std::string>& arguments,
              std::string (*convert)(const Source&)) {
  OptionParser parser;
  parser.usage = std::string(command) + " [-o FILE] [FILE|-]";
  parser.about = about;
  parser.takes_operands = true;
  parser.options.add_options()("output,o", po::value<std::string>()->default_value("-")->value_name("FILE"),
                               "where to write (default: standard output)");
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  write_file(value_of(values, "output"), convert(read_source(operands(values), command)));
  return kExitSuccess;
}

std::string assembled(const Source& source) {
  std::string words;
  for (const tinytpu::Instruction& instruction : tinytpu::assemble(source.text, source.name))
    words += tinytpu::to_hex(instruction) + '\n';
  return words;
}

std::string disassembled(const Source& source) {
  return tinytpu::disassemble(tinytpu::assemble(source.text, source.name));
}

}  // namespace

int asm_command(const std::vector<std::string>& arguments) {
  return translate(
      "asm",
      "Assembles a tinyTPU program: one instruction a line in, one 80-bit word of 20 hexadecimal digits a line\n"
      "out. The syntax is in models/tinytpu/README.md.\n",
      arguments, assembled);
}

int disasm_command(const std::vector<std::string>& arguments) {
  return translate("disasm", "Disassembles 80-bit tinyTPU words, 20 hexadecimal digits a line, exactly reversibly.\n",
                   arguments, disassembled);
}

}  // namespace vp
