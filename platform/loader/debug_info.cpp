#include "platform/loader/debug_info.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <array>

namespace vp {

namespace {

constexpr std::size_t kMostCallers = 32;
constexpr unsigned kRegisters = 32;

/// Debug information in other files would have to be looked for, even in the network: none of that.
int no_other_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
  return -1;
}

struct Unwinding {
  const StoppedHart& hart;
  std::vector<std::uint64_t> addresses;  ///< the present one first
};

const StoppedHart& hart_of(void* unwinding) { return static_cast<Unwinding*>(unwinding)->hart; }

pid_t only_thread(Dwfl*, void* unwinding, void** thread) {
  if (*thread != nullptr) return 0;
  *thread = unwinding;
  return 1;
}

bool read_memory(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* unwinding) {
  std::uint64_t word = 0;
  if (!hart_of(unwinding).memory(address, word)) return false;
  *result = word;
  return true;
}

bool set_registers(Dwfl_Thread* thread, void* unwinding) {
  const StoppedHart& hart = hart_of(unwinding);
  std::array<Dwarf_Word, kRegisters> values{};
  for (unsigned i = 0; i < kRegisters; ++i) values[i] = hart.x(i);
  dwfl_thread_state_register_pc(thread, hart.pc);
  return dwfl_thread_state_registers(thread, 0, kRegisters, values.data());
}

int note_frame(Dwfl_Frame* frame, void* unwinding) {
  std::vector<std::uint64_t>& addresses = static_cast<Unwinding*>(unwinding)->addresses;
  Dwarf_Addr address = 0;
  if (!dwfl_frame_pc(frame, &address, nullptr)) return DWARF_CB_ABORT;
  addresses.push_back(address);
  return addresses.size() > kMostCallers ? DWARF_CB_ABORT : DWARF_CB_OK;
}

}  // namespace

struct DebugInfo::Reader {
  explicit Reader(const std::string& path) {
    callbacks.find_debuginfo = no_other_file;
    callbacks.section_address = dwfl_offline_section_address;
    session.reset(dwfl_begin(&callbacks));
    if (!session) return;
    dwfl_report_begin(session.get());
    Dwfl_Module* const module = dwfl_report_offline(session.get(), path.c_str(), path.c_str(), -1);
    dwfl_report_end(session.get(), nullptr, nullptr);
    Dwarf_Addr bias = 0;  // 0, as programs are linked to fixed addresses
    if (module)
      dwarf = dwfl_module_getdwarf(module, &bias);
    else
      session.reset();
  }

  struct End {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  Dwfl_Callbacks callbacks{};
  std::unique_ptr<Dwfl, End> session;
  Dwarf* dwarf = nullptr;  ///< the session's
};

DebugInfo::DebugInfo(const std::string& path) : reader_(std::make_unique<Reader>(path)) {}

DebugInfo::~DebugInfo() = default;

/// Looks at every compilation unit, since linkers that leave out functions spoil the table of units by address
/// (.debug_aranges) for libdw.
std::string DebugInfo::line(std::uint64_t address) const {
  Dwarf* const dwarf = reader_->dwarf;
  std::size_t header = 0;
  Dwarf_Off next = 0;
  for (Dwarf_Off unit = 0; dwarf && dwarf_nextcu(dwarf, unit, &next, &header, nullptr, nullptr, nullptr) == 0;
       unit = next) {
    Dwarf_Die root;
    if (!dwarf_offdie(dwarf, unit + header, &root) || dwarf_haspc(&root, address) <= 0) continue;
    Dwarf_Line* const found = dwarf_getsrc_die(&root, address);
    const char* const file = found ? dwarf_linesrc(found, nullptr, nullptr) : nullptr;
    int number = 0;
    if (!file || dwarf_lineno(found, &number) != 0 || number <= 0) return "";
    const std::string path = file;
    return path.substr(path.rfind('/') + 1) + ":" + std::to_string(number);
  }
  return "";
}

std::vector<std::uint64_t> DebugInfo::callers(const StoppedHart& hart) const {
  if (!reader_->session) return {};
  static constexpr Dwfl_Thread_Callbacks kThread = {only_thread, nullptr, read_memory, set_registers, nullptr, nullptr};
  Unwinding unwinding{hart, {}};
  if (dwfl_pid(reader_->session.get()) < 0) dwfl_attach_state(reader_->session.get(), nullptr, 1, &kThread, &unwinding);
  dwfl_getthread_frames(reader_->session.get(), 1, note_frame, &unwinding);
  std::vector<std::uint64_t> callers;
  for (std::size_t i = 1; i < unwinding.addresses.size(); ++i) {
    if (!dwfl_addrmodule(reader_->session.get(), unwinding.addresses[i])) break;
    callers.push_back(unwinding.addresses[i]);
  }
  return callers;
}

}  // namespace vp
