#include "models/common/archive.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "models/common/error.h"

// Layout: magic, format, length, checksum, then the members in the order of the lists. A member is its name, then its
// value; a value begins with a tag, so that a list that does not fit is noticed at once. Numbers are little-endian, as
// on every host we run on.

namespace vp {
namespace {

constexpr char kMagic[] = "tinytpu-vp state";
constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kMagicSize = sizeof kMagic - 1;
constexpr std::size_t kHeader = Archive::kHeader;
static_assert(kHeader == kMagicSize + sizeof kFormat + 2 * sizeof(std::uint64_t));
constexpr std::size_t kPage = 4096;
constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

constexpr char kTrue = 'T', kFalse = 'F', kObject = '{', kObjectEnd = '}', kText = 's', kCount = '#', kBlock = 'b',
               kPages = 'p';
constexpr char kNumbers[] = {'n', 'i', 'd'};  // by Kind

/// FNV-1a over words of 8 bytes: finds damage, not malice.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  std::size_t i = 0;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 29;
  };
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], sizeof word);
    mix(word);
  }
  for (; i < bytes.size(); ++i) mix(static_cast<std::uint8_t>(bytes[i]));
  return hash;
}

std::uint64_t natural(const void* value, std::size_t size) {
  std::uint64_t number = 0;
  std::memcpy(&number, value, size);
  return number;
}

std::int64_t integer(const void* value, std::size_t size) {
  const unsigned unused = static_cast<unsigned>(64 - 8 * size);
  return static_cast<std::int64_t>(natural(value, size) << unused) >> unused;
}

double real(const void* value, std::size_t size) {
  double wide = 0;
  float narrow = 0;
  std::memcpy(size == sizeof narrow ? static_cast<void*>(&narrow) : &wide, value, size);
  return size == sizeof narrow ? static_cast<double>(narrow) : wide;
}

bool all_zero(const std::uint8_t* data, std::size_t size) {
  return size == 0 || (data[0] == 0 && std::memcmp(data, data + 1, size - 1) == 0);
}

}  // namespace

Archive::Archive() : use_(Use::save) { bytes_.resize(kHeader); }

Archive::Archive(Use use, const std::string& state) : use_(use), state_(state) {
  if (state.compare(0, kMagicSize, kMagic) != 0) throw UserError("this is no saved state of tinytpu-vp");
  if (state.size() < kHeader) throw UserError("the saved state is truncated within its first bytes");
  position_ = kMagicSize;
  const auto format = take_value<std::uint32_t>();
  const auto length = take_value<std::uint64_t>();
  const auto sum = take_value<std::uint64_t>();
  if (format != kFormat)
    throw UserError("the saved state has format " + std::to_string(format) + ", this program reads format " +
                    std::to_string(kFormat));
  if (length != state.size() - kHeader)
    throw UserError("the saved state is not whole: " + std::to_string(state.size() - kHeader) + " bytes of " +
                    std::to_string(length) + " are there");
  if (sum != checksum(state_.substr(kHeader))) throw UserError("the saved state is damaged: its checksum is wrong");
}

std::string Archive::finish() {
  seal(bytes_);
  return std::move(bytes_);
}

void Archive::seal(std::string& state) {
  const std::uint64_t length = state.size() - kHeader;
  const std::uint64_t sum = checksum(std::string_view(state).substr(kHeader));
  std::size_t at = 0;
  const auto write = [&](const void* data, std::size_t size) {
    std::memcpy(&state[at], data, size);
    at += size;
  };
  write(kMagic, kMagicSize);
  write(&kFormat, sizeof kFormat);
  write(&length, sizeof length);
  write(&sum, sizeof sum);
}

void Archive::expect_end() const {
  if (position_ != state_.size()) throw UserError("the saved state does not fit this machine: something is left over");
}

void Archive::require(bool condition, const char* name, const char* complaint) const {
  if (condition || !loading()) return;
  std::string where = path();
  if (*name != '\0') where += (where.empty() ? "" : ".") + std::string(name);
  throw UserError("the saved state does not fit this machine: " + where + " " + complaint);
}

// ---- where we are

std::string Archive::path() const {
  std::string path;
  for (const Frame& frame : frames_) {
    if (frame.name == nullptr)
      path += "[" + std::to_string(frame.index) + "]";
    else if (*frame.name != '\0')
      path += (path.empty() ? "" : ".") + std::string(frame.name);
  }
  return path;
}

void Archive::fail(const std::string& what) const {
  throw UserError("the saved state does not fit this machine: at " + path() + " it " + what);
}

void Archive::differs(const std::string& live, const std::string& saved) {
  difference_ = path() + ": " + live + ", saved " + saved;
  finished_ = true;
}

const std::uint8_t* Archive::take(std::size_t size) {
  if (size > state_.size() - position_) fail("ends");
  const auto* data = reinterpret_cast<const std::uint8_t*>(state_.data()) + position_;
  position_ += size;
  return data;
}

template <typename T>
T Archive::take_value() {
  T value;
  std::memcpy(&value, take(sizeof value), sizeof value);
  return value;
}

void Archive::take_tag(char tag) {
  const char found = take_value<char>();
  if (found != tag) fail("holds another kind of value");
}

void Archive::enter(const char* name) {
  frames_.push_back({name, 0});
  if (finished_) return;
  const std::size_t length = std::strlen(name);
  if (saving()) {
    put_value(static_cast<std::uint8_t>(length));
    put(name, length);
    return;
  }
  const std::size_t stored = take_value<std::uint8_t>();
  const std::string found(reinterpret_cast<const char*>(take(stored)), stored);
  if (found == name) return;
  if (loading()) fail("has another member");
  differs("a member of another name", "'" + found + "'");
}

// ---- values

void Archive::begin_object(unsigned version) {
  if (saving()) {
    put_value(kObject);
    put_value(static_cast<std::uint8_t>(version));
  } else {
    take_tag(kObject);
    const unsigned stored = take_value<std::uint8_t>();
    if (stored == 0 || stored > version)
      fail("has version " + std::to_string(stored) + ", this program knows up to " + std::to_string(version));
    version = stored;
  }
  versions_.push_back(version);
}

void Archive::end_object() {
  versions_.pop_back();
  if (finished_) return;
  if (saving())
    put_value(kObjectEnd);
  else
    take_tag(kObjectEnd);
}

void Archive::visit_bool(bool& value) {
  if (saving()) return put_value(value ? kTrue : kFalse);
  const char found = take_value<char>();
  if (found != kTrue && found != kFalse) fail("holds another kind of value");
  const bool saved = found == kTrue;
  if (loading())
    value = saved;
  else if (value != saved)
    differs(value ? "true" : "false", saved ? "true" : "false");
}

void Archive::number(void* value, std::size_t size, Kind kind) {
  const char tag = kNumbers[static_cast<std::size_t>(kind)];
  if (saving()) {
    put_value(tag);
    put_value(static_cast<std::uint8_t>(size));
    put(value, size);
    return;
  }
  take_tag(tag);
  if (take_value<std::uint8_t>() != size) fail("holds a number of another size");
  const std::uint8_t* saved = take(size);
  if (loading()) {
    std::memcpy(value, saved, size);
  } else if (std::memcmp(value, saved, size) != 0) {
    const auto text = [&](const void* number) {
      if (kind == Kind::real) return std::to_string(real(number, size));
      return kind == Kind::integer ? std::to_string(integer(number, size)) : std::to_string(natural(number, size));
    };
    differs(text(value), text(saved));
  }
}

std::size_t Archive::count(std::size_t size, std::size_t least) {
  if (saving()) {
    put_value(kCount);
    put_value(std::uint64_t{size});
    return size;
  }
  take_tag(kCount);
  const auto stored = take_value<std::uint64_t>();
  if (stored > (state_.size() - position_) / least) fail("ends");
  if (!loading() && stored != size) differs(std::to_string(size) + " elements", std::to_string(stored));
  return loading() ? static_cast<std::size_t>(stored) : size;
}

void Archive::visit_other(std::string& value) {
  const std::size_t size = count(value.size(), 1);
  if (finished_) return;
  if (saving()) return put(value.data(), size);
  const std::string saved(reinterpret_cast<const char*>(take(size)), size);
  if (loading())
    value = saved;
  else if (value != saved)
    differs("'" + value + "'", "'" + saved + "'");
}

void Archive::block(void* values, std::size_t element_size, std::size_t n) {
  if (finished_) return;
  const std::size_t size = element_size * n;
  if (saving()) {
    put_value(kBlock);
    put_value(std::uint64_t{size});
    put(values, size);
    return;
  }
  take_tag(kBlock);
  if (take_value<std::uint64_t>() != size) fail("holds another number of elements");
  const std::uint8_t* saved = take(size);
  const auto* live = static_cast<const std::uint8_t*>(values);
  if (size == 0) return;
  if (loading()) {
    std::memcpy(values, saved, size);
  } else if (std::memcmp(live, saved, size) != 0) {
    const auto at = static_cast<std::size_t>(std::mismatch(live, live + size, saved).first - live) / element_size;
    frames_.push_back({nullptr, at});
    differs(std::to_string(natural(live + at * element_size, element_size)),
            std::to_string(natural(saved + at * element_size, element_size)));
    frames_.pop_back();
  }
}

template <typename Engine>
void Archive::visit_engine(Engine& engine) {
  std::ostringstream text;
  text << engine;
  std::string numbers = text.str();
  visit_other(numbers);
  if (!loading()) return;
  std::istringstream in(numbers);
  in >> engine;
  if (in.fail()) fail("holds no state of a random number engine");
}

void Archive::visit_other(std::minstd_rand& engine) { visit_engine(engine); }
void Archive::visit_other(std::mt19937& engine) { visit_engine(engine); }
void Archive::visit_other(std::mt19937_64& engine) { visit_engine(engine); }

// ---- large memories

Archive& Archive::sparse(const char* name, std::uint8_t* data, std::uint64_t size) {
  enter(name);
  if (!finished_) {
    std::uint64_t stored = size;
    number(&stored, sizeof stored, Kind::natural);
    require(stored == size, "", "has another size in this machine");
    if (saving())
      save_pages(data, size);
    else if (!finished_)
      load_pages(data, size);
  }
  frames_.pop_back();
  return *this;
}

void Archive::save_pages(const std::uint8_t* data, std::uint64_t size) {
  put_value(kPages);
  for (std::uint64_t offset = 0; offset < size; offset += kPage) {
    const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(kPage, size - offset));
    if (all_zero(data + offset, length)) continue;
    put_value(offset / kPage);
    put(data + offset, length);
  }
  put_value(kNoPage);
}

/// Loads or compares: pages come in rising order, those between them are zero.
void Archive::load_pages(std::uint8_t* data, std::uint64_t size) {
  static const std::array<std::uint8_t, kPage> kZeros{};
  take_tag(kPages);
  const std::uint64_t pages = (size + kPage - 1) / kPage;
  for (std::uint64_t page = 0;;) {
    const auto next = take_value<std::uint64_t>();
    if (next != kNoPage && (next < page || next >= pages)) fail("has a page out of order");
    for (; page < std::min(next, pages) && !finished_; ++page) take_page(data, page, kZeros.data(), size);
    if (next == kNoPage || finished_) return;
    const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(kPage, size - next * kPage));
    take_page(data, page++, take(length), size);
  }
}

void Archive::take_page(std::uint8_t* data, std::uint64_t page, const std::uint8_t* saved, std::uint64_t size) {
  std::uint8_t* live = data + page * kPage;
  const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(kPage, size - page * kPage));
  if (std::memcmp(live, saved, length) == 0) return;
  if (loading()) {
    std::memcpy(live, saved, length);
    return;
  }
  const auto at = static_cast<std::size_t>(std::mismatch(live, live + length, saved).first - live);
  frames_.push_back({nullptr, static_cast<std::size_t>(page * kPage + at)});
  differs(std::to_string(live[at]), std::to_string(saved[at]));
  frames_.pop_back();
}

}  // namespace vp
