#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/common/register.h"
#include "models/common/target_model.h"

namespace vp {

class Archive;

/// A part of a device's window that is no register: a buffer that is accessed like memory, say. The device answers
/// there by itself; the bank only lists it.
struct MemoryRegion {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< in bytes
  const char* help = "";
};

/// Appends "THRE=1 TEMT=1": the fields that are not zero in a register that holds `value`, by the names of their values
/// where they have some, as far as all their bits are in `mask`. Between any two stands a blank.
void append_fields(const RegisterBase& reg, std::uint64_t value, std::uint64_t mask, std::string& text);

/// The register in which a byte of a window lies.
struct RegisterPlace {
  const RegisterBase* reg = nullptr;
  unsigned index = 0;  ///< of the element
  unsigned byte = 0;   ///< of the register

  unsigned width() const { return reg->width(); }
  std::string name() const { return reg->name(index); }
};

/// One register, or one element of an array, as a debugger sees it at a moment.
struct RegisterListing {
  const RegisterBase* reg = nullptr;
  unsigned index = 0;       ///< of the element
  std::uint64_t value = 0;  ///< as `peek` gives it

  std::string name() const { return reg->name(index); }
  std::uint64_t offset() const { return reg->offset(index); }
  /// "LSR 0x60: THRE=1 TEMT=1": the fields that are not zero, by the names of their values where they have some.
  std::string text() const;
};

/// The registers of a device by address. Makes reads and writes of any size out of them, lower address first; an access
/// smaller than a register reads part of it, or writes it with the other bytes as a debugger reads them (but zeros to
/// bits that a one would clear). An access that touches a byte without a register is an address error.
///
/// Registers enter the bank when they are constructed and must live as long. Two registers that could be reached at one
/// address in the same view and direction are an error of ours (std::logic_error).
class RegisterBank {
 public:
  /// minimum_access: smaller accesses, in bytes, are address errors.
  explicit RegisterBank(unsigned minimum_access = 1) : minimum_access_(minimum_access) {}
  RegisterBank(const RegisterBank&) = delete;
  RegisterBank& operator=(const RegisterBank&) = delete;

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now);
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now);
  /// As a debugger reads at time `now`; stops at the first byte without a readable register and returns the number of
  /// bytes before it.
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds now = 0) const;

  /// Selects the view in which registers with a view are seen. At first 0.
  void select_view(int view) { view_ = view; }
  /// All registers to their reset values, view 0. Calls no callbacks.
  void reset();

  /// What all registers hold, and the view.
  void persist(Archive& archive);

  /// Adds a region to the listing. It must not overlap another (std::logic_error).
  void add_region(MemoryRegion region);

  /// "MTIMECMP" for an offset inside it, "4 bytes after MSIP" or "8 bytes before MTIME" for one outside; the name of a
  /// region for an offset inside one without a register; empty without registers.
  std::string describe(std::uint64_t offset) const;

  /// Why an access of this place and size is refused: "it is too narrow, 4 bytes at least", "it is not aligned", "MTIME
  /// cannot be written"; empty if it is not, or where there is no register.
  std::string refusal(std::uint64_t offset, unsigned size, bool write) const;

  /// The register that a read or write of the byte at `offset` meets now, whether it may be or not; in doubt the one of
  /// that direction. Nothing where there is none.
  std::optional<RegisterPlace> place(std::uint64_t offset, bool write) const;
  /// The region around an offset, nullptr where there is none.
  const MemoryRegion* region(std::uint64_t offset) const;
  int view() const { return view_; }

  // The listing, for a debugger, a log, a generator of headers.
  /// In order of their offsets, an array once.
  const std::vector<const RegisterBase*>& registers() const { return registers_; }
  /// In order of their offsets.
  const std::vector<MemoryRegion>& regions() const { return regions_; }
  /// All registers and elements in order of their offsets, in all views, with their values at `now`. No side effects.
  std::vector<RegisterListing> list(Picoseconds now) const;
  /// The register or element of this name ("LCR", "PRIORITY[3]") with its value at `now`, if there is one.
  std::optional<RegisterListing> find(const std::string& name, Picoseconds now) const;

 private:
  friend class RegisterBase;
  void add(RegisterBase& reg);
  enum class Direction { read, write };
  /// A register, or an element of an array, in the order of addresses.
  struct Entry {
    std::uint64_t offset;
    RegisterBase* reg;  // owned by the device
    unsigned index;
    unsigned width;  // of the register, as its view
    int view;
  };
  /// Of each direction the entries met last, by their addresses: programs go to a few registers again and again.
  using Recent = std::array<const Entry*, 16>;
  /// The one that holds the byte at `offset` for this direction; result says why there is none.
  const Entry* find(std::uint64_t offset, Direction direction, AccessResult& result) const;
  /// The same, from among those met last if it is there.
  const Entry* meet(std::uint64_t offset, Direction direction, AccessResult& result);
  void refuse_overlap(const Entry& entry) const;

  std::vector<Entry> entries_;  // sorted by offset
  std::vector<const RegisterBase*> registers_;
  std::vector<MemoryRegion> regions_;
  unsigned minimum_access_;
  int view_ = 0;
  std::array<Recent, 2> recent_{};  // by Direction
};

}  // namespace vp
