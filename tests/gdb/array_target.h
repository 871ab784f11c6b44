#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "platform/gdb/target.h"

namespace vp::gdb {

/// A hart without a machine: registers in an array, 256 bytes of memory at 0x1000.
class ArrayTarget : public Target {
 public:
  static constexpr std::uint64_t kBase = 0x1000;
  static constexpr unsigned kReadOnlyCsr = 65 + 0xf14;

  ArrayTarget() {
    for (unsigned i = 0; i < 33; ++i)
      list_.push_back({i, i == 32 ? "pc" : "x" + std::to_string(i), 64, "org.gnu.gdb.riscv.cpu", "", ""});
    list_.push_back({65 + 0x300, "mstatus", 64, "org.gnu.gdb.riscv.csr", "", "csr"});
    list_.push_back({kReadOnlyCsr, "mhartid", 64, "org.gnu.gdb.riscv.csr", "", "csr"});
  }

  unsigned xlen() const override { return 64; }
  const std::vector<TargetRegister>& registers() const override { return list_; }
  std::optional<std::uint64_t> read_register(unsigned number) override {
    return number < values.size() ? std::optional(values[number]) : std::nullopt;
  }
  bool write_register(unsigned number, std::uint64_t value) override {
    if (number >= values.size() || number == kReadOnlyCsr) return false;
    values[number] = value;
    return true;
  }
  std::size_t read_memory(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override {
    const std::size_t here = inside(address, count);
    if (here != 0) std::memcpy(bytes, memory.data() + (address - kBase), here);
    return here;
  }
  std::size_t write_memory(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override {
    const std::size_t here = inside(address, count);
    if (here != 0) std::memcpy(memory.data() + (address - kBase), bytes, here);
    return here;
  }
  bool insert_break(BreakKind kind, std::uint64_t address, std::uint64_t length) override {
    return address != 0 && breaks.insert({kind, address, length}).second;
  }
  void remove_break(BreakKind kind, std::uint64_t address, std::uint64_t length) override {
    breaks.erase({kind, address, length});
  }
  std::vector<TargetMemory> memory_map() const override { return {{kBase, 256, false}, {0, 0x100, true}}; }
  std::string thread_text() const override { return "runs"; }
  MonitorAnswer monitor(const std::string& command) override {
    return {command == "reset" ? "" : "you said " + command + "\n", command == "reset"};
  }

  std::array<std::uint64_t, 65 + 4096> values{};
  std::array<std::uint8_t, 256> memory{};
  std::set<std::tuple<BreakKind, std::uint64_t, std::uint64_t>> breaks;

 private:
  static std::size_t inside(std::uint64_t address, std::size_t count) {
    if (address < kBase || address - kBase >= 256) return 0;
    return std::min<std::size_t>(count, 256 - (address - kBase));
  }
  std::vector<TargetRegister> list_;
};

}  // namespace vp::gdb
