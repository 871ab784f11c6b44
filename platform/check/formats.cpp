#include "platform/check/formats.h"

namespace vp {

const std::vector<GoldenFormat>& golden_formats() {
  static const std::vector<GoldenFormat> formats = {};
  return formats;
}

}  // namespace vp
