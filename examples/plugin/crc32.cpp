// A kind of part of one's own: a unit that computes the CRC-32 of the bytes written to it, a clock cycle a byte.
//
//   tinytpu-vp --plugin crc32.so run --set crc.kind=crc32 --set crc.base=0x30000000 --set crc.clock=200MHz PROGRAM.elf
#include <systemc>

#include "models/common/archive.h"
#include "models/common/device_tree.h"
#include "models/common/plugin.h"
#include "models/common/register_bank.h"
#include "models/common/site.h"
#include "models/common/statistics.h"
#include "models/common/tlm_target.h"

namespace {

constexpr std::uint64_t kWindow = 0x1000;
constexpr unsigned kPortBytes = 4;

/// The unit in its machine: a window of registers on the bus.
class Crc32 : public vp::Part, private vp::TargetModel {
 public:
  Crc32(vp::Picoseconds clock, vp::Site& site) : Part(site.name()), clock_(clock), module_(name().c_str(), *this) {
    data_.on_write = [this](std::uint32_t word, vp::Picoseconds& now) {
      now += clock_;
      add(word & 0xFF);
    };
    start_.on_write = [this](std::uint32_t, vp::Picoseconds&) { sum_ = kStart; };
    crc_.on_read = [this](vp::Picoseconds&) { return ~sum_; };
    crc_.on_peek = [this](vp::Picoseconds) { return ~sum_; };
    site.add_window(name(), module_.socket);
  }

  void reset() override { sum_ = kStart; }
  void report(vp::Statistics& root) const override {
    root.group(name(), "CRC unit").add("bytes", bytes_, "B", "bytes it took");
  }
  const vp::RegisterBank* registers() const override { return &bank_; }
  void persist(vp::Archive& archive) override { archive("sum", sum_)("bytes", bytes_)("socket", module_.socket); }

 private:
  struct Module : sc_core::sc_module {
    Module(sc_core::sc_module_name name, TargetModel& model)
        : sc_module(name), socket("socket", model, {kWindow, kPortBytes}) {}
    vp::TlmTarget socket;
  };

  static constexpr std::uint32_t kStart = 0xFFFFFFFF;

  void add(std::uint32_t byte) {
    sum_ ^= byte;
    for (int bit = 0; bit < 8; ++bit) sum_ = sum_ >> 1 ^ (sum_ & 1 ? 0xEDB88320 : 0);
    ++bytes_;
  }
  vp::AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, vp::Picoseconds& now) override {
    return bank_.read(offset, data, size, now);
  }
  vp::AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, vp::Picoseconds& now) override {
    return bank_.write(offset, data, size, now);
  }

  const vp::Picoseconds clock_;
  std::uint32_t sum_ = kStart;
  std::uint64_t bytes_ = 0;
  vp::RegisterBank bank_{kPortBytes};
  vp::Register<std::uint32_t> data_{bank_, {"DATA", 0, "next byte, bits 7:0", vp::RegisterMode::write_only}};
  vp::Register<std::uint32_t> start_{bank_, {"START", 4, "any value starts afresh", vp::RegisterMode::write_only}};
  vp::Register<std::uint32_t> crc_{bank_, {"CRC", 8, "of the bytes since the start", vp::RegisterMode::read_only}};
  Module module_;
};

/// What a user sets of it: where it is, and its clock.
class Crc32Settings : public vp::PartSettings {
 public:
  using PartSettings::PartSettings;

  void declare(const vp::ParameterGroup& group) override {
    vp::declare_base(group, base_);
    group.clock("clock", clock_, "clock of the unit, period or frequency");
  }
  void outline(vp::Outline& outline) const override { outline.windows.push_back({name(), {name(), base_, kWindow}}); }
  void describe(vp::DeviceTree& tree) const override {
    tree.add_device(name(), {"crc32", base_, kWindow, {"example,crc32"}, {}, {}});
  }
  std::unique_ptr<vp::Part> build(vp::Site& site) const override { return std::make_unique<Crc32>(clock_, site); }

 private:
  std::uint64_t base_ = vp::kNoBase;
  vp::Picoseconds clock_ = 10'000;
};

const vp::PartKind kCrc32{"crc32", "CRC-32 of the bytes written to it", vp::make_settings<Crc32Settings>};

}  // namespace

VP_PLUGIN(&kCrc32)
