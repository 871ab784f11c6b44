#include "platform/check/formats.h"

#include "platform/check/dram_golden.h"
#include "platform/check/drra_golden.h"
#include "platform/check/matmul_golden.h"
#include "platform/check/tensil_golden.h"
#include "platform/check/tinytpu_golden.h"

namespace vp {

const std::vector<GoldenFormat>& golden_formats() {
  static const std::vector<GoldenFormat> formats = {
      tinytpu_golden_format(), tinytpu_mnist_format(), tinytpu_axi_format(), matmul_golden_format(),
      dram_golden_format(),    drra_golden_format(),   drra_dpu_format(),    tensil_golden_format(),
  };
  return formats;
}

}  // namespace vp
