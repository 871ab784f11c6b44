#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/virtio/device.h"
#include "models/virtio/disk.h"
#include "models/virtio/figures.h"
#include "models/virtio/medium.h"

namespace vp::virtio {

/// A disk (section 5.2): reads, writes, flushes, its serial number, one request at a time. A request has its whole
/// time: the medium's latency, then bytes at the medium's bandwidth and over the bus, whichever is slower.
class Block : public Device {
 public:
  enum class Type : std::uint32_t { in = 0, out = 1, flush = 4, get_id = 8 };
  enum class Outcome : std::uint8_t { ok = 0, io_error = 1, unsupported = 2 };
  // Features.
  static constexpr std::uint32_t kSegmentsMax = 1 << 2, kReadOnly = 1 << 5, kBlockSize = 1 << 6, kFlush = 1 << 9;

  /// Throws UserError if the image cannot be used.
  explicit Block(const BlockConfig& config);

  std::uint32_t id() const override { return 2; }
  std::uint32_t features() const override;
  void begin(Queue& queue, Picoseconds now) override;
  void moved(Queue& queue, Picoseconds now) override;
  void drop(unsigned queue) override;

  BlockFigures figures() const;
  void report(Statistics& group) const override;
  std::vector<Finding> findings() const override;
  std::uint64_t bytes() const override { return done_.read_bytes + done_.written_bytes; }
  void persist(Archive& archive) override;

 private:
  enum class Step : std::uint8_t { header, in, out, id, status, last = status };

  void take_header(Queue& queue, Picoseconds now);
  void read_more(Queue& queue, Picoseconds now);
  void written_more(Queue& queue, Picoseconds now);
  void fetch_more(Queue& queue, Picoseconds now);
  bool inside(std::uint64_t sector, std::uint64_t bytes);
  void send_id(Queue& queue);
  void end(Queue& queue, Outcome outcome, Picoseconds not_before);

  const std::string serial_;
  Disk disk_;
  Medium medium_;

  Step step_ = Step::header;
  std::uint64_t position_ = 0;  // on the disk, of what comes next
  std::uint64_t left_ = 0;      // bytes of the request
  std::uint32_t moving_ = 0;    // of these, in the buffer or on the way there
  BlockFigures done_;

  Register<std::uint64_t> capacity_;
  Register<std::uint32_t> size_max_{
      registers, {"size_max", kConfig + 8, "bytes of a buffer: not limited", RegisterMode::read_only}};
  Register<std::uint32_t> seg_max_;
  Register<std::uint32_t> geometry_{registers, {"geometry", kConfig + 16, "not known", RegisterMode::read_only}};
  Register<std::uint32_t> blk_size_{
      registers, {"blk_size", kConfig + 20, "bytes of a sector", RegisterMode::read_only}, Disk::kSector};
};

}  // namespace vp::virtio
