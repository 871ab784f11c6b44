#include "models/tensil/fixed_point.h"

#include <algorithm>
#include <cmath>

namespace vp::tensil {
namespace {

template <unsigned kBytes>
void read_all(const std::uint8_t* bytes, std::int32_t* scalars, unsigned count, unsigned width) {
  const unsigned unused = 32 - width;
  for (unsigned i = 0; i < count; ++i, bytes += kBytes) {
    std::uint32_t bits = 0;
    for (unsigned b = 0; b < kBytes; ++b) bits |= std::uint32_t{bytes[b]} << (8 * b);
    scalars[i] = static_cast<std::int32_t>(bits << unused) >> unused;
  }
}

template <unsigned kBytes>
void write_all(const std::int32_t* scalars, std::uint8_t* bytes, unsigned count, unsigned width) {
  const std::uint32_t mask = ~std::uint32_t{0} >> (32 - width);
  for (unsigned i = 0; i < count; ++i, bytes += kBytes) {
    const std::uint32_t bits = static_cast<std::uint32_t>(scalars[i]) & mask;
    for (unsigned b = 0; b < kBytes; ++b) bytes[b] = static_cast<std::uint8_t>(bits >> (8 * b));
  }
}

}  // namespace

void add_all(const FixedPoint& format, std::int32_t* to, const std::int32_t* from, unsigned count) {
  if (format.width == 32) {
    for (unsigned i = 0; i < count; ++i) to[i] = add(format, to[i], from[i]);
    return;
  }
  // The sum of narrower ones fits, so that the compiler makes vectors of it.
  const std::int32_t most = format.maximum(), least = format.minimum();
  for (unsigned i = 0; i < count; ++i) to[i] = std::max(std::min(to[i] + from[i], most), least);
}

void read_scalars(const FixedPoint& format, const std::uint8_t* bytes, std::int32_t* scalars, unsigned count) {
  if (format.bytes == 1)
    read_all<1>(bytes, scalars, count, format.width);
  else if (format.bytes == 2)
    read_all<2>(bytes, scalars, count, format.width);
  else
    read_all<4>(bytes, scalars, count, format.width);
}

void write_scalars(const FixedPoint& format, const std::int32_t* scalars, std::uint8_t* bytes, unsigned count) {
  if (format.bytes == 1)
    write_all<1>(scalars, bytes, count, format.width);
  else if (format.bytes == 2)
    write_all<2>(scalars, bytes, count, format.width);
  else
    write_all<4>(scalars, bytes, count, format.width);
}

std::int32_t quantise(const FixedPoint& format, double value) {
  const double scaled = std::round(value * format.one());
  if (std::isnan(scaled)) return 0;
  if (scaled >= format.maximum()) return format.maximum();
  if (scaled <= format.minimum()) return format.minimum();
  return static_cast<std::int32_t>(scaled);
}

}  // namespace vp::tensil
