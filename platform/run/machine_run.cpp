#include "platform/run/machine_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>

#include "models/common/archive.h"
#include "models/common/error.h"
#include "models/common/large_pages.h"
#include "models/common/main_stack.h"
#include "models/common/tlm_time.h"
#include "models/common/wording.h"
#include "platform/common/exit_code.h"
#include "platform/loader/debug_info.h"
#include "platform/loader/frame_chain.h"
#include "platform/run/run_log.h"
#include "platform/run/trap_text.h"
#include "platform/run/wake_text.h"

namespace vp {

std::vector<LoadableRange> loadable_ranges(const Outline& machine) {
  std::vector<LoadableRange> ranges;
  for (const Outline::Window& one : machine.windows)
    if (one.loadable) ranges.push_back({one.window.name, one.window.base, one.window.size});
  return ranges;
}

namespace {

/// Windows of the parts that are left out, as far as their settings say where they would be.
std::vector<LeftOutWindow> left_out_windows(const MachineSettings& settings) {
  std::vector<LeftOutWindow> windows;
  for (const DescribedPart& part : settings.parts()) {
    if (part.settings->present) continue;
    Outline outline;
    try {
      part.settings->outline(outline);
    } catch (const UserError&) {
      continue;  // nobody has asked whether its settings go together
    }
    for (const Outline::Window& one : outline.windows)
      if (one.window.base != kNoBase) windows.push_back({part.settings->name(), one.window});
  }
  return windows;
}

}  // namespace

MachineRun::MachineRun(const MachineSettings& settings, MachineObserver* observer)
    : settings_(settings),
      board_(settings, *this, stop_request_, observer),
      stop_bell_(board_.host_wake(), [this] { stop_soon(); }),
      cpu_(*board_.roles().find<cpu::Cpu>()),
      input_end_("input-end", board_, cpu_,
                 [this] {
                   end(EndCause::input_ended, kExitLimit,
                       "the console's input has ended, and the CPU only polls it at " + text_.place(cpu_.core().pc()));
                 }),
      end_key_("end-key", board_, cpu_),
      test_host_("test-host", board_, stop_request_,
                 [this](unsigned code) { code == 0 ? end_with_success() : end_with_code(code); }),
      text_(board_.outline(), left_out_windows(settings), board_.bus(), program_.symbols),
      metrics_([this](const std::string& complaint) {
        if (on_bad_metric_) on_bad_metric_(complaint);
      }) {
  sc_core::sc_spawn_options method;
  method.spawn_method();
  method.dont_initialize();
  method.set_sensitivity(&patience_over_);
  sc_core::sc_spawn([this] { lose_patience(); }, "lose-patience", &method);
  board_.bus().on_hang([this](const BusHang& hang) {
    show_hang("the bus gave up: the " + std::string(hang.write ? "write to" : "read of") + " " +
              hexadecimal(hang.address) + " by " + text_.origin(hang.initiator, hang.pc) + " was never answered; " +
              hang.reason);
  });
  cpu_.on_halt([this](cpu::Halt why) { halted(why); });
  listen_to_consoles();
  fidelity_clock_.start(settings.fidelity, time());
  board_.set_fidelity(settings.fidelity);
}

MachineRun::~MachineRun() = default;

void MachineRun::load(ElfProgram program) {
  program_ = std::move(program);
  for (ElfProgram::Segment& segment : std::exchange(program_.segments, {}))
    pieces_.push_back({segment.address, segment.memory_size, std::move(segment.bytes)});
  ask_for_large_free_pages();
  copy_program();
  for (Piece& piece : pieces_) piece.bytes.spool();
  test_host_.attach(program_);
  const BootHandOver hand_over{cpu_.config().xlen(), program_.entry, program_.device_tree, program_.argument};
  board_.roles().find<BootImage>()->install(hand_over, flatten(settings_.device_tree()));
}

void MachineRun::listen_to_consoles() {
  std::size_t number = 0;
  for (const auto& [part, stream] : board_.roles().all<HostStream>())
    stream->on_sent([this, console = number++](std::uint8_t byte) { metrics_.put(console, byte); });
}

void MachineRun::copy_program() {
  for (Piece& piece : pieces_) {
    std::uint8_t* const to = memory_at(piece.address);
    if (to == nullptr) continue;
    ask_for_large_pages(to, piece.memory_size);
    piece.bytes.copy_to(to);
    std::memset(to + piece.bytes.size(), 0, piece.memory_size - piece.bytes.size());
  }
}

/// A program as large as an operating system has its way with all memory behind it, and leaves little of what it begins
/// to use unused. Where a piece ends and free memory begins a large page would often stay half empty.
void MachineRun::ask_for_large_free_pages() {
  constexpr std::uint64_t kLargeProgram = 4 * kLargePage;
  for (const auto& [part, memory] : board_.roles().all<LoadableMemory>()) {
    std::map<std::uint64_t, std::uint64_t> ends;  // of the pieces, by their starts
    bool large = false;
    for (const Piece& piece : pieces_) {
      if (piece.address < memory->base() || piece.address - memory->base() >= memory->size()) continue;
      std::uint64_t& end = ends[piece.address - memory->base()];
      end = std::max(end, piece.address - memory->base() + piece.memory_size);
      large |= piece.memory_size >= kLargeProgram;
    }
    if (!large) continue;
    ends[memory->size()] = memory->size();
    std::uint64_t free = ends.begin()->second;
    for (const auto& [start, end] : ends) {
      if (start > free) ask_for_large_pages(memory->data() + free, start - free);
      free = std::max(free, end);
    }
  }
}

/// nullptr: no memory is there.
std::uint8_t* MachineRun::memory_at(std::uint64_t address) const {
  for (const auto& [part, memory] : board_.roles().all<LoadableMemory>())
    if (address >= memory->base() && address - memory->base() < memory->size())
      return memory->data() + (address - memory->base());
  return nullptr;
}

MachineEnd MachineRun::run() {
  do sc_core::sc_start();
  while (!ended_ && (wait_for_host_input() || show_sleep()));
  restore_main_stack();
  if (!ended_) end(EndCause::asleep, kExitGuestError, asleep_sentence());
  board_.bus().settle();
  regions_.leave(bounds());
  if (const std::string wrong = board_.broken_conservation(); !wrong.empty()) SC_REPORT_FATAL("machine", wrong.c_str());
  const std::lock_guard lock(end_mutex_);
  end_.time = time();
  if (end_.cause != EndCause::guest_exit || end_.exit_code != kExitSuccess) end_.places = places();
  if (end_.places.size() == 1 && end_.sentence.find(end_.places[0]) != std::string::npos) end_.places.clear();
  return end_;
}

/// Where the CPU stands, and from where it came there.
std::vector<std::string> MachineRun::places() const {
  const DebugInfo debug(program_.path);
  const auto with_line = [&](std::uint64_t shown, std::uint64_t looked_up) {
    const std::string line = debug.line(looked_up);
    return text_.place(shown) + (line.empty() ? "" : ", " + line);
  };
  const cpu::Core& hart = cpu_.core();
  std::vector<std::string> places = {with_line(hart.pc(), hart.pc())};
  const StoppedHart stopped{hart.pc(), [&hart](unsigned i) { return hart.x(i); },
                            [this](std::uint64_t address, std::uint64_t& word) { return read(address, word); }};
  // A return address may lie behind the last line of the caller: the call is in front of it.
  std::vector<std::uint64_t> callers = debug.callers(stopped);
  const bool kernel = program_.device_tree.has_value();  // built with frame pointers
  if (callers.empty() && kernel) callers = frame_chain(stopped, program_.symbols);
  for (const std::uint64_t address : callers) places.push_back(with_line(address, address - 1));
  return places;
}

bool MachineRun::peek(std::uint64_t address, std::uint64_t& word) const {
  for (const auto& [part, memory] : board_.roles().all<LoadableMemory>())
    if (address >= memory->base() && address - memory->base() < memory->size() &&
        memory->size() - (address - memory->base()) >= sizeof word) {
      std::memcpy(&word, memory->data() + (address - memory->base()), sizeof word);
      return true;
    }
  return false;
}

bool MachineRun::read(std::uint64_t address, std::uint64_t& word) const {
  const std::optional<std::uint64_t> physical = cpu_.core().translate(address);
  return physical && peek(*physical, word);
}

/// To a debugger, who may change what the CPU waits for; false if there is none.
bool MachineRun::show_sleep() {
  if (!show_fault(EndCause::asleep, asleep_sentence())) return false;
  cpu_.wake();
  return true;
}

std::string MachineRun::asleep_sentence() const {
  const std::string masks = describe_masks(board_, cpu_.core());
  return "the CPU waits for an interrupt at " + text_.place(cpu_.core().pc()) + ", but nothing can raise one" +
         (masks.empty() ? "" : ": " + masks);
}

/// The simulation has nothing left to do. Input from the host may still wake it: waits for that in host time. Returns
/// true if the simulation is to go on.
bool MachineRun::wait_for_host_input() {
  constexpr std::chrono::milliseconds kPatience{20};
  for (const auto& [part, stream] : board_.roles().all<HostStream>())
    if (stream->may_bring_more()) stream->flush();
  const std::string parts = inputs_that_can_wake();
  if (parts.empty()) return false;
  if (!board_.host_wake().wait(kPatience)) tell_of_silence(parts);
  return true;  // also for a stop request, which is seen inside the simulation
}

/// The names of those whose input would wake the CPU; empty if none would.
std::string MachineRun::inputs_that_can_wake() const {
  std::string parts;
  for (const auto& [name, stream] : board_.roles().all<HostStream>())
    if (stream->may_bring_more() && input_can_wake(board_, cpu_.core(), name, *stream))
      parts += (parts.empty() ? "" : " or ") + name;
  return parts;
}

void MachineRun::tell_of_silence(const std::string& parts) {
  const auto now = std::chrono::steady_clock::now();
  if (silent_at_ != cpu_.core().retired()) {
    silent_at_ = cpu_.core().retired();
    silent_since_ = now;
  } else if (on_silence_ && now - silent_since_ > std::chrono::seconds(1)) {
    const std::string masks = describe_masks(board_, cpu_.core());
    on_silence_("the CPU waits for an interrupt at " + text_.place(cpu_.core().pc()) + "; only input of " + parts +
                " can wake it" + (masks.empty() ? "" : ": " + masks));
    on_silence_ = nullptr;
  }
}

void MachineRun::limit_time(Picoseconds time, std::string sentence) {
  cpu_.set_time_limit(time);
  time_limit_sentence_ = std::move(sentence);
  patience_over_.notify(to_sc_time(time + std::min(settings_.bus.timeout, kNever - time)));
}

void MachineRun::end_when_only_polling() { input_end_.begin(); }

void MachineRun::end_in_trap_loop(std::string sentence) {
  if (!show_fault(EndCause::unhandled_trap, sentence))
    end(EndCause::unhandled_trap, kExitGuestError, std::move(sentence));
}

/// Before the CPU's next instruction, to a debugger; false if there is none.
bool MachineRun::show_fault(EndCause cause, const std::string& sentence) {
  fault_ = cause;
  return cpu_.debug().show_fault(sentence, [this, cause, sentence] { end(cause, kExitGuestError, sentence); });
}

void MachineRun::show_hang(const std::string& sentence) {
  fault_ = EndCause::bus_hang;
  const std::uint64_t before = times_started_over_;
  cpu_.debug().show_fault_now(sentence);
  if (times_started_over_ == before) end(EndCause::bus_hang, kExitGuestError, sentence);
}

void MachineRun::limit_instructions(std::uint64_t retired) { cpu_.set_instruction_limit(retired); }

void MachineRun::end_by_debugger() { end(EndCause::interrupted, kExitInterrupted, "the debugger ended the run"); }

void MachineRun::end(EndCause cause, int exit_code, std::string sentence) {
  {
    const std::lock_guard lock(end_mutex_);
    if (ended_) return;
    ended_ = true;
    end_ = {cause, exit_code, std::move(sentence), 0};
  }
  cpu_.request_stop();
}

void MachineRun::request_stop(EndCause cause, int exit_code, std::string sentence) {
  end(cause, exit_code, std::move(sentence));
  stop_request_.ask();
  stop_bell_.ring();
}

void MachineRun::stop_soon() {
  cpu_.wake();
  patience_over_.notify(to_sc_time(settings_.bus.timeout));
}

/// The CPU should have halted by now. It cannot while others keep its access from a link; and with a slow clock it is
/// so far ahead of others that a user would wait for ever until they have caught up with the end of its instruction.
void MachineRun::lose_patience() { halted(cpu::Halt::kTimeLimit); }

void MachineRun::halted(cpu::Halt why) {
  switch (why) {
    case cpu::Halt::kRequested:
      break;  // whoever asked for it has said why
    case cpu::Halt::kUnhandledTrap: {
      end(EndCause::unhandled_trap, kExitGuestError, unhandled_trap_sentence());
      break;
    }
    case cpu::Halt::kInstructionLimit:
      end(EndCause::instruction_limit, kExitLimit,
          "the limit of " + counted(cpu_.core().retired(), "instruction") + " was reached at " +
              text_.place(cpu_.core().pc()));
      break;
    case cpu::Halt::kTimeLimit:
      if (sleeps_for_good() && inputs_that_can_wake().empty())
        end(EndCause::asleep, kExitGuestError, asleep_sentence());
      end(EndCause::time_limit, kExitLimit, time_limit_sentence_ + " at " + text_.place(cpu_.core().pc()));
      break;
  }
  if (!stopped_ && on_end_ && on_end_(end_)) return begin_again();
  if (!std::exchange(stopped_, true)) sc_core::sc_stop();
}

/// The program runs once more in the same simulation, whose time goes on.
void MachineRun::begin_again() {
  {
    const std::lock_guard lock(end_mutex_);
    ended_ = false;
  }
  start_over();
  cpu_.resume();
}

std::string MachineRun::unhandled_trap_sentence() const {
  return "a trap that nobody handles: " + describe_unhandled_trap(cpu_.core(), text_);
}

/// It slept up to now, and nobody else does anything or will.
bool MachineRun::sleeps_for_good() const {
  return cpu_.slept_until() == time() && time() != 0 && !board_.liveness().anyone_besides(1);
}

void MachineRun::end_with_success() { end(EndCause::guest_exit, kExitSuccess, "the guest ended the run with success"); }

void MachineRun::end_with_code(unsigned code) {
  // The host's exit codes have eight bits; what does not fit must not look like success.
  end(EndCause::guest_exit, code > 255 && code % 256 == 0 ? kExitCheckFailed : static_cast<int>(code % 256),
      "the guest ended the run with code " + std::to_string(code));
}

void MachineRun::reset_by_guest() { start_over(); }

void MachineRun::start_over() {
  ++times_started_over_;
  board_.reset();
  try {
    copy_program();
  } catch (const UserError& error) {
    end(EndCause::lost_program, kExitUserError,
        std::string("a reset needs the program once more, but ") + error.what());
  }
}

void MachineRun::switch_fidelity(Fidelity fidelity) {
  fidelity_clock_.change(fidelity, time());
  board_.set_fidelity(fidelity);
}

/// What stands there up to a zero byte, "" if it is no name.
std::string MachineRun::region_name(std::uint64_t address) const {
  std::string name;
  for (std::uint64_t word = 0;; ++address) {
    if (!peek(address / sizeof word * sizeof word, word)) return "";
    const char character = static_cast<char>(word >> address % sizeof word * 8);
    if (character == '\0') break;
    name += character;
    if (!RegionAccount::is_name(name + "a")) return "";  // whatever may still come
  }
  return RegionAccount::is_name(name) ? name : "";
}

void MachineRun::enter_region(std::uint64_t name) {
  const std::string read = name == 0 ? "" : region_name(name);
  const auto mistaken = [this](const std::string& what) {
    if (!std::exchange(warned_of_regions_, true) && on_mistake_) on_mistake_(what);
  };
  if (name != 0 && read.empty())
    return mistaken("the register REGION was given " + hexadecimal(name) + ", where no name of a region stands (pc " +
                    text_.place(cpu_.core().pc()) + "); no region begins");
  cpu_.at_boundary([this, read, mistaken] {
    if (read.empty())
      regions_.leave(bounds());
    else if (!regions_.enter(read, bounds()))
      mistaken("the program has named more than " + std::to_string(RegionAccount::kMost) +
               " regions; the others are not counted");
  });
}

void MachineRun::report_metric(std::uint64_t address, std::uint32_t value) {
  constexpr std::size_t kLongest = 128;
  std::string text;
  std::uint64_t word = 0;
  for (std::uint64_t at = address; text.size() < kLongest && peek(at / sizeof word * sizeof word, word); ++at) {
    const char character = static_cast<char>(word >> at % sizeof word * 8);
    if (character == '\0') break;
    text += character;
  }
  const std::size_t blank = std::min(text.find(' '), text.size());
  const std::string unit = text.substr(std::min(blank + 1, text.size()));
  if (!metrics_.add(text.substr(0, blank), std::to_string(value), unit) && on_bad_metric_)
    on_bad_metric_("the register METRIC was given " + hexadecimal(address) + ", where no name of a figure stands (pc " +
                   text_.place(cpu_.core().pc()) + ")");
}

bool MachineRun::quiet() {
  const std::lock_guard lock(end_mutex_);
  return !ended_ && cpu_.quiet() && board_.bus().quiet();
}

bool MachineRun::run_until_quiet(Picoseconds patience) {
  const Picoseconds end = time() + patience;
  cpu_.keep_step(true);
  while (!quiet() && !ended_ && time() < end) {
    sc_core::sc_start(to_sc_time(1'000));
    restore_main_stack();
  }
  cpu_.keep_step(false);
  return quiet();
}

void MachineRun::persist(Archive& archive) {
  if (!quiet())
    throw UserError("the machine's state cannot be kept at " + readable_time(time()) + ": " +
                    "an access is under way that has not been answered yet, or the run has ended.");
  archive.same("time", time())("fidelity", fidelity_clock_)("board", board_);
}

std::vector<std::pair<std::string, std::string>> MachineRun::host_addresses() const {
  std::vector<std::pair<std::string, std::string>> addresses;
  for (const auto& [part, stream] : board_.roles().all<HostStream>())
    if (const std::string address = stream->address(); !address.empty()) addresses.emplace_back(part, address);
  return addresses;
}

void MachineRun::flush_consoles() {
  for (const auto& [part, stream] : board_.roles().all<HostStream>()) {
    stream->flush();
    stream->drain();
  }
}

Picoseconds MachineRun::time() const { return kernel_time(); }

std::vector<Finding> MachineRun::findings() const {
  return board_.findings([this](const Origin& origin) { return text_.origin(origin); });
}

FidelityFigures MachineRun::fidelity() const { return fidelity_clock_.figures(time()); }

Bounds MachineRun::bounds() const {
  const FidelityFigures modes = fidelity();
  Bounds bounds;
  bounds.functional_time = modes.functional_time;
  bounds.timed_time = modes.timed_time;
  board_.bounds(bounds);
  return bounds;
}

void MachineRun::report(Statistics& statistics) const {
  board_.report(statistics);
  metrics_.report(statistics);
}

}  // namespace vp
