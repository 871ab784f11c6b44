#pragma once

#include <map>
#include <set>
#include <vector>

#include "models/common/outline.h"
#include "models/cpu/debug.h"
#include "platform/gdb/target.h"
#include "platform/run/monitor.h"

namespace vp {

/// The machine's hart as a client of GDB's protocol sees it, by GDB's own numbers of registers.
class GdbTarget : public gdb::Target {
 public:
  GdbTarget(cpu::DebugTarget& hart, std::vector<gdb::TargetMemory> memory, Monitor& monitor);

  /// The kind of breakpoint that stands at this address, if one does.
  std::optional<gdb::BreakKind> break_at(std::uint64_t address) const;
  /// All are gone: nobody debugs any more.
  void forget_breaks() { breaks_.clear(); }

  unsigned xlen() const override { return hart_.xlen(); }
  const std::vector<gdb::TargetRegister>& registers() const override { return registers_; }
  std::optional<std::uint64_t> read_register(unsigned number) override;
  bool write_register(unsigned number, std::uint64_t value) override;
  std::size_t read_memory(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override {
    return hart_.read_memory(address, bytes, count);
  }
  std::size_t write_memory(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override {
    return hart_.write_memory(address, bytes, count);
  }
  bool insert_break(gdb::BreakKind kind, std::uint64_t address, std::uint64_t length) override;
  void remove_break(gdb::BreakKind kind, std::uint64_t address, std::uint64_t length) override;
  std::vector<gdb::TargetMemory> memory_map() const override { return memory_; }
  std::string thread_text() const override { return monitor_.hart_text(); }
  gdb::MonitorAnswer monitor(const std::string& command) override { return monitor_.run(command); }

 private:
  cpu::DebugTarget& hart_;
  const std::vector<gdb::TargetMemory> memory_;
  Monitor& monitor_;
  std::vector<gdb::TargetRegister> registers_;
  std::map<std::uint64_t, std::set<gdb::BreakKind>> breaks_;  // breakpoints of both kinds by address
};

}  // namespace vp
