#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/cpu/test_machine.h"
#include "tests/support/dice.h"

namespace vp::cpu {

/// A random program that never ends and gets everywhere: functions of all instructions, loops and calls in all three
/// modes, pages that are moved and protected, code that is written, traps of all kinds, and handlers that go on behind
/// them. What it does depends on its seed only.
///
/// Memory is in the program's eyes three times: where it is (machine and supervisor mode), alias() above (pages of user
/// mode; on RV64 at the upper end of all addresses), and twice that above (one superpage of user mode). Handlers return
/// into the alias of the mode. Some guests have no pages.
class RandomGuest {
 public:
  static constexpr std::size_t kMemory = std::size_t{1} << 20;
  static constexpr std::uint64_t kDevice = 0x4000'0000;

  /// Stores into code are always followed by a fence.i: without, they show where code happens to be decoded anew.
  RandomGuest(unsigned seed, unsigned xlen);
  void load(TestMachine& machine) const { machine.put(kBase, image_.data(), image_.size()); }

 private:
  // Offsets in memory. Handler and main loop are where jumps to them can be made without knowing more.
  static constexpr unsigned kLiterals = 0x300, kHandler = 0x400, kServices = 0x600, kSupervisorHandler = 0xe00,
                            kMain = 0xf00, kFirstFunction = 0x1000, kCodeEnd = 0x10000, kData = 0x10000,
                            kDataPages = 16, kTables = 0x40000;
  static constexpr unsigned kServiceCount = 8, kServiceBytes = 128, kFunctions = 16;
  static constexpr unsigned kCallsFrom = 8,
                            kDeepCallsFrom = 13;  ///< functions that call others, and those that call these

  // Emitting code.
  void seek(unsigned offset) { at_ = offset; }
  void half(unsigned encoding);
  void word(std::uint32_t encoding);
  void words(std::initializer_list<std::uint32_t> encodings);
  void literal(unsigned offset, std::uint64_t value);
  /// Puts `make(distance)` at `place`, to be done when the distance from there to here is known.
  template <typename Make>
  void patch(unsigned place, Make make);
  void number(unsigned rd, std::uint64_t value);
  void point(unsigned rd, unsigned offset);
  std::uint64_t alias() const { return rv64_ ? ~std::uint64_t{0} << 36 : 0x1000'0000; }
  void add_alias(unsigned to, unsigned by);

  // Parts of the program.
  void make_tables();
  void boot();
  void handler();
  void service(unsigned which);
  void exchange_pages();
  void change_page();
  void supervisor_handler();
  void main_loop();
  void function(unsigned index);
  void statement(unsigned level);
  void straight();
  void alu();
  void alu_immediate();
  void corner();
  void memory();
  void atomic();
  void between_lr_and_sc();
  void compressed();
  void forward_branch(unsigned level);
  void loop(unsigned level);
  void call(unsigned level);
  void jump();
  void csr();
  void interrupts();
  void trap();
  void written_code();
  void elsewhere();
  void find_data();

  unsigned any() { return dice_.one_in(12) ? 0 : kPool[dice_.from_to(0, kPool.size() - 1)]; }
  unsigned below(unsigned number) { return dice_.from_to(0, number - 1); }
  int immediate() { return static_cast<int>(dice_.from_to(0, 4095)) - 2048; }
  std::uint32_t harmless();

  // What random instructions use. t3 to t6 are the handlers', s6 the main loop's, s7 and s8 hold return addresses, s9
  // to s11 count loops, s0 and s1 point to data and devices, and ra is ra.
  static constexpr std::array<unsigned, 18> kPool = {2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};

  Dice dice_;
  const bool rv64_;
  const bool paged_;
  std::vector<std::uint8_t> image_;
  unsigned at_ = 0;
  std::array<unsigned, kFunctions> functions_{};
  std::array<std::array<std::uint64_t, 2 * kDataPages>, 2>
      leaves_{};  ///< places of leaves by alias and page, from 0 on
  std::uint64_t satp_ = 0;
};

}  // namespace vp::cpu
