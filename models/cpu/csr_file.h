#pragma once

#include <cstdint>

#include "models/cpu/hart_context.h"

namespace vp::cpu {

/// Who writes a CSR: an instruction, behind which the value is to stand, or a debugger between two instructions.
enum class CsrWriter : std::uint8_t { instruction, debugger };

/// What the rest of the hart must look at anew after a write.
enum class CsrEffect : std::uint8_t {
  none,
  data_mode,    ///< the mode in which loads and stores are made
  rights,       ///< what the rights of pages mean
  translation,  ///< where addresses lead
  protection,   ///< what may be accessed
  trap_vector,  ///< there is a handler now
  supervisor_trap_vector,
};

/// The control and status registers (Zicsr, Zicntr, machine and supervisor mode): which there are, who may access them,
/// what reads and writes do. The registers themselves are in State.
template <typename Word>
class CsrFile {
 public:
  explicit CsrFile(HartContext<Word>& hart) : hart_(hart), s_(hart.state) {}

  /// The rules that the number itself carries: bits 9:8 the lowest mode, bits 11:10 = 3 read-only.
  bool accessible(unsigned number, bool write) const;
  /// As machine mode reads it; false if there is none of that number. Without side effects.
  bool read(unsigned number, Word& value) const;
  /// What csrrs and csrrc change of the value that was read: of mip.SEIP the bit that was written, without the line.
  Word to_modify(unsigned number, Word value) const;
  /// The register exists and may be written (accessible, read); what a field cannot hold is dropped.
  CsrEffect write(unsigned number, Word value, CsrWriter writer);

 private:
  static constexpr unsigned kXlen = 8 * sizeof(Word);
  /// Of the instruction that comes next.
  struct Moment {
    Picoseconds time = 0;
    std::uint64_t retired = 0;
  };

  bool read_supervisor(unsigned number, Word& value) const;
  bool write_supervisor(unsigned number, Word value, CsrEffect& effect);
  CsrEffect write_mstatus(Word value, Word writable);
  CsrEffect write_satp(Word value);
  void write_mip(Word value, Word writable);
  void write_menvcfg(std::uint64_t value);
  bool timer_accessible() const;
  void write_stimecmp(std::uint64_t value);
  bool read_counter(unsigned number, Word& value) const;
  CsrEffect write_pmp(unsigned number, Word value);
  Moment after(CsrWriter writer) const;
  void write_counter(unsigned number, Word value, const Moment& after);
  void write_mcountinhibit(std::uint32_t value, const Moment& after);
  std::uint64_t cycle_counter(Picoseconds at) const;
  std::uint64_t instret_counter(std::uint64_t retired) const;

  HartContext<Word>& hart_;
  State<Word>& s_;
};

}  // namespace vp::cpu
