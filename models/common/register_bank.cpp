#include "models/common/register_bank.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "models/common/archive.h"
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

template <unsigned kSize>
void put_little_endian(std::uint64_t value, std::uint8_t* data) {
  for (unsigned i = 0; i < kSize; ++i) data[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// Loops of a known length become a single store.
void put_little_endian(std::uint64_t value, std::uint8_t* data, unsigned size) {
  switch (size) {
    case 1:
      return put_little_endian<1>(value, data);
    case 4:
      return put_little_endian<4>(value, data);
    case 8:
      return put_little_endian<8>(value, data);
    default:
      for (unsigned i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

/// Part of one register that an access touches.
struct Slice {
  unsigned first;  ///< byte within the register
  unsigned size;
};

/// Of the register of this width at `base`.
Slice slice_of(std::uint64_t base, unsigned width, std::uint64_t offset, unsigned size) {
  const auto first = static_cast<unsigned>(offset - base);
  return {first, std::min(size, width - first)};
}

/// Both can be reached at one address, given that their bytes meet.
bool share_view_and_direction(const RegisterBase& one, const RegisterBase& other) {
  const bool apart = one.view() >= 0 && other.view() >= 0 && one.view() != other.view();
  return !apart && ((one.readable() && other.readable()) || (one.writable() && other.writable()));
}

}  // namespace

void append_fields(const RegisterBase& reg, std::uint64_t value, std::uint64_t mask, std::string& text) {
  const char* separator = "";
  for (const FieldPlace& field : reg.fields()) {
    if ((field.mask() & ~mask) != 0) continue;
    const std::uint64_t bits = field.of(value);
    const auto named = std::find_if(field.values.begin(), field.values.end(),
                                    [bits](const ValueName& name) { return name.value == bits; });
    if (bits == 0 && named == field.values.end()) continue;
    text.append(separator).append(field.name).append("=");
    named != field.values.end() ? text.append(named->name) : text.append(std::to_string(bits));
    separator = " ";
  }
}

std::string RegisterListing::text() const {
  std::ostringstream out;
  out << name() << " 0x" << std::hex << value;
  std::string fields;
  append_fields(*reg, value, ~std::uint64_t{0}, fields);
  return out.str() + (fields.empty() ? "" : ": " + fields);
}

// ---- declaration

void RegisterBank::refuse_overlap(const Entry& entry) const {
  const std::uint64_t from = entry.offset < kWidestRegister ? 0 : entry.offset - kWidestRegister + 1;
  auto other = std::lower_bound(entries_.begin(), entries_.end(), from,
                                [](const Entry& e, std::uint64_t offset) { return e.offset < offset; });
  for (; other != entries_.end() && other->offset < entry.offset + entry.reg->width(); ++other)
    if (other->offset + other->reg->width() > entry.offset && share_view_and_direction(*entry.reg, *other->reg))
      throw std::logic_error("register " + entry.reg->name(entry.index) + " overlaps " +
                             other->reg->name(other->index));
}

void RegisterBank::add(RegisterBase& reg) {
  if (reg.extent().stride < reg.width()) throw std::logic_error("the elements of register " + reg.name() + " overlap");
  std::vector<Entry> added;
  for (unsigned i = 0; i < reg.extent().count; ++i)
    refuse_overlap(added.emplace_back(Entry{reg.offset(i), &reg, i, reg.width(), reg.view()}));
  const auto middle = entries_.insert(entries_.end(), added.begin(), added.end());
  std::inplace_merge(entries_.begin(), middle, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.offset < b.offset; });
  recent_ = {};  // they have moved
  const auto place =
      std::upper_bound(registers_.begin(), registers_.end(), reg.offset(),
                       [](std::uint64_t offset, const RegisterBase* other) { return offset < other->offset(); });
  registers_.insert(place, &reg);
}

void RegisterBank::add_region(MemoryRegion region) {
  const auto place =
      std::upper_bound(regions_.begin(), regions_.end(), region.offset,
                       [](std::uint64_t offset, const MemoryRegion& other) { return offset < other.offset; });
  const bool meets_next = place != regions_.end() && region.offset + region.size > place->offset;
  const bool meets_previous =
      place != regions_.begin() && std::prev(place)->offset + std::prev(place)->size > region.offset;
  if (meets_next || meets_previous) throw std::logic_error("memory region " + region.name + " overlaps another");
  regions_.insert(place, std::move(region));
}

// ---- accesses

const RegisterBank::Entry* RegisterBank::find(std::uint64_t offset, Direction direction, AccessResult& result) const {
  result = AccessResult::address_error;
  auto place = std::upper_bound(entries_.begin(), entries_.end(), offset,
                                [](std::uint64_t key, const Entry& entry) { return key < entry.offset; });
  while (place != entries_.begin()) {
    const Entry& entry = *--place;
    if (entry.offset + kWidestRegister <= offset) break;
    const RegisterBase& reg = *entry.reg;
    if (entry.offset + reg.width() <= offset || (reg.view() >= 0 && reg.view() != view_)) continue;
    if (direction == Direction::read ? reg.readable() : reg.writable()) return &entry;
    result = AccessResult::command_error;
  }
  return nullptr;
}

/// No two registers can be reached at one address in one view and direction, so one that can be is the one.
const RegisterBank::Entry* RegisterBank::meet(std::uint64_t offset, Direction direction, AccessResult& result) {
  const Entry*& recent = recent_[static_cast<std::size_t>(direction)][(offset ^ offset >> 2) % Recent().size()];
  if (recent != nullptr && offset - recent->offset < recent->width && (recent->view < 0 || recent->view == view_))
    return recent;
  const Entry* const entry = find(offset, direction, result);
  if (entry != nullptr) recent = entry;
  return entry;
}

std::optional<RegisterPlace> RegisterBank::place(std::uint64_t offset, bool write) const {
  AccessResult result = AccessResult::ok;
  for (const Direction direction :
       {write ? Direction::write : Direction::read, write ? Direction::read : Direction::write})
    if (const Entry* const entry = find(offset, direction, result))
      return RegisterPlace{entry->reg, entry->index, static_cast<unsigned>(offset - entry->offset)};
  return std::nullopt;
}

const MemoryRegion* RegisterBank::region(std::uint64_t offset) const {
  for (const MemoryRegion& one : regions_)
    if (offset >= one.offset && offset - one.offset < one.size) return &one;
  return nullptr;
}

AccessResult RegisterBank::read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) {
  AccessResult result = AccessResult::address_error;
  if (size < minimum_access_) return result;
  while (size > 0) {
    const Entry* const entry = meet(offset, Direction::read, result);
    if (entry == nullptr) return result;
    if (entry->offset == offset && entry->width >= size) {  // nearly always
      put_little_endian(entry->reg->load(entry->index, now), data, size);
      break;
    }
    const Slice slice = slice_of(entry->offset, entry->width, offset, size);
    put_little_endian(entry->reg->load(entry->index, now) >> (8 * slice.first), data, slice.size);
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
    const Entry* entry = meet(offset, Direction::write, result);
    if (entry == nullptr) return result;
    RegisterBase& reg = *entry->reg;
    const Slice slice = slice_of(entry->offset, entry->width, offset, size);
    std::uint64_t value = get_little_endian(data, slice.size);
    if (slice.size < entry->width) {
      const std::uint64_t mask = bytes_mask(slice.size) << (8 * slice.first);
      const std::uint64_t others = reg.peek(entry->index, now) & ~reg.write_1_to_clear();
      value = (others & ~mask) | (value << (8 * slice.first));
    }
    reg.store(entry->index, value, now);
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
    const Entry* entry = find(offset + done, Direction::read, result);
    if (entry == nullptr) break;
    const Slice slice = slice_of(entry->offset, entry->width, offset + done, size - done);
    put_little_endian(entry->reg->peek(entry->index, now) >> (8 * slice.first), data + done, slice.size);
    done += slice.size;
  }
  return done;
}

void RegisterBank::reset() {
  view_ = 0;
  for (const Entry& entry : entries_)
    if (entry.index == 0) entry.reg->reset();
}

void RegisterBank::persist(Archive& archive) {
  for (const Entry& entry : entries_) {
    std::uint64_t value = entry.reg->stored(entry.index);
    archive(entry.reg->name().c_str(), value);
    if (archive.loading()) entry.reg->restore(entry.index, value);
  }
  archive("view", view_);
}

// ---- listing

std::vector<RegisterListing> RegisterBank::list(Picoseconds now) const {
  std::vector<RegisterListing> listing;
  for (const Entry& entry : entries_) listing.push_back({entry.reg, entry.index, entry.reg->peek(entry.index, now)});
  return listing;
}

std::optional<RegisterListing> RegisterBank::find(const std::string& name, Picoseconds now) const {
  for (const Entry& entry : entries_)
    if (entry.reg->name(entry.index) == name)
      return RegisterListing{entry.reg, entry.index, entry.reg->peek(entry.index, now)};
  return std::nullopt;
}

std::string RegisterBank::refusal(std::uint64_t offset, unsigned size, bool write) const {
  if (size < minimum_access_) return "it is too narrow, " + counted(minimum_access_, "byte") + " at least";
  // A port cuts such an access at its words, and the pieces are too narrow.
  if (offset % minimum_access_ != 0) return "it is not aligned";
  for (unsigned byte = 0; byte < size; ++byte) {
    AccessResult result = AccessResult::ok;
    if (find(offset + byte, write ? Direction::write : Direction::read, result) != nullptr) continue;
    return result != AccessResult::command_error
               ? ""
               : describe(offset + byte) + (write ? " cannot be written" : " cannot be read");
  }
  return "";
}

std::string RegisterBank::describe(std::uint64_t offset) const {
  const auto distance = [offset](const Entry& entry) {
    const std::uint64_t end = entry.offset + entry.reg->width();
    if (offset < entry.offset) return entry.offset - offset;
    return offset < end ? 0 : offset - end + 1;
  };
  const Entry* nearest = nullptr;
  for (const Entry& entry : entries_)
    if (nearest == nullptr || distance(entry) < distance(*nearest)) nearest = &entry;
  if (nearest != nullptr && distance(*nearest) == 0) {
    // Several registers may share the address (views, directions): name all of them.
    std::string names;
    for (const Entry& entry : entries_)
      if (distance(entry) == 0) names += (names.empty() ? "" : "/") + entry.reg->name(entry.index);
    return names;
  }
  if (const MemoryRegion* const around = region(offset)) return around->name;
  if (nearest == nullptr) return "";
  const bool after = offset > nearest->offset;
  const std::uint64_t bytes = after ? offset - nearest->offset : nearest->offset - offset;
  return counted(bytes, "byte") + (after ? " after " : " before ") + nearest->reg->name(nearest->index);
}

}  // namespace vp
