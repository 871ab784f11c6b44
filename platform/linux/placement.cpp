#include "platform/linux/placement.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "models/common/bus_window.h"
#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/linux/kernel_image.h"

namespace vp::linux_boot {

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
/// Kernels map the device tree by a page of this size before they know of memory.
constexpr std::uint64_t kTreeSlot = 2 * kMiB;
/// Of the slot: what is handed to the firmware beside the tree, which the firmware may enlarge.
constexpr std::uint64_t kInfoOffset = kTreeSlot - 4096;
/// To where OpenSBI's generic fw_jump, which is told nothing, copies the device tree, from the start of memory
/// (FW_JUMP_FDT_ADDR of OpenSBI's platform/generic/objects.mk), and as far as an initrd leaves room for it.
constexpr std::uint64_t kJumpTreeOffset = 34 * kMiB, kInitrdOffset = 36 * kMiB;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

std::string mebibytes(std::uint64_t bytes) { return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB"; }

/// struct fw_dynamic_info of OpenSBI's include/sbi/fw_dynamic.h, in words of the hart's width.
std::string dynamic_info(unsigned xlen, std::uint64_t kernel) {
  constexpr std::uint64_t kInfoMagic = 0x4942'534F, kVersion = 2, kSupervisor = 1, kOptions = 0, kHart = 0;
  std::string bytes;
  for (const std::uint64_t word : {kInfoMagic, kVersion, kernel, kSupervisor, kOptions, kHart})
    for (unsigned i = 0; i < xlen / 8; ++i) bytes.push_back(static_cast<char>(word >> (8 * i)));
  return bytes;
}

/// Whether firmware compares what it is given with the magic number of fw_dynamic: the instruction that loads the
/// number's upper part (lui) is in it.
bool takes_dynamic_info(ElfProgram& firmware) {
  constexpr std::uint32_t kLuiOfMagic = 0x4942'5037, kWithoutRegister = 0xFFFF'F07F;
  for (ElfProgram::Segment& segment : firmware.segments) {
    const std::string bytes = segment.bytes.all();
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 2) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if ((word & kWithoutRegister) == kLuiOfMagic) return true;
    }
  }
  return false;
}

/// Puts the pieces into one memory and says which do not fit.
class Placement {
 public:
  Placement(BootFiles files, const LoadableRange& memory, unsigned xlen)
      : files_(std::move(files)), memory_(memory), xlen_(xlen) {}

  ElfProgram operator()(DeviceTreeNode tree) {
    place_firmware();
    place_kernel();
    const std::uint64_t slot = tree_slot();
    place_initrd(slot, tree);
    place_tree(slot, tree);
    program_.xlen = xlen_;
    program_.path = files_.kernel.path;
    return std::move(program_);
  }

 private:
  /// With zeros up to `memory_size` bytes, if that is more than there are.
  void add(std::uint64_t address, StoredBytes bytes, std::uint64_t memory_size = 0) {
    const std::uint64_t size = std::max<std::uint64_t>(bytes.size(), memory_size);
    program_.segments.push_back({address, size, std::move(bytes), 0});
  }

  void place_firmware() {
    BootFiles::File& file = files_.firmware;
    if (file.content.first(4) ==
        "\x7f"
        "ELF") {
      program_ = parse_elf(file.content.all(), file.path);
      if (program_.xlen != xlen_)
        throw UserError("the firmware " + vp::quoted(file.path) + " has " + std::to_string(program_.xlen) +
                        " bits, but the CPU has " + std::to_string(xlen_));
      fit_segments(program_, {memory_}, file.path);
      program_.symbols = SymbolTable();  // the kernel's are wanted, whose addresses are others
      program_.read_only.clear();
    } else {
      if (file.content.empty()) throw UserError("the firmware " + vp::quoted(file.path) + " is empty");
      program_.entry = memory_.base;
      add(memory_.base, std::move(file.content));
    }
    is_dynamic_ = takes_dynamic_info(program_);
    for (const ElfProgram::Segment& one : program_.segments)
      firmware_end_ = std::max(firmware_end_, one.address + one.memory_size);
  }

  void place_kernel() {
    const std::string name = "the kernel " + vp::quoted(files_.kernel.path);
    const KernelImage image = parse_kernel_image(files_.kernel.content, files_.kernel.path);
    const std::uint64_t needed = image.text_offset + image.memory_size + kTreeSlot;
    if (needed > memory_.size)
      throw UserError(name + " needs " + mebibytes(needed) + " from the start of memory on, but " + memory_.name +
                      " has " + mebibytes(memory_.size) + ": give it more with --set " + memory_.name + ".size=BYTES");
    kernel_ = memory_.base + image.text_offset;
    kernel_end_ = kernel_ + image.memory_size;
    if (firmware_end_ > kernel_)
      throw UserError("the firmware " + vp::quoted(files_.firmware.path) + " reaches up to " +
                      hexadecimal(firmware_end_) + " and so into " + name + ", which begins at " +
                      hexadecimal(kernel_));
    if (!is_dynamic_ && kernel_end_ > memory_.base + kJumpTreeOffset)
      throw UserError(name + " reaches up to " + hexadecimal(kernel_end_) + ", but the firmware " +
                      vp::quoted(files_.firmware.path) + " would copy the device tree to " +
                      hexadecimal(memory_.base + kJumpTreeOffset) + " as OpenSBI's fw_jump does: take fw_dynamic");
    add(kernel_, std::move(files_.kernel.content), image.memory_size);
  }

  std::uint64_t tree_slot() const { return (memory_.base + memory_.size - kTreeSlot) / kTreeSlot * kTreeSlot; }

  void place_initrd(std::uint64_t limit, DeviceTreeNode& tree) {
    const BootFiles::File& file = files_.initrd;
    if (file.path.empty()) {
      if (kernel_end_ > limit) too_small("the kernel " + vp::quoted(files_.kernel.path), kernel_end_);
      return;
    }
    if (file.content.empty()) throw UserError("the initrd " + vp::quoted(file.path) + " is empty");
    const std::uint64_t start = std::max(round_up(kernel_end_, kTreeSlot), memory_.base + kInitrdOffset);
    if (start > limit || file.content.size() > limit - start)
      too_small("the initrd " + vp::quoted(file.path) + " behind the kernel", start + file.content.size());
    chosen(tree).set("linux,initrd-start", start).set("linux,initrd-end", start + file.content.size());
    add(start, std::move(files_.initrd.content));
  }

  [[noreturn]] void too_small(const std::string& what, std::uint64_t end) const {
    throw UserError(what + " needs " + mebibytes(end - memory_.base + 2 * kTreeSlot) + " of memory, but " +
                    memory_.name + " has " + mebibytes(memory_.size) + ": give it more with --set " + memory_.name +
                    ".size=BYTES");
  }

  static DeviceTreeNode& chosen(DeviceTreeNode& tree) {
    for (DeviceTreeNode& node : tree.children)
      if (node.name == "chosen") return node;
    return tree.add(DeviceTreeNode("chosen")).children.back();
  }

  void place_tree(std::uint64_t slot, DeviceTreeNode& tree) {
    chosen(tree).set("rng-seed", seed());
    const std::vector<std::uint8_t> blob = flatten(tree);
    if (blob.size() > kInfoOffset / 2)
      throw UserError("the device tree has " + std::to_string(blob.size()) + " bytes, more than Linux takes");
    add(slot, std::string(blob.begin(), blob.end()));
    add(slot + kInfoOffset, dynamic_info(xlen_, kernel_));
    program_.device_tree = slot;
    program_.argument = slot + kInfoOffset;
  }

  /// Random numbers for the kernel's generator, which so needs no other source to begin with: always the same ones, so
  /// that runs are the same.
  static std::vector<std::uint32_t> seed() {
    std::vector<std::uint32_t> cells;
    for (std::uint32_t i = 1; i <= 16; ++i) cells.push_back(i * 0x9E37'79B9u);
    return cells;
  }

  BootFiles files_;  ///< whose contents go into the program
  const LoadableRange& memory_;
  const unsigned xlen_;
  ElfProgram program_;
  std::uint64_t firmware_end_ = 0, kernel_ = 0, kernel_end_ = 0;
  bool is_dynamic_ = false;
};

}  // namespace

BootFiles read_boot_files(const std::string& kernel, const std::string& initrd, const std::string& firmware) {
  BootFiles files;
  files.firmware.path = firmware.empty() ? kDebianFirmware : firmware;
  std::error_code error;
  if (firmware.empty() && !std::filesystem::exists(kDebianFirmware, error))
    throw UserError(std::string("there is no ") + kDebianFirmware +
                    ": install Debian's package opensbi, or name another firmware with --firmware FILE");
  files.kernel = {kernel, StoredBytes::of_file(kernel)};
  if (!initrd.empty()) files.initrd = {initrd, StoredBytes::of_file(initrd)};
  files.firmware.content = StoredBytes::of_file(files.firmware.path);
  return files;
}

ElfProgram place(BootFiles files, const LoadableRange& memory, unsigned xlen, DeviceTreeNode tree) {
  return Placement(std::move(files), memory, xlen)(std::move(tree));
}

}  // namespace vp::linux_boot
