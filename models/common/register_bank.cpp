#include "models/common/register_bank.h"

#include <algorithm>
#include <stdexcept>

#include "models/common/wording.h"

namespace vp {
namespace {

constexpr unsigned kWidestRegister = 8;

std::uint64_t bytes_mask(unsigned size) { return size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1; }

std::uint64_t get_little_endian(const std::uint8_t* data, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value |= std::uint64_t{data[i]} << (8 * i);
  return value;
}

void put_little_endian(std::uint64_t value, std::uint8_t* data, unsigned size) {
  for (unsigned i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// Part of one register that an access touches.
struct Slice {
  unsigned first;  ///< byte within the register
  unsigned size;
};

Slice slice_of(const RegisterBase& reg, std::uint64_t offset, unsigned size) {
  const auto first = static_cast<unsigned>(offset - reg.offset());
  return {first, std::min(size, reg.width() - first)};
}

}  // namespace

RegisterBase::RegisterBase(RegisterBank& bank, Place place, unsigned width) : place_(std::move(place)), width_(width) {
  bank.add(*this);
}

bool RegisterBase::collides(const RegisterBase& other) const {
  const bool apart = offset() + width_ <= other.offset() || other.offset() + other.width_ <= offset();
  const bool other_view = view() >= 0 && other.view() >= 0 && view() != other.view();
  const bool other_direction = !(readable() && other.readable()) && !(writable() && other.writable());
  return !apart && !other_view && !other_direction;
}

void RegisterBank::add(RegisterBase& reg) {
  for (const RegisterBase* other : registers_)
    if (reg.collides(*other)) throw std::logic_error("register " + reg.name() + " overlaps " + other->name());
  const auto place =
      std::upper_bound(registers_.begin(), registers_.end(), reg.offset(),
                       [](std::uint64_t offset, const RegisterBase* other) { return offset < other->offset(); });
  registers_.insert(place, &reg);
}

RegisterBase* RegisterBank::find(std::uint64_t offset, Direction direction, AccessResult& result) const {
  result = AccessResult::address_error;
  auto place = std::upper_bound(registers_.begin(), registers_.end(), offset,
                                [](std::uint64_t key, const RegisterBase* reg) { return key < reg->offset(); });
  while (place != registers_.begin()) {
    RegisterBase* reg = *--place;
    if (reg->offset() + kWidestRegister <= offset) break;
    if (reg->offset() + reg->width() <= offset || (reg->view() >= 0 && reg->view() != view_)) continue;
    if (direction == Direction::read ? reg->readable() : reg->writable()) return reg;
    result = AccessResult::command_error;
  }
  return nullptr;
}

AccessResult RegisterBank::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  AccessResult result = AccessResult::address_error;
  if (size < minimum_access_) return result;
  while (size > 0) {
    RegisterBase* reg = find(offset, Direction::read, result);
    if (reg == nullptr) return result;
    const Slice slice = slice_of(*reg, offset, size);
    put_little_endian(reg->load(now) >> (8 * slice.first), data, slice.size);
    offset += slice.size;
    data += slice.size;
    size -= slice.size;
  }
  return AccessResult::ok;
}

AccessResult RegisterBank::write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) {
  AccessResult result = AccessResult::address_error;
  if (size < minimum_access_) return result;
  while (size > 0) {
    RegisterBase* reg = find(offset, Direction::write, result);
    if (reg == nullptr) return result;
    const Slice slice = slice_of(*reg, offset, size);
    std::uint64_t value = get_little_endian(data, slice.size);
    if (slice.size < reg->width()) {
      const std::uint64_t mask = bytes_mask(slice.size) << (8 * slice.first);
      value = (reg->peek(now) & ~mask) | (value << (8 * slice.first));
    }
    reg->store(value, now);
    offset += slice.size;
    data += slice.size;
    size -= slice.size;
  }
  return AccessResult::ok;
}

unsigned RegisterBank::debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds now) const {
  unsigned done = 0;
  while (done < size) {
    AccessResult result = AccessResult::ok;
    const RegisterBase* reg = find(offset + done, Direction::read, result);
    if (reg == nullptr) break;
    const Slice slice = slice_of(*reg, offset + done, size - done);
    put_little_endian(reg->peek(now) >> (8 * slice.first), data + done, slice.size);
    done += slice.size;
  }
  return done;
}

void RegisterBank::reset() {
  view_ = 0;
  for (RegisterBase* reg : registers_) reg->reset();
}

std::string RegisterBank::describe(std::uint64_t offset) const {
  const auto distance = [offset](const RegisterBase& reg) {
    if (offset < reg.offset()) return reg.offset() - offset;
    return offset < reg.offset() + reg.width() ? 0 : offset - reg.offset() - reg.width() + 1;
  };
  const RegisterBase* nearest = nullptr;
  for (const RegisterBase* reg : registers_)
    if (nearest == nullptr || distance(*reg) < distance(*nearest)) nearest = reg;
  if (nearest == nullptr) return "";
  if (distance(*nearest) == 0) {
    // Several registers may share the address (views, directions): name all of them.
    std::string names;
    for (const RegisterBase* reg : registers_)
      if (distance(*reg) == 0) names += (names.empty() ? "" : "/") + reg->name();
    return names;
  }
  const bool after = offset > nearest->offset();
  const std::uint64_t bytes = after ? offset - nearest->offset() : nearest->offset() - offset;
  return counted(bytes, "byte") + (after ? " after " : " before ") + nearest->name();
}

}  // namespace vp
