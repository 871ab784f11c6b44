#pragma once

#include "models/common/part.h"

namespace vp {

/// Software and timer interrupts of the CPU, and its real-time counter.
const PartKind& clint_kind();
/// An interrupt controller for devices.
const PartKind& plic_kind();

}  // namespace vp
