#include <boost/program_options/value_semantic.hpp>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "models/common/error.h"
#include "models/drra/asm.h"
#include "models/matmul/isa.h"
#include "models/tensil/asm.h"
#include "models/tinytpu/asm.h"
#include "models/tinytpu/original_text.h"
#include "platform/cli/commands.h"
#include "platform/cli/options.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace {

namespace po = boost::program_options;

struct Source {
  std::string name;
  std::string text;
  std::string architecture;  ///< of a Tensil TCU: a preset's name or a `.tarch` file
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
  Converter tensil;  ///< encoding v2
  Converter tensil_v1;

  Converter of(const std::string& device) const {
    if (device == "tinytpu") return tinytpu;
    if (device == "matmul") return matmul;
    if (device == "drra") return drra;
    if (device == "tensil") return tensil;
    if (device == "tensil-v1") return tensil_v1;
    throw UserError("--device: '" + device + "' has no assembler (allowed: tinytpu, matmul, drra, tensil, tensil-v1)");
  }
};

/// Both directions read and write text; programs of the Tensil TCU are binary.
int translate(const char* command, const char* about, const std::vector<std::string>& arguments,
              const Converters& converters) {
  OptionParser parser;
  parser.usage = std::string(command) + " [-o FILE] [FILE|-]";
  parser.about = about;
  parser.takes_operands = true;
  parser.options.add_options()("output,o", po::value<std::string>()->default_value("-")->value_name("FILE"),
                               "where to write (default: standard output)");
  parser.options.add_options()(
      "device", po::value<std::string>()->default_value("tinytpu")->value_name("DEVICE"),
      "whose program it is: tinytpu (default), matmul, drra, tensil (encoding v2) or tensil-v1");
  parser.options.add_options()("arch", po::value<std::string>()->value_name("FILE.tarch|PRESET"),
                               "with tensil: the architecture, a file or one of Tensil's boards, such as zcu104");
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  const Converter convert = converters.of(value_of(values, "device"));
  Source source = read_source(operands(values), command);
  source.architecture = value_of(values, "arch");
  if (!source.architecture.empty() && value_of(values, "device").rfind("tensil", 0) != 0)
    throw UserError(std::string(command) + ": --arch is for --device tensil or tensil-v1");
  write_file(value_of(values, "output"), convert(source));
  return kExitSuccess;
}

std::string assembled(const Source& source) {
  std::string words;
  for (const tinytpu::Instruction& instruction : tinytpu::read_instructions(source.text, source.name))
    words += tinytpu::to_hex(instruction) + '\n';
  return words;
}

std::string disassembled(const Source& source) {
  return tinytpu::disassemble(tinytpu::read_instructions(source.text, source.name));
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

tensil::Layout tensil_layout(const Source& source, tensil::Encoding encoding) {
  if (source.architecture.empty()) throw UserError("--device tensil needs --arch FILE.tarch or a board's name");
  for (const tensil::Preset& preset : tensil::presets())
    if (source.architecture == preset.name) return {preset.architecture, encoding};
  return {tensil::parse_architecture(read_file(source.architecture), source.architecture), encoding};
}

template <tensil::Encoding kEncoding>
std::string assembled_tensil(const Source& source) {
  const auto bytes = tensil::assemble(tensil_layout(source, kEncoding), source.text, source.name);
  return {bytes.begin(), bytes.end()};
}

template <tensil::Encoding kEncoding>
std::string disassembled_tensil(const Source& source) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(source.text.data());
  return tensil::disassemble(tensil_layout(source, kEncoding), bytes, source.text.size());
}

}  // namespace

int asm_command(const std::vector<std::string>& arguments) {
  return translate(
      "asm",
      "Assembles a tinyTPU program: one instruction a line in, one 80-bit word of 20 hexadecimal digits a line\n"
      "out. The syntax is in models/tinytpu/README.md. MatMul programs are as in TEXT sections of scripts, their\n"
      "words have 8 digits. Programs of the DRRA fabric are described in models/drra/README.md; theirs have 7. "
      "Programs\n"
      "of the Tensil TCU become binary .tprog files.\n",
      arguments,
      {assembled, assembled_matmul, assembled_drra, assembled_tensil<tensil::Encoding::v2>,
       assembled_tensil<tensil::Encoding::v1>});
}

int disasm_command(const std::vector<std::string>& arguments) {
  return translate("disasm",
                   "Disassembles 80-bit tinyTPU words, 20 hexadecimal digits a line, exactly reversibly;\n"
                   "or 32-bit words of the MatMul device, or 27-bit words of the DRRA fabric with its directives,\n"
                   "or a .tprog file of the Tensil TCU.\n",
                   arguments,
                   {disassembled, disassembled_matmul, disassembled_drra, disassembled_tensil<tensil::Encoding::v2>,
                    disassembled_tensil<tensil::Encoding::v1>});
}

}  // namespace vp
