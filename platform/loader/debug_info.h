#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vp {

/// What an unwinder sees of a stopped hart.
struct StoppedHart {
  std::uint64_t pc = 0;
  std::function<std::uint64_t(unsigned)> x;  ///< an integer register
  /// Eight bytes of memory at an address; false where there is none.
  std::function<bool(std::uint64_t, std::uint64_t&)> memory;
};

/// The debug information of a program (DWARF), for reports of how a run ended. A program without any, or with a damaged
/// one, has no lines and no callers; that is never an error. Reading it takes a while, so it is made when it is asked.
class DebugInfo {
 public:
  /// path: of the ELF file that was loaded.
  explicit DebugInfo(const std::string& path);
  ~DebugInfo();

  /// "digits.c:33", the file without its folders; empty if nothing is known of the address.
  std::string line(std::uint64_t address) const;
  /// Return addresses from the innermost caller outwards, by the call frame information; a few dozens at most.
  std::vector<std::uint64_t> callers(const StoppedHart& hart) const;

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace vp
