#include "models/virtio/config.h"

#include "models/common/error.h"
#include "models/common/wording.h"

namespace vp::virtio {
namespace {

constexpr unsigned kSector = 512;    // bytes
constexpr std::size_t kSerial = 20;  // bytes of the ID request (VIRTIO_BLK_ID_BYTES)
constexpr std::uint64_t kLargestDisk = std::uint64_t{1} << 40;

}  // namespace

void PortConfig::declare(const ParameterGroup& group) {
  declare_port(group, "its memory port");
  group.integer("outstanding", outstanding, 1, 64, "bursts", "under way at a time on each of its two channels");
  group.integer("queue_size", queue_size, 2, 1024, "entries", "that one of its queues may have, a power of two");
}

void PortConfig::check(const std::string& part) const {
  AxiPortConfig::check(part);
  require_power_of_two(part, "queue_size", queue_size);
}

void MediumConfig::declare(const ParameterGroup& group) {
  group.time("latency", latency, 0, 10'000'000'000'000, "of a request, beside the time of its bytes");
  group.integer("bandwidth", bandwidth, 0, 1'000'000'000'000, "bytes/s",
                "of the device itself, beside the bus; 0: no limit of its own");
}

void BlockConfig::declare(const ParameterGroup& group) {
  PortConfig::declare(group);
  group.text("file", file, "raw image of the disk; empty: a disk of zeros");
  group.effective([this] { return !file.empty(); }, group.full("file") + " is empty")
      .choice("write", write,
              {{"overlay", DiskWrites::overlay}, {"file", DiskWrites::file}, {"none", DiskWrites::none}},
              "where the guest's writes go: to memory, with the file as it was; to the file; or the disk is read-only");
  group.effective([this] { return file.empty(); }, group.full("file") + " says how large the disk is")
      .integer("size", size, kSector, kLargestDisk, "bytes", "of a disk without a file, a multiple of 512");
  group.text("serial", serial, "serial number of the disk, 20 bytes at most");
  medium.declare(group);
}

void BlockConfig::check(const std::string& part) const {
  PortConfig::check(part);
  if (serial.size() > kSerial)
    throw UserError(part + ": serial " + quoted(serial) + " has more than " + std::to_string(kSerial) + " bytes.");
  if (file.empty() && size % kSector != 0)
    throw UserError(part + ": size " + std::to_string(size) + " is no multiple of " + std::to_string(kSector) + ".");
}

void EntropyConfig::declare(const ParameterGroup& group) {
  PortConfig::declare(group);
  group.choice("source", source, {{"seed", EntropySource::seed}, {"host", EntropySource::host}},
               "of its bytes: a generator, the same in every run, or the host's own randomness");
  group.effective([this] { return source == EntropySource::seed; }, group.full("source") + " is host")
      .integer("seed", seed, 0, ~std::uint64_t{0}, "", "of the generator");
  medium.declare(group);
}

void TerminalConfig::declare(const ParameterGroup& group) {
  console.declare(group);
  PortConfig::declare(group);
}

void TerminalConfig::check(const std::string& part) const {
  PortConfig::check(part);
  console.check(part);
}

}  // namespace vp::virtio
