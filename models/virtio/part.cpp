#include "models/virtio/part.h"

#include "models/virtio/block.h"
#include "models/virtio/entropy.h"
#include "models/virtio/virtio_part.h"

namespace vp {
namespace {

using VirtioBlockPart = VirtioPart<virtio::Block, virtio::BlockConfig>;
using VirtioEntropyPart = VirtioPart<virtio::Entropy, virtio::EntropyConfig>;

class VirtioBlockSettings : public VirtioSettings<virtio::BlockConfig, VirtioBlockPart> {
 public:
  explicit VirtioBlockSettings(std::string name) : VirtioSettings(std::move(name), "disk") {}
};

class VirtioEntropySettings : public VirtioSettings<virtio::EntropyConfig, VirtioEntropyPart> {
 public:
  explicit VirtioEntropySettings(std::string name) : VirtioSettings(std::move(name), "entropy source") {}
};

}  // namespace

const PartKind& virtio_blk_kind() {
  static const PartKind kind{"virtio-blk", "disk: virtio over MMIO, a raw image or zeros",
                             make_settings<VirtioBlockSettings>};
  return kind;
}

const PartKind& virtio_rng_kind() {
  static const PartKind kind{"virtio-rng", "source of random bytes: virtio over MMIO",
                             make_settings<VirtioEntropySettings>};
  return kind;
}

}  // namespace vp
