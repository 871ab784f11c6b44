#include "tests/cpu/random_guest.h"

#include <cstring>

#include "tests/cpu/page_tables.h"
#include "tests/cpu/random_bench.h"

namespace vp::cpu {

using namespace encode;

namespace {

constexpr std::uint32_t and_immediate(unsigned rd, unsigned rs, int imm) { return i(imm, rs, 7, rd, 0x13); }
constexpr std::uint32_t shift_right(unsigned rd, unsigned rs, int by) { return i(by, rs, 5, rd, 0x13); }

/// Exceptions that supervisor mode's handler can go on from: behind the instruction.
constexpr std::uint64_t kDelegated = 0xa0f8;

}  // namespace

RandomGuest::RandomGuest(unsigned seed, unsigned xlen)
    : dice_(seed), rv64_(xlen == 64), paged_(!dice_.one_in(4)), image_(kMemory) {
  make_tables();
  for (std::size_t at = kData; at < kData + kDataPages * 0x1000; ++at)
    image_[at] = static_cast<std::uint8_t>(dice_.from_to(0, 255));
  seek(kFirstFunction);
  for (unsigned f = 0; f < kFunctions; ++f) function(f);
  EXPECT_LE(at_, kCodeEnd);
  boot();
  handler();
  for (unsigned n = 0; n < kServiceCount; ++n) {
    seek(kServices + n * kServiceBytes);
    service(n);
    EXPECT_LE(at_ + 4, kServices + (n + 1) * kServiceBytes);
    word(jal(0, static_cast<int>(kHandler) - 4 - static_cast<int>(at_)));  // the handler's end, before its start
  }
  supervisor_handler();
  main_loop();
}

// ---- emitting ----

void RandomGuest::half(unsigned encoding) {
  image_[at_++] = static_cast<std::uint8_t>(encoding);
  image_[at_++] = static_cast<std::uint8_t>(encoding >> 8);
}
void RandomGuest::word(std::uint32_t encoding) {
  half(encoding);
  half(encoding >> 16);
}
void RandomGuest::words(std::initializer_list<std::uint32_t> encodings) {
  for (const std::uint32_t encoding : encodings) word(encoding);
}
void RandomGuest::literal(unsigned offset, std::uint64_t value) { std::memcpy(&image_[offset], &value, 8); }

template <typename Make>
void RandomGuest::patch(unsigned place, Make make) {
  const std::uint32_t encoding = make(static_cast<int>(at_) - static_cast<int>(place));
  std::memcpy(&image_[place], &encoding, 4);
}
/// A number of 32 bits, sign-extended.
void RandomGuest::number(unsigned rd, std::uint64_t value) {
  const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 20) >> 20;
  words({lui(rd, static_cast<std::uint32_t>(value - static_cast<std::uint64_t>(low)) >> 12),
         i(low, rd, 0, rd, rv64_ ? 0x1b : 0x13)});
}
/// The address of an offset, seen from here.
void RandomGuest::point(unsigned rd, unsigned offset) {
  const int distance = static_cast<int>(offset) - static_cast<int>(at_);
  const int low = static_cast<int>(static_cast<unsigned>(distance) << 20) >> 20;
  words({auipc(rd, static_cast<std::uint32_t>(distance - low) >> 12), addi(rd, rd, low)});
}

/// Three instructions; `by` holds the distance then.
void RandomGuest::add_alias(unsigned to, unsigned by) {
  if (rv64_)
    words({addi(by, 0, -16), slli(by, by, 32), add(to, to, by)});
  else
    words({lui(by, static_cast<std::uint32_t>(alias() >> 12)), kNop, add(to, to, by)});
}

// ---- start, handlers, main loop ----

void RandomGuest::make_tables() {
  PageTables tables(rv64_ ? 64 : 32, image_, kBase, kBase + kTables);
  const std::uint64_t user = PageTables::kAll | PageTables::kU;
  for (unsigned page = 0; page < 2 * kDataPages; ++page)
    for (unsigned which = 0; which < 2; ++which) {
      const std::uint64_t physical = kBase + 0x1000 * page, address = physical + which * alias();
      tables.map(address, physical, which ? user : PageTables::kAll);
      leaves_[which][page] = tables.place(address, 0) - kBase;
    }
  tables.map(kBase + 2 * alias(), kBase, user, 1);
  tables.map(kDevice, kDevice, user);
  satp_ = tables.satp();
}

void RandomGuest::boot() {
  seek(0);
  point(t6, kHandler);
  word(csrw(mtvec, t6));
  point(t6, kSupervisorHandler);
  word(csrw(stvec, t6));
  // PMP: the last entry allows everything.
  words({addi(t5, 0, -1), csrw(pmpaddr0 + 15, t5), csrw(mie, t5), csrw(mcounteren, t5), csrw(scounteren, t5)});
  words({addi(t5, 0, 0x1f), slli(t5, t5, rv64_ ? 56 : 24), csrw(pmpcfg0 + (rv64_ ? 2 : 3), t5)});
  number(t5, dice_.from_to(0, 0xffff) & kDelegated);
  word(csrw(medeleg, t5));
  number(t5, dice_.from_to(0, 0xffff) & 0x222);
  word(csrw(mideleg, t5));
  literal(kLiterals, paged_ ? satp_ : 0);
  point(t5, kLiterals);
  words({load_x(rv64_ ? 64 : 32, t4, t5, 0), csrw(satp, t4)});
  number(t5, 0x42008);  // SUM, FS, MIE
  word(csrrs(0, mstatus, t5));
  word(lui(s1, kDevice >> 12));
  unsigned slot = 0;
  for (const unsigned reg : kPool) {
    literal(kLiterals + 8 + 8 * slot, dice_.source()() >> dice_.from_to(0, 63));
    point(t5, kLiterals + 8 + 8 * slot++);
    word(load_x(rv64_ ? 64 : 32, reg, t5, 0));
  }
  word(jal(0, static_cast<int>(kMain) - static_cast<int>(at_)));
  EXPECT_LE(at_, kLiterals);
}

/// An interrupt is masked until an exception comes; an ecall does a service; a fetch from another mode's pages goes on
/// in those of this one; any other fetch that failed goes back to who jumped there, in machine mode; everything else
/// goes on 4 bytes behind.
void RandomGuest::handler() {
  const unsigned by = rv64_ ? 40 : 8;
  seek(kHandler - 4);
  const unsigned to_end = at_;
  word(0);
  word(csrr(t3, mcause));
  words({b(24, 0, t3, 5) /* bge t3, zero */, addi(t4, 0, 1), r(0, t3, t4, 1, t4, 0x33) /* sll */, csrrc(0, mie, t4),
         kMret, kNop});
  words({addi(t4, 0, -1), csrw(mie, t4)});
  words({csrr(t5, mepc), addi(t4, t3, -12), beq(t4, 0, 36), i(2, t3, 3, t4, 0x13) /* sltiu */, bne(t4, 0, 12),
         addi(t5, t5, 4), jal(0, 20)});
  words({addi(t5, ra, 0), addi(t4, 0, 3), slli(t4, t4, 11), csrrs(0, mstatus, t4)});
  words({and_immediate(t4, t3, -4), addi(t4, t4, -8)});
  const unsigned no_service = at_;
  words({0, and_immediate(t4, a7, kServiceCount - 1), slli(t4, t4, 7)});
  point(t6, kServices);
  words({add(t6, t6, t4), jalr(0, t6, 0)});
  patch(to_end, [](int distance) { return jal(0, distance); });
  patch(no_service, [](int distance) { return bne(t4, 0, distance); });
  // The offset of where to go on, or main; in the alias of the mode.
  words({slli(t5, t5, by), shift_right(t5, t5, static_cast<int>(by)), and_immediate(t5, t5, -2),
         lui(t4, kCodeEnd >> 12), b(12, t4, t5, 6) /* bltu */, lui(t5, 1),
         addi(t5, t5, static_cast<int>(kMain) - 0x1000)});
  words({auipc(t6, 0), shift_right(t6, t6, 24), slli(t6, t6, 24), csrr(t4, mstatus), shift_right(t4, t4, 11),
         and_immediate(t4, t4, 3), paged_ ? bne(t4, 0, 28) : jal(0, 28)});
  add_alias(t6, t4);
  words({and_immediate(t3, a6, 1), beq(t3, 0, 8), add(t6, t6, t4)});
  words({add(t5, t5, t6), csrw(mepc, t5), kMret});
  EXPECT_LE(at_, kServices);
}

/// What the guest asks machine mode for: in each guest another mode, an interrupt, other pages. t3, t4 and t6 are free;
/// t5 is where it goes on.
void RandomGuest::service(unsigned which) {
  constexpr std::uint32_t kStatusBits[] = {1u << 17, 1u << 18, 1u << 19, 1u << 13, 3u << 13, 1u << 1, 1u << 22};
  constexpr unsigned kAlways[] = {8, 8, 4, 0};
  switch (which < 4 ? kAlways[which] : below(10)) {
    case 0:
    case 1:
      return exchange_pages();
    case 2:
      return change_page();
    case 3:
      number(t4, kStatusBits[below(7)]);
      return word(dice_.one_in(2) ? csrrs(0, mstatus, t4) : csrrc(0, mstatus, t4));
    case 4:
      words({and_immediate(t4, a6, 0x222), csrw(mip, t4)});
      return;
    case 5:  // PMP over a page of data, for modes other than machine
      number(t4, (kBase + kData + 0x1000 * below(kDataPages)) >> 2 | 0x1ff);
      words({csrw(pmpaddr0, t4), addi(t4, 0, static_cast<int>(0x18 | below(8))), csrw(pmpcfg0, t4)});
      return;
    case 6:
      number(t4, dice_.from_to(0, 0xffff) & kDelegated);
      words({csrw(medeleg, t4), csrw(mcounteren, t3)});
      return;
    case 7:
      words({csrrsi(0, mcountinhibit, dice_.one_in(2) ? 5 : 0), csrw(mcycle, t4), csrrwi(0, mcountinhibit, 0)});
      return word(dice_.one_in(2) ? kFenceI : kNop);
    default:  // another mode
      words({addi(t4, 0, 3), slli(t4, t4, 11), csrrc(0, mstatus, t4), and_immediate(t4, a6, 3), slli(t4, t4, 11),
             csrrs(0, mstatus, t4), lui(t4, 0x40), csrrs(0, mstatus, t4)});
  }
}

/// Two leaves of page tables change places, and mostly the hart is told.
void RandomGuest::exchange_pages() {
  const unsigned user = below(2), xlen = rv64_ ? 64 : 32;
  // Pages of functions, or pages of data.
  const bool code = dice_.one_in(4);
  const auto page = [&] { return code ? dice_.from_to(2, 9) : kDataPages + below(kDataPages); };
  const unsigned first = page(), second = page();
  number(t4, 1u << 17);
  word(csrrc(0, mstatus, t4));  // the handler's own accesses are machine mode's
  point(t4, static_cast<unsigned>(leaves_[user][first]));
  point(t6, static_cast<unsigned>(leaves_[user][second]));
  words({load_x(xlen, t3, t4, 0), load_x(xlen, s6, t6, 0), store_x(xlen, t3, t6, 0), store_x(xlen, s6, t4, 0)});
  if (dice_.one_in(2)) return word(sfence_vma());
  // Both pages, one by one.
  for (const unsigned which : {first, second}) {
    point(t4, 0x1000 * which);
    if (user) add_alias(t4, t6);
    word(sfence_vma(t4));
  }
}

/// A bit of a leaf changes: rights, A, D, valid.
void RandomGuest::change_page() {
  const unsigned user = below(2), xlen = rv64_ ? 64 : 32, page = kDataPages + below(kDataPages);
  number(t4, 1u << 17);
  word(csrrc(0, mstatus, t4));
  point(t4, static_cast<unsigned>(leaves_[user][page]));
  constexpr int kBits[] = {1, 2, 4, 16, 64, 128, 192};
  words({load_x(xlen, t3, t4, 0), i(kBits[below(7)], t3, 4, t3, 0x13) /* xori */, store_x(xlen, t3, t4, 0),
         sfence_vma()});
}

/// Of supervisor mode: interrupts are masked, exceptions go on 4 bytes behind.
void RandomGuest::supervisor_handler() {
  seek(kSupervisorHandler);
  words({csrr(t3, scause), b(24, 0, t3, 5), addi(t4, 0, 1), r(0, t3, t4, 1, t4, 0x33), csrrc(0, sie, t4), kSret, kNop});
  words({csrr(t5, sepc), addi(t5, t5, 4), csrw(sepc, t5), kSret});
  EXPECT_LE(at_, kMain);
}

/// Calls one function after the other by a table of jumps, and asks for services.
void RandomGuest::main_loop() {
  seek(kMain);
  find_data();
  words({slli(t0, s6, 2), add(s6, s6, t0), addi(s6, s6, static_cast<int>(dice_.from_to(0, 1000)) * 2 + 1)});
  words(
      {shift_right(t0, s6, 3), and_immediate(t0, t0, kFunctions - 1), slli(t0, t0, 2), auipc(t1, 0), add(t0, t0, t1)});
  const unsigned from = at_ - 8;  // t1
  const unsigned calls = at_;
  words({0, shift_right(a7, s6, 4), shift_right(a6, s6, 7)});
  words({and_immediate(t0, a6, 4), bne(t0, 0, 8), kEcall, jal(0, 0)});
  const unsigned back = at_ - 4;
  const int to_main = static_cast<int>(kMain) - static_cast<int>(back);
  const std::uint32_t jump_back = jal(0, to_main);
  std::memcpy(&image_[back], &jump_back, 4);
  const std::uint32_t enter = jalr(ra, t0, static_cast<int>(at_ - from));
  std::memcpy(&image_[calls], &enter, 4);
  for (const unsigned f : functions_) word(jal(0, static_cast<int>(f) - static_cast<int>(at_)));
  EXPECT_LE(at_, kFirstFunction);
}

// ---- functions ----

void RandomGuest::function(unsigned index) {
  functions_[index] = at_;
  const unsigned level = index < kCallsFrom ? 0 : index < kDeepCallsFrom ? 1 : 2;
  if (level > 0) word(addi(s6 + level, ra, 0));
  find_data();
  for (unsigned n = dice_.from_to(6, 40); n > 0; --n) statement(level);
  if (level > 0) word(addi(ra, s6 + level, 0));
  if (dice_.one_in(2)) {
    word(jalr(0, ra, 0));
  } else {
    half(0x8082);  // c.jr ra
  }
}

/// s0 points to somewhere in the data, mostly aligned.
void RandomGuest::find_data() {
  word(auipc(s0, (kData - at_ / 0x1000 * 0x1000 + 0x1000 * dice_.from_to(1, kDataPages - 2)) >> 12));
  if (!dice_.one_in(8)) word(and_immediate(s0, s0, -8));
}

void RandomGuest::statement(unsigned level) {
  switch (below(40)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return forward_branch(level);
    case 4:
    case 5:
      return loop(level);
    case 6:
    case 7:
      return level > 0 ? call(level) : jump();
    case 8:
      return jump();
    case 9:
    case 10:
      return csr();
    case 11:
      return trap();
    case 12:
      return written_code();
    case 14:
      return elsewhere();
    case 15:
    case 16:
      return find_data();
    default:
      return straight();
  }
}

/// What neither branches nor waits.
void RandomGuest::straight() {
  switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return alu();
    case 4:
    case 5:
    case 6:
      return alu_immediate();
    case 7:
      return corner();
    case 8:
      return dice_.one_in(2) ? atomic() : memory();
    case 9:
      return word(random_float(dice_, static_cast<int>(8 * below(200))));
    case 10:
    case 11:
      return compressed();
    default:
      return memory();
  }
}

void RandomGuest::alu() {
  const unsigned rd = any(), rs1 = any(), rs2 = any(), funct3 = below(8);
  if (dice_.one_in(3)) {  // multiplication and division, also of words
    const bool narrow = rv64_ && dice_.one_in(2);
    return word(r(1, rs2, rs1, narrow && funct3 < 4 ? 0 : funct3, rd, narrow ? 0x3b : 0x33));
  }
  const bool other = dice_.one_in(3);  // sub, sra
  if (rv64_ && dice_.one_in(3)) {
    constexpr unsigned kNarrow[] = {0, 0, 1, 5};
    const unsigned narrow = kNarrow[below(4)];
    return word(r(other && narrow != 1 ? 0x20 : 0, rs2, rs1, narrow, rd, 0x3b));
  }
  word(r(other && (funct3 == 0 || funct3 == 5) ? 0x20 : 0, rs2, rs1, funct3, rd, 0x33));
}

void RandomGuest::alu_immediate() {
  const unsigned rd = any(), rs1 = any(), funct3 = below(8);
  if (dice_.one_in(8)) return word(dice_.one_in(2) ? lui(rd, below(1u << 20)) : auipc(rd, below(1u << 20)));
  const bool shift = funct3 == 1 || funct3 == 5;
  if (rv64_ && dice_.one_in(3)) {
    constexpr unsigned kNarrow[] = {0, 0, 1, 5};
    const unsigned narrow = kNarrow[below(4)];
    if (narrow == 0) return word(i(immediate(), rs1, 0, rd, 0x1b));
    return word(i(static_cast<int>(below(32) | (narrow == 5 ? below(2) << 10 : 0)), rs1, narrow, rd, 0x1b));
  }
  if (shift)
    return word(
        i(static_cast<int>(below(rv64_ ? 64 : 32) | (funct3 == 5 ? below(2) << 10 : 0)), rs1, funct3, rd, 0x13));
  word(i(immediate(), rs1, funct3, rd, 0x13));
}

/// Values at which operations have something special.
void RandomGuest::corner() {
  const unsigned rd = any();
  switch (below(6)) {
    case 0:
      return word(addi(rd, 0, -1));
    case 1:
      return words({addi(rd, 0, 1), slli(rd, rd, rv64_ ? 63 : 31)});
    case 2:
      return word(lui(rd, 0x80000));
    case 3:
      return words({addi(rd, 0, -1), shift_right(rd, rd, 1)});
    case 4:
      return word(addi(rd, 0, static_cast<int>(below(3))));
    default:
      return words({addi(rd, 0, -1), shift_right(rd, rd, static_cast<int>(below(rv64_ ? 64 : 32)))});
  }
}

void RandomGuest::memory() {
  constexpr unsigned kLoads[] = {0, 1, 2, 4, 5, 3, 6};
  const bool store = dice_.one_in(2);
  const unsigned funct3 = store ? below(rv64_ ? 4 : 3) : kLoads[below(rv64_ ? 7 : 5)];
  int offset = immediate();
  if (!dice_.one_in(6)) offset &= -8;
  word(store ? s(offset, any(), s0, funct3, 0x23) : i(offset, s0, funct3, any(), 0x03));
}

/// As in a loop that compares and exchanges, and what such loops do not do.
void RandomGuest::between_lr_and_sc() {
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
      return alu();
    case 3:
      return word(bne(any(), any(), 8));
    case 4:
      return word(beq(any(), any(), 4));
    case 5:
      return memory();
    case 6:
      return word(addi(s0, s0, dice_.one_in(2) ? 8 : -8));
    case 7:
      return word(lr(any(), s0, 4));
    default:
      return;
  }
}

void RandomGuest::atomic() {
  constexpr unsigned kOperations[] = {0, 1, 4, 8, 12, 16, 20, 24, 28};
  const unsigned size = rv64_ && dice_.one_in(2) ? 8 : 4;
  if (dice_.one_in(3)) {
    word(lr(any(), s0, size));
    between_lr_and_sc();
    return word(sc(any(), s0, any(), dice_.one_in(6) ? 4 : size));
  }
  word(amo(kOperations[below(9)], any(), s0, any(), size));
}

/// Two compressed instructions, so that one that traps is left behind with the other.
void RandomGuest::compressed() {
  const unsigned small = below(8), rd = a0 + below(8), imm = below(32);  // small: x8 to x15
  const unsigned value = small < 2 ? 4 : small;
  switch (below(8)) {
    case 0:  // c.lw, c.sw: of s0
      half((dice_.one_in(2) ? 0x4000 : 0xc000) | (imm & 7) << 10 | (imm >> 3 & 3) << 5 | value << 2);
      break;
    case 1:  // c.ld, c.sd: of s0; on RV32 those of floating point
      half((dice_.one_in(2) ? 0x6000 : 0xe000) | (imm & 7) << 10 | (imm >> 3 & 3) << 5 | value << 2);
      break;
    case 2:
      half(0x0001 | rd << 7 | imm << 2);  // c.addi
      break;
    case 3:
      half(0x4001 | rd << 7 | imm << 2);  // c.li
      break;
    case 4:
      half(0x8002 | rd << 7 | (a0 + below(8)) << 2);  // c.mv
      break;
    case 5:
      half(0x9002 | rd << 7 | (a0 + below(8)) << 2);  // c.add
      break;
    case 6:
      half(0x8c01 | value << 7 | below(4) << 5 | (2 + below(6)) << 2);  // c.sub, c.xor, c.or, c.and
      break;
    default:
      half(0x9002);  // c.ebreak
  }
  half(0x0001 | rd << 7 | 1 << 2);  // c.addi rd, 1
}

// ---- control ----

void RandomGuest::forward_branch(unsigned level) {
  constexpr unsigned kConditions[] = {0, 1, 4, 5, 6, 7};
  const unsigned place = at_, condition = kConditions[below(6)], rs1 = any(), rs2 = any();
  word(0);
  for (unsigned n = dice_.from_to(1, 5); n > 0; --n) dice_.one_in(6) ? statement(level) : straight();
  if (at_ - place > 4000) return patch(place, [](int distance) { return jal(0, distance); });
  patch(place, [=](int distance) { return b(distance, rs2, rs1, condition); });
}

/// That ends. Outer ones go round less often, and no two of a level are in each other.
void RandomGuest::loop(unsigned level) {
  const unsigned counter = s9 + level;
  const bool calls = level > 0 && dice_.one_in(3);
  word(addi(counter, 0, static_cast<int>(dice_.from_to(1, calls ? 6 : dice_.one_in(4) ? 150 : 20))));
  const unsigned top = at_;
  for (unsigned n = dice_.from_to(1, 7); n > 0; --n) straight();
  if (calls) call(level);
  word(addi(counter, counter, -1));
  word(bne(counter, 0, static_cast<int>(top) - static_cast<int>(at_)));
}

void RandomGuest::call(unsigned level) {
  const unsigned callee = functions_[below(level == 1 ? kCallsFrom : kDeepCallsFrom)];
  if (dice_.one_in(2)) return word(jal(ra, static_cast<int>(callee) - static_cast<int>(at_)));
  point(t0, callee);
  word(jalr(ra, t0, 0));
}

/// Over something that is not to be executed; or to a place that a register says.
void RandomGuest::jump() {
  const unsigned place = at_;
  if (dice_.one_in(2)) {
    word(0);
    for (unsigned n = below(4); n > 0; --n) word(static_cast<std::uint32_t>(dice_.source()()));
    return patch(place, [](int distance) { return jal(0, distance); });
  }
  // One of four instructions behind, each of which goes on to the end.
  words({and_immediate(t0, any(), 3), slli(t0, t0, 2), auipc(t1, 0), add(t0, t0, t1), jalr(t2, t0, 12)});
  for (unsigned n = 0; n < 4; ++n) {
    const std::uint32_t encoding = harmless();
    word(encoding);
  }
}

std::uint32_t RandomGuest::harmless() {
  switch (below(5)) {
    case 0:
      return kEbreak;
    case 1:
      return lw(any(), s0, static_cast<int>(4 * below(500)));
    case 2:
      return sw(any(), s0, static_cast<int>(4 * below(500)));
    default:
      return addi(any(), any(), immediate());
  }
}

void RandomGuest::csr() {
  constexpr unsigned kRead[] = {mcycle, minstret, cycle, time_,  instret, mstatus, sstatus, mhartid, misa,
                                mip,    mie,      sip,   scause, mcause,  satp,    mcycleh, mtval,   0x7c0};
  if (dice_.one_in(3)) return word(csrrw(any(), sscratch, any()));
  if (dice_.one_in(3)) return interrupts();
  if (dice_.one_in(8)) return word(csrw(dice_.one_in(2) ? minstret : mcycle, any()));
  word(csrr(any(), kRead[below(18)]));
}

/// Supervisor mode's, kept away or let in.
void RandomGuest::interrupts() {
  constexpr int kSie = 2;
  const unsigned bits = any();
  switch (below(4)) {
    case 0:
      return word(csrrsi(any(), sstatus, below(2) * kSie));
    case 1:
      return word(csrrci(any(), sstatus, below(2) * kSie));
    case 2:
      return words({and_immediate(bits, bits, kSie), csrrs(any(), sstatus, bits)});
    default:
      return words({and_immediate(bits, bits, kSie), csrrc(any(), sstatus, bits)});
  }
}

void RandomGuest::trap() {
  switch (below(8)) {
    case 0:
      return word(kEbreak);
    case 1:
      return word(0xffff'ffff);
    case 2:
      return words({addi(a7, 0, static_cast<int>(below(kServiceCount))), kEcall});
    case 3:
      return word(kWfi);
    case 4:
      return word(kFenceI);
    case 5:
      return word(dice_.one_in(2) ? sfence_vma() : sfence_vma(s0));
    case 6:
      return word(kFence);
    default:
      return word(dice_.one_in(6) ? kSret : kEcall);
  }
}

/// An instruction is replaced before it is reached.
void RandomGuest::written_code() {
  number(t0, harmless());
  // In a user's page it may not be allowed; then the old one stays.
  words({auipc(t1, 0), sw(t0, t1, 12), kFenceI});
  word(harmless());
}

/// Devices, addresses where nothing is, jumps to there.
void RandomGuest::elsewhere() {
  switch (below(8)) {
    case 0:
      return words({lui(t1, 0x50000), dice_.one_in(2) ? lw(any(), t1, 0) : sw(any(), t1, 0)});
    case 1:
      return words({lui(t1, 0x50000), dice_.one_in(4) ? jalr(ra, t1, 0) : lb(any(), t1, 1)});
    case 2:
      return word(amo(0, any(), s1, any(), 4));
    case 3:
    case 4:
      return word(sw(any(), s1, static_cast<int>(4 * below(16))));
    case 5:
      return word(rv64_ ? ld(any(), s1, static_cast<int>(8 * below(8)))
                        : lw(any(), s1, static_cast<int>(4 * below(16))));
    default:
      return word(lw(any(), s1, static_cast<int>(4 * below(16))));
  }
}

}  // namespace vp::cpu
