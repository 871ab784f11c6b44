#include "platform/check/formats.h"

#include "platform/check/matmul_golden.h"

namespace vp {

const std::vector<GoldenFormat>& golden_formats() {
  static const std::vector<GoldenFormat> formats = {matmul_golden_format()};
  return formats;
}

}  // namespace vp
