#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "models/common/target_model.h"

namespace vp {

/// What a guest may do with a register. Forbidden directions are command errors.
enum class RegisterMode {
  read_write,
  read_only,
  write_only,
  write_ignored,  ///< can be read; writes are accepted and change nothing
};

class RegisterBank;

/// A named register at a fixed place of a RegisterBank; `Register<T>` is the one to use.
class RegisterBase {
 public:
  struct Place {
    std::string name;  ///< as in the hardware manual
    std::uint64_t offset = 0;
    RegisterMode mode = RegisterMode::read_write;
    int view = -1;  ///< the bank's view in which it is seen (a 16550's DLAB); -1: in all
  };

  RegisterBase(RegisterBank& bank, Place place, unsigned width);
  virtual ~RegisterBase() = default;
  RegisterBase(const RegisterBase&) = delete;
  RegisterBase& operator=(const RegisterBase&) = delete;

  const std::string& name() const { return place_.name; }
  std::uint64_t offset() const { return place_.offset; }
  unsigned width() const { return width_; }  ///< in bytes: 1, 2, 4 or 8
  RegisterMode mode() const { return place_.mode; }
  int view() const { return place_.view; }
  bool readable() const { return place_.mode != RegisterMode::write_only; }
  bool writable() const { return place_.mode != RegisterMode::read_only; }
  /// Both can be reached at once at a common address.
  bool collides(const RegisterBase& other) const;

  virtual std::uint64_t load(Picoseconds& now) = 0;               ///< a guest's read, with side effects
  virtual std::uint64_t peek(Picoseconds now) const = 0;          ///< a debugger's, without
  virtual void store(std::uint64_t value, Picoseconds& now) = 0;  ///< a guest's write
  virtual void reset() = 0;                                       ///< back to the reset value; no callbacks

 private:
  Place place_;
  unsigned width_;
};

/// A register of type T (std::uint8_t to std::uint64_t). Without callbacks it is plain storage.
template <typename T>
class Register : public RegisterBase {
  static_assert(std::is_unsigned_v<T> && sizeof(T) <= 8);

 public:
  explicit Register(RegisterBank& bank, Place place, T reset_value = 0)
      : RegisterBase(bank, std::move(place), sizeof(T)), value(reset_value), reset_value_(reset_value) {}

  std::uint64_t load(Picoseconds& now) override { return on_read ? on_read(now) : value; }
  std::uint64_t peek(Picoseconds now) const override { return on_peek ? on_peek(now) : value; }
  void store(std::uint64_t new_value, Picoseconds& now) override {
    if (mode() == RegisterMode::write_ignored) return;
    const T next = static_cast<T>((value & ~write_mask) | (static_cast<T>(new_value) & write_mask));
    if (on_write)
      on_write(next, now);
    else
      value = next;
  }
  void reset() override { value = reset_value_; }

  T value;                                       ///< what it holds
  T write_mask = std::numeric_limits<T>::max();  ///< bits that a guest can change
  std::function<T(Picoseconds& now)> on_read;    ///< gives what a guest reads (default: value); may have side effects
  std::function<T(Picoseconds now)> on_peek;     ///< gives what a debugger reads (default: value)
  std::function<void(T value, Picoseconds& now)> on_write;  ///< takes what a guest writes (default: into value)

 private:
  T reset_value_;
};

/// The registers of a device by address. Makes reads and writes of any size out of them, lower address first; an access
/// smaller than a register reads part of it, or writes it with the other bytes as a debugger reads them. An access that
/// touches a byte without a register is an address error.
///
/// Registers enter the bank when they are constructed and must live as long. Two registers that could be reached at one
/// address in the same view and direction are an error of ours (std::logic_error).
class RegisterBank {
 public:
  /// minimum_access: smaller accesses, in bytes, are address errors.
  explicit RegisterBank(unsigned minimum_access = 1) : minimum_access_(minimum_access) {}

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now);
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now);
  /// As a debugger reads at time `now`; stops at the first byte without a readable register and returns the number of
  /// bytes before it.
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds now = 0) const;

  /// Selects the view in which registers with a view are seen. At first 0.
  void select_view(int view) { view_ = view; }
  /// All registers to their reset values, view 0. Calls no callbacks.
  void reset();

  /// "MTIMECMP" for an offset inside it, "4 bytes after MSIP" or "8 bytes before MTIME" for one outside; empty without
  /// registers.
  std::string describe(std::uint64_t offset) const;
  /// In order of their offsets.
  const std::vector<RegisterBase*>& registers() const { return registers_; }

 private:
  friend class RegisterBase;
  void add(RegisterBase& reg);
  enum class Direction { read, write };
  /// The register that holds the byte at `offset` for this direction; result says why there is none.
  RegisterBase* find(std::uint64_t offset, Direction direction, AccessResult& result) const;

  std::vector<RegisterBase*> registers_;  // owned by the device; sorted by offset
  unsigned minimum_access_;
  int view_ = 0;
};

}  // namespace vp
