#include "platform/run/monitor.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "models/common/error.h"
#include "models/common/machine_roles.h"
#include "models/common/number_text.h"
#include "models/common/part.h"
#include "models/common/register_bank.h"
#include "models/common/wording.h"
#include "platform/run/run_log.h"

namespace vp {

namespace {

constexpr std::uint64_t kMstatusMie = 1u << 3;
constexpr std::pair<unsigned, const char*> kLines[] = {{3, "software"},         {7, "timer"},
                                                       {11, "external"},        {1, "supervisor software"},
                                                       {5, "supervisor timer"}, {9, "supervisor external"}};

std::vector<std::string> command_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// The one name that is the word, or the only one that begins with it. Throws UserError.
std::string completed(const std::string& word, const std::vector<std::string>& names, const std::string& what) {
  std::vector<std::string> fitting;
  for (const std::string& name : names) {
    if (name == word) return name;
    if (name.compare(0, word.size(), word) == 0) fitting.push_back(name);
  }
  if (fitting.size() == 1) return fitting[0];
  if (fitting.empty()) throw UserError("there is no " + what + " " + quoted(word) + "; there are: " + listed(names));
  throw UserError(quoted(word) + " may be " + listed(fitting));
}

std::string hexadecimal_of(std::uint64_t value, unsigned bytes) {
  std::ostringstream text;
  text << "0x" << std::hex << std::setw(static_cast<int>(2 * bytes)) << std::setfill('0') << value;
  return text.str();
}

/// Lines of words that stand under each other.
class Columns {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i == widths.size()) widths.push_back(0);
        widths[i] = std::max(widths[i], row[i].size());
      }
    std::string text;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        line += row[i];
        if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 2, ' ');
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// An element of an array that holds what it held after power-on says nothing.
bool worth_a_line(const RegisterListing& one) { return !one.reg->array() || one.value != one.reg->reset_value(); }

std::vector<std::string> row_of(const RegisterListing& one) {
  const std::string text = one.text();  // "NAME 0x60: FIELD=1 …"
  const std::size_t colon = text.find(": ");
  return {"+" + hexadecimal_of(one.offset(), 2), one.name(),
          one.reg->readable() ? hexadecimal_of(one.value, one.reg->width()) : "write only",
          colon == std::string::npos ? "" : text.substr(colon + 2)};
}

std::string registers_text(const RegisterBank& bank, const std::string& wanted, Picoseconds now) {
  Columns columns;
  std::uint64_t left_out = 0;
  bool any = false;
  for (const RegisterListing& one : bank.list(now)) {
    if (!wanted.empty() && one.name() != wanted && one.reg->name() != wanted) continue;
    any = true;
    if (wanted.empty() && !worth_a_line(one))
      ++left_out;
    else
      columns.add(row_of(one));
  }
  if (!any) throw UserError("there is no register " + quoted(wanted));
  std::string text = columns.text();
  for (const MemoryRegion& region : bank.regions())
    if (wanted.empty())
      text += "+" + hexadecimal_of(region.offset, 2) + "  " + region.name + ", " + counted(region.size, "byte") + '\n';
  if (left_out != 0)
    text += counted(left_out, "element") + " of arrays with the value of power-on " + (left_out == 1 ? "is" : "are") +
            " left out\n";
  return text;
}

std::string line_text(const InterruptInputs::State& state) {
  return std::string(state.line ? "high" : "low") + (state.pending ? ", pending" : "") +
         (state.in_service ? ", claimed and not completed" : "");
}

}  // namespace

const std::vector<Monitor::Command>& Monitor::commands() {
  static const std::vector<Command> all = {
      {"help", "", "this text", &Monitor::help},
      {"info", "parts", "the parts of the machine and where they are", &Monitor::info},
      {"regs", "PART [REGISTER]", "its registers with their fields (of the CPU: 'info registers')",
       &Monitor::registers},
      {"irq", "", "interrupt lines, what masks them, and who waits", &Monitor::interrupts},
      {"queue", "[PART]", "what waits in the queues of a part, and what each of its units does", &Monitor::queue},
      {"hazards", "", "what devices have found wrong so far", &Monitor::hazards},
      {"time", "", "simulated time, CPU cycles, instructions", &Monitor::time},
      {"trace", "on|off", "the instruction trace of --trace FILE goes on, or pauses", &Monitor::trace},
      {"reset", "", "reset of the machine, with the program as it was loaded", &Monitor::reset}};
  return all;
}

gdb::MonitorAnswer Monitor::run(const std::string& command) {
  restart_ = false;
  Words words = command_words(command);
  if (words.empty()) words.push_back("help");
  std::vector<std::string> names;
  for (const Command& one : commands()) names.emplace_back(one.name);
  try {
    const std::string name = completed(words[0], names, "command");
    const auto found =
        std::find_if(commands().begin(), commands().end(), [&name](const Command& one) { return name == one.name; });
    words.erase(words.begin());
    const std::string text = (this->*found->run)(words);
    return {text, restart_};
  } catch (const UserError& error) {
    return {std::string(error.what()) + '\n', false};
  }
}

std::string Monitor::help(const Words&) {
  Columns columns;
  for (const Command& one : commands())
    columns.add({std::string(one.name) + (*one.arguments ? " " : "") + one.arguments, one.help});
  return columns.text();
}

std::string Monitor::part_named(const std::string& word) const {
  std::vector<std::string> names;
  for (const auto& [kind, part] : run_.board().parts()) names.push_back(part->name());
  return completed(word, names, "part");
}

std::string Monitor::info(const Words& arguments) {
  completed(arguments.empty() ? "parts" : arguments[0], {"parts"}, "such information");
  const Outline& outline = run_.board().outline();
  Columns columns;
  for (const auto& [kind, part] : run_.board().parts()) {
    std::string windows, lines;
    for (const Outline::Window& one : outline.windows)
      if (one.part == part->name())
        windows += (windows.empty() ? "" : ", ") + hexadecimal_of(one.window.base, 4) + " to " +
                   hexadecimal_of(one.window.base + one.window.size - 1, 4);
    for (const Outline::Interrupt& one : outline.interrupts)
      if (one.part == part->name() && one.wire.connected())
        lines += (lines.empty() ? "interrupt " : ", ") + std::to_string(one.wire.number);
    columns.add({part->name(), kind, windows, lines});
  }
  return columns.text();
}

std::string Monitor::registers(const Words& arguments) {
  if (arguments.empty()) throw UserError("regs PART: of which part? ('monitor info parts')");
  const std::string name = part_named(arguments[0]);
  for (const auto& [kind, part] : run_.board().parts()) {
    if (part->name() != name) continue;
    const RegisterBank* const bank = part->registers();
    if (!bank || bank->registers().empty()) throw UserError(name + " has no registers of its own on the bus");
    if (arguments.size() < 2) return registers_text(*bank, "", run_.time());
    std::vector<std::string> names;
    for (const RegisterBase* one : bank->registers()) names.push_back(one->name());
    const std::string& wanted = arguments[1];
    const bool element = wanted.find('[') != std::string::npos;
    return registers_text(*bank, element ? wanted : completed(wanted, names, "register"), run_.time());
  }
  return "";
}

/// "software interrupt: high, enabled in mie".
std::string Monitor::hart_interrupts() const {
  const cpu::Core& hart = run_.cpu().core();
  std::uint64_t mstatus = 0, mie = 0, mip = 0;
  hart.csr(cpu::csr_mstatus, mstatus);
  hart.csr(cpu::csr_mie, mie);
  hart.csr(cpu::csr_mip, mip);
  std::string text;
  for (const auto& [bit, name] : kLines)
    text += std::string("cpu: ") + name + " interrupt " + ((mip >> bit & 1) ? "high" : "low") + ", " +
            ((mie >> bit & 1) ? "enabled" : "not enabled") + " in mie\n";
  const bool taken = (mstatus & kMstatusMie) != 0 || hart.mode() != cpu::Mode::kMachine;
  return text + "cpu: " + hart_text() + (taken ? "" : "; mstatus.MIE is 0: it takes none") + '\n';
}

std::string Monitor::interrupts(const Words&) {
  const Board& board = run_.board();
  Columns columns;
  for (const Outline::Interrupt& line : board.outline().interrupts) {
    const Outline::Controller* const controller =
        line.wire.connected() ? board.outline().controller_of(line.wire) : nullptr;
    const InterruptInputs* const inputs = controller ? board.roles().find<InterruptInputs>(controller->part) : nullptr;
    if (!inputs) {
      columns.add({line.part, "leads nowhere"});
      continue;
    }
    const InterruptInputs::State state = inputs->state(line.wire.number);
    const std::string masked = inputs->masked(line.wire.number);
    columns.add({controller->part + " " + std::to_string(line.wire.number), line.part,
                 line.trigger == Outline::Trigger::edge ? "edge" : "level",
                 "priority " + std::to_string(state.priority),
                 line_text(state) + (masked.empty() ? "" : "; " + masked)});
  }
  return columns.text() + hart_interrupts();
}

std::string Monitor::queue(const Words& arguments) {
  const std::string name = arguments.empty() ? "" : part_named(arguments[0]);
  std::string text;
  for (const auto& [kind, part] : run_.board().parts()) {
    if (!name.empty() && part->name() != name) continue;
    for (const std::string& line : part->work()) text += part->name() + ": " + line + '\n';
  }
  if (text.empty()) throw UserError((name.empty() ? "no part" : name) + " has queues or units that it can tell of");
  return text;
}

std::string Monitor::hazards(const Words&) {
  std::string text;
  for (const Finding& finding : run_.findings())
    text += (finding.time == kNever ? "" : "[" + readable_time(finding.time) + "] ") + finding.text + '\n';
  return text.empty() ? "none\n" : text;
}

std::string Monitor::time(const Words&) {
  const cpu::Core& hart = run_.cpu().core();
  return readable_time(run_.time()) + " (" + number_text(std::uint64_t{run_.time()}) + " ps), " +
         number_text(run_.time() / run_.cpu().config().clock) + " CPU cycles, " + number_text(hart.retired()) +
         " instructions\n";
}

std::string Monitor::trace(const Words& arguments) {
  if (arguments.empty()) throw UserError("trace on|off: which?");
  const bool on = completed(arguments[0], {"on", "off"}, "such state") == "on";
  if (!on_trace_) throw UserError("there is nowhere to trace to: start with --trace FILE");
  on_trace_(on);
  return std::string("the instruction trace is ") + (on ? "on" : "off") + '\n';
}

std::string Monitor::reset(const Words&) {
  restart_ = true;
  return "";
}

std::string Monitor::hart_text() const {
  const cpu::Core& hart = run_.cpu().core();
  const std::string place = run_.text().place(hart.pc());
  if (run_.cpu().sleeps()) return "asleep in wfi, in front of " + place;
  const char* const mode = hart.mode() == cpu::Mode::kUser         ? "user"
                           : hart.mode() == cpu::Mode::kSupervisor ? "supervisor"
                                                                   : "machine";
  return std::string("in ") + mode + " mode at " + place;
}

}  // namespace vp
