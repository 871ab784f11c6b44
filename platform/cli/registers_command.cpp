#include <boost/program_options/value_semantic.hpp>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/board/lone_parts.h"
#include "platform/board/register_text.h"
#include "platform/cli/commands.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/options.h"
#include "platform/common/exit_code.h"
#include "platform/run/kernel_messages.h"

namespace vp {

namespace {

using Writer = void (*)(const PartRegisters&, std::ostream&);

Writer writer_of(const std::string& format) {
  if (format.empty() || format == "text") return write_register_table;
  if (format == "json") return write_register_json;
  if (format == "header") return write_register_header;
  throw UserError("--format: '" + format.substr(0, 80) + "' is none of text, json and header");
}

/// Where the part is: its window, or the first of several.
std::optional<std::uint64_t> base_of(const PartSettings& settings) {
  Outline outline;
  settings.outline(outline);
  if (outline.windows.empty() || outline.windows.front().window.base == kNoBase) return std::nullopt;
  return outline.windows.front().window.base;
}

/// The part of that name, or a part of the kind of that name with the kind's own settings.
class Subject {
 public:
  Subject(const MachineSettings& machine, const std::string& name) {
    if (const DescribedPart* const part = machine.find(name)) {
      kind_ = part->kind;
      settings_ = part->settings.get();
      return;
    }
    kind_ = machine.kinds().find(name);
    if (kind_ == nullptr) throw_unknown(machine, name);
    own_ = kind_->make(name);
    settings_ = own_.get();
  }
  const PartKind& kind() const { return *kind_; }
  const PartSettings& settings() const { return *settings_; }

 private:
  [[noreturn]] static void throw_unknown(const MachineSettings& machine, const std::string& name) {
    std::vector<std::string> names;
    for (const DescribedPart& one : machine.parts()) names.push_back(one.settings->name());
    for (const PartKind* const one : machine.kinds().all()) names.emplace_back(one->name);
    const std::string guess = nearest_word(name, names);
    throw UserError(
        "registers: '" + name.substr(0, 80) + "' is neither a part of the machine nor a kind of part" +
        (guess.empty() ? " ('tinytpu-vp registers' lists those with registers)" : ": did you mean '" + guess + "'?"));
  }

  const PartKind* kind_ = nullptr;
  const PartSettings* settings_ = nullptr;
  std::unique_ptr<PartSettings> own_;
};

void list_parts(const MachineSettings& machine, LoneParts& parts, std::ostream& out) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t width = 0;
  for (const DescribedPart& one : machine.parts()) {
    const RegisterBank* const bank = parts.build(*one.settings).registers();
    if (bank == nullptr) continue;
    const auto base = base_of(*one.settings);
    std::ostringstream text;
    text << std::left << std::setw(16) << one.kind->name << std::setw(12) << (base ? hexadecimal(*base) : "")
         << counted(bank->registers().size(), "register");
    if (!one.settings->present) text << ", left out: " << one.settings->name() << ".present is false";
    lines.emplace_back(one.settings->name(), text.str());
    width = std::max(width, one.settings->name().size());
  }
  for (const auto& [part, text] : lines)
    out << std::left << std::setw(static_cast<int>(width) + 2) << part << text << '\n';
}

}  // namespace

int registers_command(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  OptionParser parser;
  parser.usage = "registers [--format text|json|header] [OPTION...] [PART|KIND...]";
  parser.about =
      "Describes the registers of a part of the machine that 'run' would build with these options, or of a kind of "
      "part:\n"
      "offset, access, value after reset, fields and their meaning; as a table, as JSON, or as a header for C and\n"
      "assembly. Without PART it lists the parts that have registers.\n";
  parser.takes_operands = true;
  parser.options.add_options()("format", po::value<std::string>()->value_name("text|json|header"),
                               "a table (default), JSON, or a header");
  add_configuration_options(parser.options, false);
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  const Writer write = writer_of(value_of(values, "format"));
  const MachineSettings machine(machine_sources(values));
  tame_kernel_messages();
  LoneParts parts;
  const std::vector<std::string> names = operands(values);
  if (names.empty() && values.count("format")) throw UserError("registers: --format needs a PART or KIND");
  std::ostringstream text;
  if (names.empty()) list_parts(machine, parts, text);
  for (const std::string& name : names) {
    const Subject subject(machine, name);
    const RegisterBank* const bank = parts.build(subject.settings()).registers();
    if (bank == nullptr) throw UserError("registers: " + name + " (" + subject.kind().name + ") has no registers");
    if (&name != &names.front()) text << '\n';
    write({name, subject.kind().name, base_of(subject.settings()), *bank}, text);
  }
  std::cout << text.str();
  return kExitSuccess;
}

}  // namespace vp
