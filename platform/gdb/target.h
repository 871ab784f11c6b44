#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vp::gdb {

/// Signals by their numbers in the protocol, which every GDB shares.
enum class Signal : std::uint8_t {
  interrupt = 2,    ///< SIGINT
  illegal = 4,      ///< SIGILL
  trap = 5,         ///< SIGTRAP
  abort = 6,        ///< SIGABRT
  kill = 9,         ///< SIGKILL
  bus = 10,         ///< SIGBUS
  segment = 11,     ///< SIGSEGV
  terminated = 15,  ///< SIGTERM
  cpu_limit = 24,   ///< SIGXCPU
};

/// By the numbers of the packets Z and z.
enum class BreakKind : std::uint8_t { software = 0, hardware = 1, write = 2, read = 3, access = 4 };

/// Why a machine stands still.
struct Stop {
  Signal signal = Signal::trap;
  std::optional<BreakKind> hit = {};  ///< which kind of break or watchpoint, if one
  std::uint64_t address = 0;          ///< of the access that a watchpoint saw
  std::string diagnosis = {};         ///< sentences for the client's console; may be empty
};

/// How a machine is to go on.
struct Resumption {
  enum class How : std::uint8_t {
    go_on,
    step,     ///< one instruction
    restart,  ///< reset of the machine, then it stands again at its first instruction
    kill,     ///< the run ends
  };
  How how = How::go_on;
};

/// The type of a register that holds a single or a double, as GDB's own descriptions name it.
inline constexpr const char* kFloatOrDouble = "riscv_double";

/// A register as the protocol has it.
struct TargetRegister {
  unsigned number = 0;  ///< in packets; those of GDB's own list where it has one
  std::string name = {};
  unsigned bits = 64;
  std::string feature = {};  ///< of the target description that it belongs to
  std::string type = {};     ///< in the description: "code_ptr", kFloatOrDouble; empty: an integer
  std::string group = {};    ///< by which a client lists it: "csr"; empty: general
};

/// A range of addresses that a client may look at.
struct TargetMemory {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  bool read_only = false;
};

/// What a command of the user to the machine itself has answered.
struct MonitorAnswer {
  std::string text;
  bool restart = false;  ///< it asks for a reset of the machine
};

/// What the server debugs: one hart and the machine around it, while everything stands still.
class Target {
 public:
  virtual ~Target() = default;

  virtual unsigned xlen() const = 0;
  /// In the order of their numbers; the first 33 are x0 to x31 and pc.
  virtual const std::vector<TargetRegister>& registers() const = 0;
  /// Without side effects; nothing if it cannot be read.
  virtual std::optional<std::uint64_t> read_register(unsigned number) = 0;
  /// As the rules of the register allow; false if it cannot be written.
  virtual bool write_register(unsigned number, std::uint64_t value) = 0;
  /// Takes no time and has no side effects. Returns how many bytes from the first could be read (written).
  virtual std::size_t read_memory(std::uint64_t address, std::uint8_t* bytes, std::size_t count) = 0;
  virtual std::size_t write_memory(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) = 0;
  /// False if there is no room for another one, or nothing there to watch. An equal one is there once only.
  virtual bool insert_break(BreakKind kind, std::uint64_t address, std::uint64_t length) = 0;
  virtual void remove_break(BreakKind kind, std::uint64_t address, std::uint64_t length) = 0;
  virtual std::vector<TargetMemory> memory_map() const = 0;
  /// What the hart does, in a few words, for a list of threads.
  virtual std::string thread_text() const = 0;
  virtual MonitorAnswer monitor(const std::string& command) = 0;
};

}  // namespace vp::gdb
