#include "models/cpu/plain_csrs.h"

#include "models/cpu/csrs.h"
#include "models/cpu/memory_operations.h"

namespace vp::cpu {
namespace {

/// misa: the width in the two upper bits, a bit a letter for A, C, I, M, S and U, and with floating point D and F.
template <typename Word>
constexpr Word misa(bool floating) {
  const Word width = sizeof(Word) == 4 ? 1 : 2;
  return width << (8 * sizeof(Word) - 2) | 1 << ('A' - 'A') | 1 << ('C' - 'A') | 1 << ('I' - 'A') | 1 << ('M' - 'A') |
         1 << ('S' - 'A') | 1 << ('U' - 'A') | (floating ? 1 << ('D' - 'A') | 1 << ('F' - 'A') : 0);
}

}  // namespace

template <typename Word>
std::optional<PlainCsr<Word>> plain_csr(const CpuConfig& config, unsigned number) {
  using S = State<Word>;
  constexpr Word kAny = ~Word{0}, kEven = ~Word{1};
  switch (number) {
    case csr_mstatus:
      return {{&S::mstatus}};
    case csr_mie:
      return {{&S::mie}};
    case csr_mtvec:
      return {{&S::mtvec}};
    case csr_mip:
      return {{&S::mip}};
    case csr_mscratch:
      return {{&S::mscratch, kAny}};
    case csr_mepc:
      return {{&S::mepc, kEven}};
    case csr_mcause:
      return {{&S::mcause, kAny}};
    case csr_mtval:
      return {{&S::mtval, kAny}};
    case csr_medeleg:
      return {{&S::medeleg}};
    case csr_mideleg:
      return {{&S::mideleg}};
    case csr_stvec:
      return {{&S::stvec}};
    case csr_sscratch:
      return {{&S::sscratch, kAny}};
    case csr_sepc:
      return {{&S::sepc, kEven}};
    case csr_scause:
      return {{&S::scause, kAny}};
    case csr_stval:
      return {{&S::stval, kAny}};
    case csr_misa:
      return {{nullptr, 0, misa<Word>(config.floating())}};
    case csr_mhartid:
      return {{nullptr, 0, static_cast<Word>(config.hart_id)}};
    case csr_mvendorid:
    case csr_marchid:
    case csr_mimpid:
    case csr_mconfigptr:
      return PlainCsr<Word>{};
    default:
      return std::nullopt;
  }
}

template <typename Word>
std::optional<PlainCsr<Word>> plain_csr_of(const CpuConfig& config, const Block& block, unsigned instruction) {
  const Opcode opcode = block.info[instruction].opcode;
  if (!is_csr(opcode)) return std::nullopt;
  const Op& op = const_cast<Block&>(block).ops()[instruction];
  const auto number = static_cast<unsigned>(op.imm);
  if ((number >> 8 & 3) > static_cast<unsigned>(block.mode)) return std::nullopt;
  const auto plain = plain_csr<Word>(config, number);
  const bool swaps = opcode == Opcode::csrrw || opcode == Opcode::csrrwi;
  if (plain && writes_csr(opcode, op.rs1) && !(swaps && plain->writable != 0)) return std::nullopt;
  return plain;
}

template std::optional<PlainCsr<std::uint32_t>> plain_csr(const CpuConfig&, unsigned);
template std::optional<PlainCsr<std::uint64_t>> plain_csr(const CpuConfig&, unsigned);
template std::optional<PlainCsr<std::uint32_t>> plain_csr_of(const CpuConfig&, const Block&, unsigned);
template std::optional<PlainCsr<std::uint64_t>> plain_csr_of(const CpuConfig&, const Block&, unsigned);

}  // namespace vp::cpu
