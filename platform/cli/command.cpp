#include "platform/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/cpu/jit/native_code.h"
#include "platform/cli/commands.h"
#include "platform/common/exit_code.h"
#include "platform/files/standard_streams.h"

namespace vp {
namespace {

void print_help(std::ostream& out) {
  out << "Usage: tinytpu-vp COMMAND [OPTION...]\n"
         "A virtual platform of a small machine-learning system-on-chip.\n\nCommands:\n";
  for (const Command& command : commands())
    out << "  " << std::left << std::setw(9) << command.name << ' ' << command.summary << '\n';
  out << "\n'tinytpu-vp COMMAND --help' describes a command, 'tinytpu-vp --version' prints the version.\n"
         "Exit codes: 0 success, 1 a check failed, 2 wrong use, 3 a guest trap nobody handled or a bus hang, 4 a limit "
         "was\n"
         "reached, 130 interrupted, 70 a model broke; a guest that ends with code n gives n.\n";
}

int run_named(const std::string& name, const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (name == command.name) return command.run(arguments);
    names.emplace_back(command.name);
  }
  const std::string guess = nearest_word(name, names);
  throw UserError("unknown command '" + name + "'" +
                  (guess.empty() ? " ('tinytpu-vp --help' lists them all)" : ": did you mean '" + guess + "'?"));
}

/// Where the command stands: behind any number of "--plugin FILE", which are options of the command, too.
std::size_t command_position(const std::vector<std::string>& arguments) {
  std::size_t at = 0;
  while (at < arguments.size() && arguments[at].compare(0, 8, "--plugin") == 0)
    at += arguments[at] == "--plugin" ? 2 : 1;
  if (at >= arguments.size()) throw UserError("no command given ('tinytpu-vp --help' lists them all)");
  return at;
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UserError("no command given ('tinytpu-vp --help' lists them all)");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    print_help(std::cout);
    return kExitSuccess;
  }
  if (first == "--version") {
    std::cout << "tinytpu-vp " TINYTPU_VP_VERSION "\n"
              << (cpu::NativeCode::available() ? "with a code generator for the CPU (cpu.jit)\n"
                                               : "without a code generator for the CPU: it is interpreted\n");
    return kExitSuccess;
  }
  const std::size_t command = command_position(arguments);
  std::vector<std::string> words(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(command));
  words.insert(words.end(), arguments.begin() + static_cast<std::ptrdiff_t>(command) + 1, arguments.end());
  return run_named(arguments[command], words);
}

/// The text with control characters written as \xNN: messages quote from files, which may be anything, and a terminal
/// must not obey them.
std::string printable(const std::string& text) {
  std::ostringstream result;
  for (const char character : text) {
    const auto code = static_cast<unsigned char>(character);
    if (code >= 0x20 && code != 0x7f)
      result << character;
    else
      result << "\\x" << std::hex << std::setw(2) << std::setfill('0') << unsigned{code};
  }
  return result.str();
}

/// The text with long words cut to 80 characters, paths excepted: a refused value can be a whole file by mistake.
std::string with_short_words(const std::string& text) {
  constexpr std::size_t kLongest = 80;
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size() - 1) + 1;
    const std::string word = text.substr(begin, end - begin);
    const bool cut = word.size() > kLongest + 3 && word.find('/') == std::string::npos;
    result += cut ? word.substr(0, kLongest - 3) + "... " : word;
    begin = end;
  }
  return result;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"run", "boot a program on the machine", run_command},
      {"sweep", "run a program over a grid of parameters", sweep_command},
      {"report", "make an HTML report of a run or a sweep", report_command},
      {"check", "replay recorded hardware runs on the models", check_command},
      {"asm", "assemble a tinyTPU program", asm_command},
      {"disasm", "disassemble a tinyTPU program", disasm_command},
      {"params", "list the parameters of the machine", params_command},
      {"machine", "show the parts of the machine, as text, table or picture", machine_command},
      {"registers", "describe the registers of a part, as table, JSON or C header", registers_command},
  };
  return list;
}

int run_command_line(const std::vector<std::string>& arguments) {
  try {
    errno = 0;
    const int code = dispatch(arguments);
    if (!std::cout.flush())
      throw UserError(std::string("cannot write to standard output: ") + std::strerror(errno ? errno : EIO));
    return code;
  } catch (const UserError& error) {
    std::cerr << "tinytpu-vp: " << printable(with_short_words(error.what())) << '\n';
    return kExitUserError;
  } catch (const std::exception& error) {
    std::cerr << "tinytpu-vp: internal error: " << error.what() << '\n';
    return kExitModelError;
  }
}

int run_process(const std::vector<std::string>& arguments) {
  const StandardStreams streams;
  const int code = run_command_line(arguments);
  return code != kExitSuccess ? code : StandardStreams::exit_code();
}

}  // namespace vp
