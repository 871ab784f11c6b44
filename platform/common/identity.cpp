#include "platform/common/identity.h"

#include <elf.h>
#include <link.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace vp {

namespace {

std::string hexadecimal_digits(const std::uint8_t* bytes, std::size_t size) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

/// The build ID among the notes of a segment, "" without one.
std::string build_id_in(const std::uint8_t* notes, std::size_t size) {
  const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note, content = name + padded(note.n_namesz);
    if (content > size || note.n_descsz > size - content) return "";
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0)
      return hexadecimal_digits(notes + content, note.n_descsz);
    at = content + padded(note.n_descsz);
  }
  return "";
}

/// Called for the executable first; its segments lie where the dynamic linker says.
int look_at_object(dl_phdr_info* object, std::size_t, void* result) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the interface gives addresses as numbers
    const auto* notes = reinterpret_cast<const std::uint8_t*>(object->dlpi_addr + segment.p_vaddr);
    auto& id = *static_cast<std::string*>(result);
    if (id = build_id_in(notes, segment.p_memsz); !id.empty()) break;
  }
  return 1;  // no further objects
}

}  // namespace

std::string sha256(const std::string& bytes) {
  sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&state, digest.size(), digest.data());
  return hexadecimal_digits(digest.data(), digest.size());
}

std::string build_id() {
  std::string id;
  dl_iterate_phdr(look_at_object, &id);
  return id;
}

}  // namespace vp
