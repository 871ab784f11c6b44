#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/cpu/block_cache.h"
#include "models/cpu/jit/code_memory.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/jit/x86_64/constants.h"
#include "models/cpu/jit/x86_64/encoder.h"
#include "models/cpu/jit/x86_64/entered.h"
#include "models/cpu/jit/x86_64/registers.h"
#include "models/cpu/plain_csrs.h"

namespace vp::cpu::x86_64 {

/// Code that all blocks share: the way in, and the ways out.
struct Thunks {
  void (*enter)(NativeFrame*, const void* code) = nullptr;
  // Each is jumped to with what NativeFrame has: in rax `native` or `where`.
  const void* leave = nullptr;   ///< in cl `left`
  const void* inside = nullptr;  ///< in rdx `detail`
  const void* indirect = nullptr;
  const void* look_in_front = nullptr;       ///< the block at address rax, before it leaves as `indirect`
  const void* returned_elsewhere = nullptr;  ///< to address rax, which is not behind the last known call
  /// Is called with rdx: a const Op*, and ecx: its opcode, from between two instructions. al: whether it is done.
  const void* float_call = nullptr;
};

/// Where code goes, from the start of the code memory on. What is rarely executed is apart, so that more of the rest
/// fits into the caches of the host.
struct CodePlaces {
  std::size_t often = 0;
  std::size_t rarely = 0;
};

/// Writes machine code for the guest's instructions, a block at a time.
template <typename Word>
class Assembler : private Encoder {
 public:
  /// `memory` is where the code goes, `entered` and `constants` are in its data.
  Assembler(const CpuConfig& config, CodeMemory& memory, Entered* entered, Constants& constants);
  ~Assembler() override;  // in one source: that of the base is long

  /// The first bytes of the code memory.
  const Thunks& write_thunks();
  /// Code for a block, at these places; returns its ends. `native` gets all its addresses. `following`: whose code will
  /// be written behind it; or nullptr.
  CodePlaces write_block(const Block& block, NativeBlock& native, const NativeMemory& memory, bool timed, CodePlaces at,
                         const NativeBlock* following);
  /// All blocks that others jump to have been written.
  void aim_jumps();
  /// The code, which may be yet to be written, that `block` always leads to if it leads to the block `to`, however
  /// pages are mapped; or nullptr.
  static const NativeBlock* always(const Block& block, const Block& to);
  /// No code of a block is longer, at either place.
  static constexpr std::size_t kMostCode = std::size_t{16} << 10;
  /// There is something of the block to compile, and nothing that the executor does and this does not.
  bool can(const Block& block) const;

 private:
  static constexpr bool kWide = sizeof(Word) == 8;
  static constexpr unsigned kBits = 8 * sizeof(Word);
  using Reg = Xbyak::Reg;
  using Address = Xbyak::Address;

  // Registers of the guest (assembler.cpp).
  static bool kept(unsigned guest) { return Registers::kHost[guest] != Registers::kNone; }
  Reg native_word(int index) const { return kWide ? Reg(Xbyak::Reg64(index)) : Reg(Xbyak::Reg32(index)); }
  Reg host(unsigned guest) const { return native_word(Registers::kHost[guest]); }
  static Memory place(unsigned guest);
  static Memory place32(unsigned guest);
  /// The register that holds x[guest]: its own, or this temporary one.
  Reg source(unsigned guest, const Reg& temporary);
  /// Where to compute what x[guest] is to be; then call done().
  Reg target(unsigned guest, const Reg& temporary) const { return kept(guest) ? host(guest) : temporary; }
  void done(unsigned guest, const Reg& value);
  void copy(const Reg& to, unsigned guest);
  void constant(const Reg& to, std::uint64_t value);
  void set_constant(unsigned guest, std::uint64_t value);
  void set_constant_by(unsigned guest, std::uint64_t value, const Reg& temporary);
  void sign_extend_word(const Reg& to);

  // Instructions (operations.cpp). False: it has none of its own.
  bool operation(const Op& op, Opcode opcode, const Block& block);
  void switch_interrupts(const Op& op, Opcode opcode, const void* inside);
  void exchange_csr(const Op& op, Opcode opcode, const PlainCsr<Word>& csr);
  bool immediate_operation(const Op& op, Opcode opcode);
  bool register_operation(const Op& op, Opcode opcode);
  bool multiplication(const Op& op, Opcode opcode);
  bool division(const Op& op, Opcode opcode);
  void add_immediate(const Op& op);
  void add_immediate_word(const Op& op);
  void add_apart(unsigned rd, const Place& sum);
  void move(unsigned rd, unsigned rs);
  template <typename Emit>
  void with_immediate(const Op& op, bool half, Emit emit);
  template <bool in_place, typename Emit>
  void with_register(const Op& op, bool half, bool commutes, Emit emit);
  template <typename Emit>
  void shift(const Op& op, bool half, Emit emit);
  void compare_immediate(const Op& op);
  void compare_registers(const Op& op);
  void set_if(const Op& op, bool with_sign);
  void high_product(const Op& op, Opcode opcode);
  template <bool remainder, bool with_sign>
  void divide(const Op& op, bool half);

  // F and D: a block with them looks once whether mstatus.FS is dirty, and for each instruction whether its own code is
  // right for these operands; if not, float_call does it, behind the block's code (float_calls.cpp,
  // float_exactness.cpp).
  struct FloatDetour {
    const Op* op = nullptr;
    Opcode opcode = Opcode::illegal;
    const std::uint8_t* inside = nullptr;  ///< where the block is left if it is illegal
    Opcode checked = Opcode::illegal;      ///< its form for singles, if its result may turn out to be exact
    bool zeros = false;                    ///< a zero for a result is right if a factor is zero
    int copy = 0;                          ///< of the result, xmm; 0: none
    Xbyak::Label start, zero, inexact, accepted, end;
  };
  void float_operation(const Op& op, Opcode opcode, const std::uint8_t* inside);
  void check_float_dirty(const std::uint8_t* inside);
  void write_float_thunk();
  void write_detours(bool proofs);
  void call_float(const FloatDetour& detour);
  void accept_zeros(FloatDetour& detour);
  void accept_exact(FloatDetour& detour);
  void accept_exact_sum(const FloatDetour& detour, bool wide);
  void accept_exact_product(const FloatDetour& detour, bool wide);
  void accept_exact_quotient(const FloatDetour& detour, bool wide);
  void accept_exact_integer(const FloatDetour& detour, bool wide);
  void accept_if_zero(const FloatDetour& detour, const Xbyak::Xmm& error, bool wide);
  void keep_registers();
  void fetch_registers();
  static int displacement(std::size_t offset) { return static_cast<int>(offset) - Registers::kBias; }
  Address state_word(std::size_t offset) const {
    return kWide ? qword[rbp + displacement(offset)] : dword[rbp + displacement(offset)];
  }
  Address float_place(unsigned guest) const;
  Address float_lower(unsigned guest) const;
  Address float_upper(unsigned guest) const;
  Address fflags() const;
  Address frm() const;

  // Of them, what has code (float_operations.cpp, float_conversions.cpp), for a float or, if wide, a double; `single`:
  // its opcode for singles. False: it has none.
  bool float_code(const Op& op, Opcode single, bool wide);
  bool float_arithmetic(const Op& op, Opcode single, bool wide);
  bool float_conversion(const Op& op, Opcode single, bool wide);
  bool float_to_integer(const Op& op, Opcode single, bool wide);
  void float_from_integer(const Op& op, Opcode single, bool wide);
  void convert_integer(const Xbyak::Xmm& to, const Reg& from, bool wide);
  int host_rounding(unsigned field) const;
  static constexpr int kTruncation = 3;  ///< of host_rounding(), which conversions do by themselves
  static constexpr int kNoRounding = -1;
  void raise_inexact_unless_equal(const Reg& whole, bool wide);
  void float_from_other(const Op& op, bool wide);
  void float_sign(const Op& op, Opcode single, bool wide);
  void float_extreme(const Op& op, bool least, bool wide);
  void float_compare(const Op& op, Opcode single, bool wide);
  void float_move_to_integer(const Op& op, bool wide);
  void float_move_from_integer(const Op& op, bool wide);
  void float_fused(const Op& op, Opcode single, bool wide);
  void load_float(const Op& op, bool wide, const Place& from);
  void store_float(const Op& op, bool wide, const Place& to);
  bool rounds_to_nearest(const Op& op, Opcode single);
  void check_exactness(Opcode single);
  void check_boxed(unsigned guest, bool wide);
  void check_result(bool wide, bool also_small);
  Xbyak::Xmm float_source(const Xbyak::Xmm& temporary, unsigned guest, bool wide);
  void copy_float(const Xbyak::Xmm& to, unsigned guest, bool wide);
  Address float_operand(unsigned guest, bool wide) const { return wide ? float_place(guest) : float_lower(guest); }
  void float_done(unsigned guest, const Xbyak::Xmm& value, bool wide);
  void load_into(const Xbyak::Xmm& to, const Address& from, bool wide);

  /// What registers of the host hold beside State::f: what the block has written last, so that who reads it need not
  /// wait for memory. `copies`: by guest register.
  struct FloatCopies {
    static constexpr int kFirst = 5, kLast = 13;  ///< xmm
    struct Copy {
      std::int8_t host = 0;  ///< 0: none
      bool wide = false;     ///< as a double, or as a single that is boxed
    };
    std::array<Copy, 32> copies{};
    int next = kFirst;  ///< which is to be given to the next one
    bool any = false;   ///< there has been one

    const Copy* find(unsigned guest, bool wide) const {
      return copies[guest].host != 0 && copies[guest].wide == wide ? &copies[guest] : nullptr;
    }
    Xbyak::Xmm take(unsigned guest, bool wide);
    void forget(unsigned guest) { copies[guest] = {}; }
    bool none() const {
      return !any || std::all_of(copies.begin(), copies.end(), [](const Copy& copy) { return copy.host == 0; });
    }
  };

  // Blocks (blocks.cpp).
  void find_rests(const Block& block);
  const NativeRest* write_rests(unsigned end);
  void write_body(const Block& block, NativeBlock& native, unsigned first, unsigned end, bool grouped);
  bool instruction(const Block& block, NativeBlock& native, unsigned index, bool grouped);

  // Loads and stores (accesses.cpp).
  void find_groups(const Block& block, unsigned end);
  Reg find_entry(const Xbyak::Reg64& address, std::int32_t ahead, unsigned size);
  Place entry(bool write) const;
  void check_group(const Op& op, unsigned group);
  void grouped_load_store(const Op& op, Opcode opcode, unsigned index);
  void load_store(const Op& op, Opcode opcode, const void* miss);
  Xbyak::Reg64 address_of(const Op& op) { return address_of(op.rs1, op.imm); }
  Xbyak::Reg64 address_of(unsigned base, std::int32_t offset);
  void atomic(const Op& op, Opcode opcode, const void* miss);
  void load_reserved(const Op& op, unsigned size, const void* miss);
  void store_conditional(const Op& op, unsigned size, const void* miss);
  void access(const Op& op, Opcode opcode, const Place& at);
  void load_from(const Op& op, Opcode opcode, const Place& from);
  void store_to(const Op& op, unsigned size, const Place& to);
  void branch(const Op& op, Opcode opcode, const NativeBlock& native);
  const NativeBlock* always(const NativeBlock& native, bool jump) const {
    return always(*native.block, jump ? *native.block->taken : *native.block->next);
  }
  void follow(const NativeBlock& native, bool jump, bool last);
  void jump_taken(const NativeBlock& native, bool last);
  void jump_to(const NativeBlock& to);
  void jump_to_if(Condition condition, const NativeBlock& to);
  void call_to(const NativeBlock& to);
  void write_leaves(const Block& block, NativeBlock& native, unsigned end);
  void write_entry(const Block& block, NativeBlock& native, bool timed);
  void check_fetched(const Block& block);
  void charge(Picoseconds time);
  bool leaves(const Block& block, unsigned index) const;

  // Calls, returns and other jumps to an address in a register (jumps.cpp).
  void jump(const Op& op, const NativeBlock& native);
  void jump_indirect(const Op& op, const NativeBlock& native);
  void come_back(const NativeBlock& native, bool last);
  void jump_by_table();
  void find_jump();
  static Place jump_found() {
    return place_of(Xbyak::util::rdx, Xbyak::util::rcx) + static_cast<int>(offsetof(NativeJump, entry));
  }
  void jump_offset(const Xbyak::Reg32& to);
  void forget_calls();
  void write_jump_thunks();
  void write_front_thunk();
  static Known entered(const void* member) { return {member, 64}; }

  // The way in and the ways out (assembler.cpp).
  void write_enter_thunk();
  void write_leave_thunks();
  void fill_frame();
  void call_in_place();

  /// A jump or call to code that has not been written yet.
  struct Ahead {
    std::size_t behind;
    const NativeBlock* to;
  };

  static constexpr unsigned kSlots = 4;
  /// Loads and stores of a block by the same base register and value, which are looked up together: nearly always
  /// they go to one page.
  struct Group {
    unsigned first = 0;  ///< instruction
    unsigned members = 0;
    std::int32_t low = 0;  ///< least and greatest offset
    std::int32_t high = 0;
    unsigned align = 1;  ///< size of the widest
    bool loads = false;
    bool stores = false;
    unsigned slot = kSlots;  ///< where its pointer is kept; kSlots: it is not done as a group
  };
  /// Below the stack, behind the place of an address that a call of float_call leaves there.
  static constexpr int kBelowStack = 8 * (1 + kSlots);
  static Memory kept_pointer(const Group& group) {
    return ptr[place_of(Xbyak::util::rsp, -16 - 8 * static_cast<int>(group.slot))];
  }
  static constexpr unsigned kNoGroup = ~0u;

  const CpuConfig& config_;
  Entered* const entered_;
  Constants& constants_;
  const bool floats_by_host_;  ///< the host's floating point may be used
  const bool has_rounding_;    ///< it has instructions that round to whole numbers in any mode
  Thunks thunks_;
  NativeMemory memory_;
  const std::uint8_t* refused_ = nullptr;         ///< of the present block
  std::array<const std::uint8_t*, 33> inside_{};  ///< by instruction, where it leaves
  std::array<NativeRest, 32> rests_{};            ///< likewise, but for the code
  const NativeBlock* following_ = nullptr;        ///< the block that is written behind the present body
  bool foresees_ = false;                         ///< of the present block, calls and returns are those of the host
  bool float_dirty_ = false;                      ///< of the present block, has been looked for
  std::vector<FloatDetour> detours_;              ///< likewise
  FloatCopies copies_;                            ///< behind the present instruction
  std::vector<Ahead> ahead_;
  std::array<Group, 32> groups_{};
  std::array<unsigned, 33> group_of_{};               ///< by instruction
  std::array<const std::uint8_t*, 33> one_by_one_{};  ///< by instruction, code that looks up each access by itself
  std::array<const std::uint8_t*, 33> resumed_{};     ///< by instruction, code that goes on there
  unsigned in_rcx_ = kNoGroup;                        ///< the group whose pointer is there
};

}  // namespace vp::cpu::x86_64
