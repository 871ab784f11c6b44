#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <systemc>

#include "models/common/clock.h"
#include "models/common/host_writer.h"
#include "platform/board/board.h"
#include "platform/loader/elf_file.h"

namespace vp {

/// The host that public RISC-V test suites expect (Berkeley's "host-target interface"): a program with the symbol
/// `tohost` writes there how it ended, 1 for success or an odd code, characters for the console, or the address of a
/// system call, which is answered in `fromhost`. Looks at the word every microsecond of simulated time while anybody
/// is at work, so a run ends up to so much late, that of a 32-bit program up to twice as much.
class TestHost : public sc_core::sc_module {
 public:
  /// A program without `tohost` in a loadable memory costs nothing.
  TestHost(sc_core::sc_module_name name, Board& board, const StopRequest& stop,
           std::function<void(unsigned code)> on_end);

  /// Before the simulation starts.
  void attach(const ElfProgram& program);

 private:
  void look();
  void answer(std::uint64_t value);
  void call(std::uint64_t block);
  std::uint8_t* memory_at(std::uint64_t address, std::uint64_t size);
  std::uint64_t read_word(std::uint64_t address);
  void write_word(std::uint64_t address, std::uint64_t value);

  Board& board_;
  HostWriter out_;
  std::function<void(unsigned)> on_end_;
  sc_core::sc_event look_;
  std::uint64_t to_host_ = 0;
  bool in_halves_ = false;       ///< written by two stores, between which a look may come: what two looks saw counts
  std::uint64_t last_seen_ = 0;  ///< then
  std::optional<std::uint64_t> from_host_;
};

/// The words of memory from `begin_signature` to `end_signature`, 4 bytes a line in hexadecimal, as riscv-arch-test
/// compares them. Throws UserError: the program has no such symbols, or they lie outside memory.
std::string signature(const Board& board, const ElfProgram& program);

}  // namespace vp
