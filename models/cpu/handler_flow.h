#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/cpu/memory_port.h"

namespace vp {
class Archive;
}

namespace vp::cpu {

/// Follows what an interrupt handler hands on to the program: everything in memory that it has written after it has
/// learnt something. The program is told when it loads any of it. It has also been told when the handler returns to
/// another place than it came from (another task goes on), when it waited in wfi, and when the handler has written so
/// much that it is an operating system's, which has other ways.
///
/// Costs nothing until something is learnt; from then on the stores of the handler, and afterwards the program's loads
/// from the pages that it has written, take the slow path.
class HandlerFlow {
 public:
  explicit HandlerFlow(MemoryPort& port) : port_(port) {}

  // As HandlerKnowledge.
  std::uint64_t learn();
  bool in_handler() const { return depth_ > 0; }
  bool told(std::uint64_t number) const { return number <= told_; }

  /// A trap has been taken at `pc`, with this stack pointer.
  void entered(bool interrupt, std::uint64_t pc, std::uint64_t stack);
  /// Execution has returned from a trap, to `pc`.
  void left(std::uint64_t pc);
  void reset();

  /// Accesses of this kind to some of these bytes have to be told.
  bool wants(bool write, std::uint64_t first, std::uint64_t size) const;
  bool watches() const { return recording_ || !notes_.empty(); }
  /// take_changed() will say so.
  bool changed() const { return changed_; }
  /// stack: the stack pointer; frames of the handler itself, between it and the program's, are nobody else's.
  void accessed(bool write, std::uint64_t address, unsigned size, std::uint64_t stack);
  /// True once after wants() has changed: what has been found out about memory no longer holds.
  bool take_changed() { return std::exchange(changed_, false); }
  void persist(Archive& archive);

 private:
  /// The first and last byte of what a handler has written.
  struct Note {
    std::uint64_t first = 0, last = 0;
    void persist(Archive& archive);
  };
  bool noted(std::uint64_t first, std::uint64_t last) const;
  void note(std::uint64_t address, unsigned size, std::uint64_t stack);
  bool after_wfi() const;
  void tell();

  MemoryPort& port_;
  unsigned depth_ = 0;        ///< traps since an interrupt was taken, that have not been returned from
  std::uint64_t pc_ = 0;      ///< where the program was interrupted
  std::uint64_t stack_ = 0;   ///< its stack pointer then
  std::uint64_t learnt_ = 0;  ///< number of what was learnt last
  std::uint64_t told_ = 0;    ///< the last of them that the program knows
  bool recording_ = false;    ///< the handler that runs has learnt something
  bool changed_ = false;
  std::vector<Note> notes_;
};

}  // namespace vp::cpu
