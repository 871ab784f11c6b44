#pragma once

#include "models/common/part.h"

namespace vp {

// Devices of the virtio specification over MMIO.

/// A disk.
const PartKind& virtio_blk_kind();
/// A source of random bytes.
const PartKind& virtio_rng_kind();

/// A console.
const PartKind& virtio_console_kind();

}  // namespace vp
