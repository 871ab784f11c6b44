#pragma once

#include <cstdint>

#include "models/cpu/float/format.h"

// Operations of IEEE 754-2019, exact in result and flags, in integers only: the same on every host. Bits: std::uint32_t
// or std::uint64_t.
namespace vp::ieee754 {

template <typename Bits>
Bits add(Bits a, Bits b, Environment& environment);
template <typename Bits>
Bits subtract(Bits a, Bits b, Environment& environment);
template <typename Bits>
Bits multiply(Bits a, Bits b, Environment& environment);
template <typename Bits>
Bits divide(Bits a, Bits b, Environment& environment);
template <typename Bits>
Bits square_root(Bits a, Environment& environment);
/// a × b + c, rounded once. Infinity times zero is invalid whatever c is.
template <typename Bits>
Bits multiply_add(Bits a, Bits b, Bits c, Environment& environment);

/// minimumNumber and maximumNumber: a NaN beside a number is left out, −0 is less than +0.
template <typename Bits>
Bits minimum(Bits a, Bits b, Environment& environment);
template <typename Bits>
Bits maximum(Bits a, Bits b, Environment& environment);

/// False if one is a NaN. equal() is quiet; the others raise invalid for any NaN.
template <typename Bits>
bool equal(Bits a, Bits b, Environment& environment);
template <typename Bits>
bool less(Bits a, Bits b, Environment& environment);
template <typename Bits>
bool less_or_equal(Bits a, Bits b, Environment& environment);

/// What fclass says: one bit of ten (unprivileged manual, table 11.5).
template <typename Bits>
unsigned classify(Bits a);

}  // namespace vp::ieee754
