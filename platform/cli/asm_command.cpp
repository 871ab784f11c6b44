#include <boost/program_options/value_semantic.hpp>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "models/common/error.h"
#include "models/drra/asm.h"
#include "models/matmul/isa.h"
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

using Converter = std::string (*)(const Source&);

/// The conversion for each device that has a program.
struct Converters {
  Converter tinytpu;
  Converter matmul;
  Converter drra;

  Converter of(const std::string& device) const {
    if (device == "tinytpu") return tinytpu;
    if (device == "matmul") return matmul;
    if (device == "drra") return drra;
    throw UserError("--device: '" + device + "' has no assembler (allowed: tinytpu, matmul, drra)");
  }
};

/// Both directions read text and write text.
int translate(const char* command, const char* about, const std::vector<std::string>& arguments,
              const Converters& converters) {
  OptionParser parser;
  parser.usage = std::string(command) + " [-o FILE] [FILE|-]";
  parser.about = about;
  parser.takes_operands = true;
  parser.options.add_options()("output,o", po::value<std::string>()->default_value("-")->value_name("FILE"),
                               "where to write (default: standard output)");
  parser.options.add_options()("device", po::value<std::string>()->default_value("tinytpu")->value_name("DEVICE"),
                               "whose program it is: tinytpu (default), matmul or drra");
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  const Converter convert = converters.of(value_of(values, "device"));
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

std::string assembled_matmul(const Source& source) {
  std::string words;
  for (const std::uint32_t word : matmul::assemble(source.text, source.name)) {
    char line[16];
    std::snprintf(line, sizeof line, "%08x\n", word);
    words += line;
  }
  return words;
}

std::string disassembled_matmul(const Source& source) {
  return matmul::disassemble(matmul::parse_words(source.text, source.name));
}

std::string assembled_drra(const Source& source) { return drra::words_text(drra::assemble(source.text, source.name)); }

std::string disassembled_drra(const Source& source) {
  return drra::disassemble(drra::assemble(source.text, source.name));
}

}  // namespace

int asm_command(const std::vector<std::string>& arguments) {
  return translate(
      "asm",
      "Assembles a tinyTPU program: one instruction a line in, one 80-bit word of 20 hexadecimal digits a line\n"
      "out. The syntax is in models/tinytpu/README.md. MatMul programs are as in TEXT sections of scripts, their\n"
      "words have 8 digits. Programs of the DRRA fabric are described in models/drra/README.md; theirs have 7.\n",
      arguments, {assembled, assembled_matmul, assembled_drra});
}

int disasm_command(const std::vector<std::string>& arguments) {
  return translate("disasm",
                   "Disassembles 80-bit tinyTPU words, 20 hexadecimal digits a line, exactly reversibly;\n"
                   "or 32-bit words of the MatMul device, or 27-bit words of the DRRA fabric with its directives.\n",
                   arguments, {disassembled, disassembled_matmul, disassembled_drra});
}

}  // namespace vp
