#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/common/clock.h"

namespace vp {

/// What a guest may do with a register. Forbidden directions are command errors.
enum class RegisterMode {
  read_write,
  read_only,
  write_only,
  write_ignored,  ///< can be read; writes are accepted and change nothing
};

/// What a guest's write does to the bits of a field.
enum class FieldAccess {
  read_write,
  read_only,         ///< keeps its value
  write_1_to_clear,  ///< a one clears the bit, a zero leaves it
  reserved,          ///< has a name in the manual, and keeps its value
};

/// A value of a field that has a name of its own.
struct ValueName {
  std::uint64_t value;
  const char* name;
};

/// A field as the hardware manual describes it. Texts are literals.
struct FieldPlace {
  const char* name;
  unsigned lowest = 0;  ///< its lowest bit
  unsigned width = 1;   ///< in bits
  const char* help = "";
  FieldAccess access = FieldAccess::read_write;
  std::vector<ValueName> values{};  ///< the named ones; may be empty

  std::uint64_t mask() const { return (~std::uint64_t{0} >> (64 - width)) << lowest; }
  /// The field's value in a register that holds `word`.
  std::uint64_t of(std::uint64_t word) const { return (word & mask()) >> lowest; }
};

class RegisterBank;

/// A named register, or an array of them, at fixed places of a RegisterBank; `Register<T>` and `RegisterArray<T>` are
/// the ones to use. A single register is an array of one, its index is 0.
class RegisterBase {
 public:
  struct Place {
    std::string name;  ///< as in the hardware manual
    std::uint64_t offset = 0;
    const char* help = "";
    RegisterMode mode = RegisterMode::read_write;
    int view = -1;  ///< the bank's view in which it is seen (a 16550's DLAB); -1: in all
  };
  /// The elements of an array: element i is at offset + i × stride and is called NAME[first + i].
  struct Extent {
    unsigned count = 1;
    unsigned stride = 0;  ///< in bytes; 0: one directly after the other
    unsigned first = 0;   ///< number of element 0 in names
  };

  virtual ~RegisterBase() = default;
  RegisterBase(const RegisterBase&) = delete;
  RegisterBase& operator=(const RegisterBase&) = delete;

  /// Without the number of an element.
  const std::string& name() const { return place_.name; }
  /// "LCR", or "PRIORITY[3]".
  std::string name(unsigned index) const;
  std::uint64_t offset(unsigned index = 0) const { return place_.offset + std::uint64_t{index} * extent_.stride; }
  unsigned width() const { return width_; }  ///< of an element, in bytes: 1, 2, 4 or 8
  RegisterMode mode() const { return place_.mode; }
  int view() const { return place_.view; }
  const char* help() const { return place_.help; }
  const Extent& extent() const { return extent_; }
  bool array() const { return array_; }
  bool readable() const { return place_.mode != RegisterMode::write_only; }
  bool writable() const { return place_.mode != RegisterMode::read_only; }
  /// In the order of their declaration.
  const std::vector<FieldPlace>& fields() const { return fields_; }

  virtual std::uint64_t load(unsigned index, Picoseconds& now) = 0;               ///< a guest's read, with side effects
  virtual std::uint64_t peek(unsigned index, Picoseconds now) const = 0;          ///< a debugger's, without
  virtual void store(unsigned index, std::uint64_t value, Picoseconds& now) = 0;  ///< a guest's write
  virtual std::uint64_t reset_value() const = 0;
  virtual void reset() = 0;  ///< back to the reset value; no callbacks
  // What it holds, whatever its callbacks: for saving and restoring a machine.
  virtual std::uint64_t stored(unsigned index) const = 0;
  virtual void restore(unsigned index, std::uint64_t value) = 0;

  /// Bits of which a written one clears.
  std::uint64_t write_1_to_clear() const { return clears_; }

 protected:
  RegisterBase(RegisterBank& bank, Place place, unsigned width);
  RegisterBase(RegisterBank& bank, Place place, unsigned width, Extent extent);

  /// Checks the field (inside the register, apart from the others: else std::logic_error) and returns the bits that a
  /// guest can write now that there are fields.
  std::uint64_t add_field(FieldPlace field);

 private:
  RegisterBase(RegisterBank& bank, Place place, unsigned width, Extent extent, bool array);

  Place place_;
  Extent extent_;
  bool array_;
  unsigned width_;
  std::uint64_t writes_ = 0;  // bits of fields that are stored
  std::uint64_t clears_ = 0;  // bits of fields that a one clears
  std::vector<FieldPlace> fields_;
};

/// What registers and arrays of type T (std::uint8_t to std::uint64_t) share.
template <typename T>
class TypedRegister : public RegisterBase {
  static_assert(std::is_unsigned_v<T> && sizeof(T) <= 8);

 public:
  std::uint64_t reset_value() const override { return reset_value_; }

  /// Bits that a guest can change. With the first field it becomes the fields' bits.
  T write_mask = std::numeric_limits<T>::max();

 protected:
  template <typename... Arguments>
  explicit TypedRegister(T reset_value, RegisterBank& bank, Place place, Arguments... extent)
      : RegisterBase(bank, std::move(place), sizeof(T), extent...), reset_value_(reset_value) {}

  /// What `value` becomes when `written` is stored.
  T merged(T value, std::uint64_t written) const {
    const auto given = static_cast<T>(written);
    return static_cast<T>(((value & ~write_mask) | (given & write_mask)) &
                          ~(given & static_cast<T>(write_1_to_clear())));
  }

 private:
  T reset_value_;
};

/// A register of type T. Without callbacks it is plain storage.
template <typename T>
class Register : public TypedRegister<T> {
 public:
  using Place = RegisterBase::Place;
  explicit Register(RegisterBank& bank, Place place, T reset_value = 0)
      : TypedRegister<T>(reset_value, bank, std::move(place)), value(reset_value) {}

  std::uint64_t load(unsigned, Picoseconds& now) override { return on_read ? on_read(now) : value; }
  std::uint64_t peek(unsigned, Picoseconds now) const override { return on_peek ? on_peek(now) : value; }
  void store(unsigned, std::uint64_t written, Picoseconds& now) override {
    if (this->mode() == RegisterMode::write_ignored) return;
    const T next = this->merged(value, written);
    if (on_write)
      on_write(next, now);
    else
      value = next;
  }
  void reset() override { value = static_cast<T>(this->reset_value()); }
  std::uint64_t stored(unsigned) const override { return value; }
  void restore(unsigned, std::uint64_t saved) override { value = static_cast<T>(saved); }
  /// A field without an accessor, for the listing and for what a guest can change; `Field` has one.
  void add_field(FieldPlace place) { this->write_mask = static_cast<T>(RegisterBase::add_field(std::move(place))); }

  T value;                                     ///< what it holds
  std::function<T(Picoseconds& now)> on_read;  ///< gives what a guest reads (default: value); may have side effects
  std::function<T(Picoseconds now)> on_peek;   ///< gives what a debugger reads (default: value)
  std::function<void(T value, Picoseconds& now)> on_write;  ///< takes what a guest writes (default: into value)
};

/// Registers of type T at equal distances, with one set of callbacks; these get the index of the element.
template <typename T>
class RegisterArray : public TypedRegister<T> {
 public:
  using Place = RegisterBase::Place;
  using Extent = RegisterBase::Extent;
  explicit RegisterArray(RegisterBank& bank, Place place, Extent extent, T reset_value = 0)
      : TypedRegister<T>(reset_value, bank, std::move(place), extent), values(extent.count, reset_value) {}

  std::uint64_t load(unsigned index, Picoseconds& now) override {
    return on_read ? on_read(index, now) : values[index];
  }
  std::uint64_t peek(unsigned index, Picoseconds now) const override {
    return on_peek ? on_peek(index, now) : values[index];
  }
  void store(unsigned index, std::uint64_t written, Picoseconds& now) override {
    if (this->mode() == RegisterMode::write_ignored) return;
    const T next = this->merged(values[index], written);
    if (on_write)
      on_write(index, next, now);
    else
      values[index] = next;
  }
  void reset() override { values.assign(values.size(), static_cast<T>(this->reset_value())); }
  std::uint64_t stored(unsigned index) const override { return values[index]; }
  void restore(unsigned index, std::uint64_t saved) override { values[index] = static_cast<T>(saved); }
  /// A field of every element, for the listing and for what a guest can change.
  void add_field(FieldPlace place) { this->write_mask = static_cast<T>(RegisterBase::add_field(std::move(place))); }

  std::vector<T> values;
  // As those of a Register.
  std::function<T(unsigned index, Picoseconds& now)> on_read;
  std::function<T(unsigned index, Picoseconds now)> on_peek;
  std::function<void(unsigned index, T value, Picoseconds& now)> on_write;
};

/// A named field of a Register<T>, for the device's own code: `if (erbfi_)`, `wls_.of(value)`, `ioc_irq_.set(true)`.
/// V is bool for a flag, an unsigned number or an enumeration. The bits of a register with fields that belong to none
/// keep their values.
template <typename T, typename V = bool>
class Field {
 public:
  /// Throws std::logic_error for a field that is not inside the register or overlaps another.
  Field(Register<T>& reg, const FieldPlace& place) : reg_(reg), lowest_(place.lowest) {
    reg.add_field(place);
    mask_ = static_cast<T>(place.mask());
  }

  T mask() const { return mask_; }
  /// In a register that holds `word`.
  V of(T word) const { return static_cast<V>(static_cast<T>(word & mask_) >> lowest_); }
  V get() const { return of(reg_.value); }
  operator V() const { return get(); }
  /// A word with this field at `value`, and zeros.
  T word(V value) const { return static_cast<T>(static_cast<T>(static_cast<T>(value) << lowest_) & mask_); }
  void set(V value) { reg_.value = static_cast<T>((reg_.value & ~mask_) | word(value)); }

 private:
  Register<T>& reg_;
  T mask_ = 0;
  unsigned lowest_;
};

}  // namespace vp
