#pragma once

#include <cstdint>
#include <string>

#include "models/common/axi_port_config.h"
#include "models/common/console_config.h"

namespace vp::virtio {

/// What every device has: the port by which it reaches the queues and buffers in memory.
struct PortConfig : AxiPortConfig {
  PortConfig() { max_burst = 256; }

  unsigned outstanding = 4;   ///< bursts under way on each of the two channels
  unsigned queue_size = 256;  ///< QueueNumMax: entries that a queue may have, a power of two

  void declare(const ParameterGroup& group);
  /// Throws UserError, naming `part` ("blk0").
  void check(const std::string& part) const;
};

/// Where a device's data comes from or goes to: what a request takes beside its bytes' time over the bus.
struct MediumConfig {
  Picoseconds latency = 0;      ///< of a request
  std::uint64_t bandwidth = 0;  ///< bytes a second; 0: no limit

  void declare(const ParameterGroup& group);
};

/// What becomes of what the guest writes to its disk.
enum class DiskWrites {
  overlay,  ///< it is kept in memory until the run ends; the file stays as it is
  file,     ///< it goes to the file
  none,     ///< there are no writes: the disk is read-only
};

struct BlockConfig : PortConfig {
  BlockConfig() {
    medium.latency = 50'000'000;
    medium.bandwidth = 500'000'000;
  }

  std::string file;                        ///< raw image; empty: a disk of zeros
  DiskWrites write = DiskWrites::overlay;  ///< with a file: whether it may be written
  std::uint64_t size = 64 << 20;           ///< of a disk without a file, in bytes
  std::string serial = "tinytpu-vp-disk";  ///< what the ID request tells, 20 bytes at most
  MediumConfig medium;

  void declare(const ParameterGroup& group);
  void check(const std::string& part) const;
};

enum class EntropySource {
  seed,  ///< a generator: every run has the same bytes
  host,  ///< the host's own random bytes: no run can be repeated
};

struct EntropyConfig : PortConfig {
  EntropySource source = EntropySource::seed;
  std::uint64_t seed = 1;
  MediumConfig medium;

  void declare(const ParameterGroup& group);
};

struct TerminalConfig : PortConfig {
  TerminalConfig() {
    console.input.clear();  // one console of a machine has the standard streams
    console.output.clear();
  }

  ConsoleConfig console;

  void declare(const ParameterGroup& group);
  void check(const std::string& part) const;
};

}  // namespace vp::virtio
