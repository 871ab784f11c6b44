#include "platform/cli/disk_options.h"

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <vector>

#include "models/common/ends_with.h"
#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/cli/options.h"

namespace vp {

namespace po = boost::program_options;

namespace {

/// Places for disks on the bus, and the inputs of the interrupt controller that go with them.
constexpr std::uint64_t kFirstBase = 0x1000'8000, kWindow = 0x1000;
constexpr unsigned kFirstInterrupt = 16, kPlaces = 4;

constexpr const char* kReadOnly = ",ro";
constexpr const char* kWritten = ",rw";

struct WantedDisk {
  std::string file;
  const char* write = "overlay";
};

std::vector<WantedDisk> wanted_disks(const po::variables_map& values, const ShareImage* share) {
  std::vector<WantedDisk> disks;
  for (const std::string& text : values_of(values, "disk"))
    disks.push_back({file_of_disk(text), ends_with(text, kReadOnly)  ? "none"
                                         : writes_file_of_disk(text) ? "file"
                                                                     : "overlay"});
  if (share) disks.push_back({share->path()});
  return disks;
}

/// Whether nobody is at that place.
bool is_free(const Outline& machine, unsigned place) {
  const std::uint64_t base = kFirstBase + place * kWindow;
  const auto overlaps = [base](const Outline::Window& one) {
    return one.window.base < base + kWindow && base <= one.window.last();
  };
  const auto connected = [place](const Outline::Interrupt& line) {
    return line.wire.number == kFirstInterrupt + place;
  };
  return std::none_of(machine.windows.begin(), machine.windows.end(), overlaps) &&
         std::none_of(machine.interrupts.begin(), machine.interrupts.end(), connected);
}

}  // namespace

void add_disk_options(po::options_description& options) {
  auto add = options.add_options();
  add("disk", po::value<std::vector<std::string>>()->value_name("FILE[,ro|,rw]"),
      "a virtio disk of this raw image; what the guest writes is forgotten at the end of the run, or refused (ro), or "
      "goes to the file (rw); may be repeated");
  add("share", po::value<std::string>()->value_name("DIR"),
      "a virtio disk with a copy of this folder (ext4, label 'share'), made when the run begins; what the guest "
      "changes "
      "is not written back");
}

void check_disk_options(const po::variables_map& values, bool runs_program_of_cpu) {
  for (const char* name : {"disk", "share"})
    if (values.count(name) && !runs_program_of_cpu)
      throw UserError("run: --" + std::string(name) + " is for programs of the CPU");
  for (const std::string& text : values_of(values, "disk"))
    if (file_of_disk(text).empty()) throw UserError("--disk: " + quoted(text) + " names no file");
  if (values.count("share") && values.count("dump-config"))
    throw UserError(
        "run: --share and --dump-config exclude each other: the folder's image is gone after the run, and a "
        "configuration could not name it");
}

std::unique_ptr<ShareImage> make_share_image(const po::variables_map& values) {
  return values.count("share") ? std::make_unique<ShareImage>(value_of(values, "share")) : nullptr;
}

std::string file_of_disk(const std::string& text) {
  for (const std::string end : {kReadOnly, kWritten})
    if (ends_with(text, end)) return text.substr(0, text.size() - end.size());
  return text;
}

bool writes_file_of_disk(const std::string& text) { return ends_with(text, kWritten); }

void add_disks(const po::variables_map& values, const ShareImage* share, MachineSources& sources) {
  const std::vector<WantedDisk> disks = wanted_disks(values, share);
  if (disks.empty()) return;
  const MachineSettings machine(sources);
  const Outline outline = machine.outline();
  std::vector<std::string> added;
  unsigned place = 0, number = 0;
  for (const WantedDisk& disk : disks) {
    while (place < kPlaces && !is_free(outline, place)) ++place;
    if (place == kPlaces)
      throw UserError("the machine has no more room for a disk of --disk or --share: four places on the bus, from " +
                      hexadecimal(kFirstBase) + " on, with interrupts 16 to 19, are all it has");
    while (machine.find("blk" + std::to_string(number))) ++number;
    const std::string part = "blk" + std::to_string(number++);
    added.insert(added.end(), {part + ".kind=virtio-blk", part + ".base=" + hexadecimal(kFirstBase + place * kWindow),
                               part + ".interrupt=" + std::to_string(kFirstInterrupt + place),
                               part + ".file=" + disk.file, part + ".write=" + disk.write});
    ++place;
  }
  sources.assignments.insert(sources.assignments.begin(), added.begin(), added.end());
}

}  // namespace vp
