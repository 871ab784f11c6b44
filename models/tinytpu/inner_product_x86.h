#pragma once

#include <vector>

#include "models/tinytpu/inner_product.h"

namespace vp::tinytpu {

/// The inner products for this x86-64 processor, fastest for wide arrays first; none on others.
std::vector<InnerProductVariant> x86_inner_products();

}  // namespace vp::tinytpu
