#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/bus/bus.h"
#include "models/common/origin.h"
#include "models/common/outline.h"
#include "platform/loader/symbol_table.h"

namespace vp {

/// The window of a part that a machine's description leaves out.
struct LeftOutWindow {
  std::string part;
  BusWindow window;
};

/// Names what accesses are about for a person, in logs, reports and sentences: who made them, where they went, why they
/// were refused. Keeps references.
class AccessText {
 public:
  AccessText(const Outline& machine, std::vector<LeftOutWindow> left_out, const Bus& bus, const SymbolTable& symbols)
      : machine_(machine), left_out_(std::move(left_out)), bus_(bus), symbols_(symbols) {}

  /// "0x80000012 (main+0x12)", without symbol where none covers the address.
  std::string place(std::uint64_t pc) const;
  bool has_symbol(std::uint64_t pc) const { return !symbols_.describe(pc).empty(); }
  /// Who is behind an access: "cpu at pc 0x80000012 (main+0x12)"; "traffic0"; of a transfer that a store started:
  /// "cdma, started at pc 0x80000012 (main+0x12)".
  std::string origin(const std::string& master, std::uint64_t pc) const;
  std::string origin(const Origin& origin) const;
  /// Nearest device and register, or the device that would be there: "clint, MTIME", "in the window of tpu, which is
  /// left out: tpu.present is false".
  std::string address(std::uint64_t address) const;
  /// "; a read of 1 byte was refused: it is too narrow, 4 bytes at least" if that is the address of the latest bad
  /// access and a device refused it.
  std::string refusal(std::uint64_t address) const;
  /// A bad access in a sentence of its own.
  std::string bad_access(const BadAccess& access) const;

 private:
  bool is_processor(const std::string& master) const;
  std::string refusal(const BadAccess& access) const;

  const Outline& machine_;
  const std::vector<LeftOutWindow> left_out_;
  const Bus& bus_;
  const SymbolTable& symbols_;
};

}  // namespace vp
