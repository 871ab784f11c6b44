#include "platform/report/systolic_gemm.h"

#include <stdexcept>

namespace vp {

namespace {
std::uint64_t folds(std::uint64_t size, std::uint64_t array) { return (size + array - 1) / array; }
}  // namespace

SystolicMapping map_gemm(const GemmShape& shape, Dataflow dataflow) {
  switch (dataflow) {
    case Dataflow::kOutputStationary:
      return {shape.vectors, shape.outputs, shape.inputs};
    case Dataflow::kWeightStationary:
      return {shape.inputs, shape.outputs, shape.vectors};
    case Dataflow::kInputStationary:
      return {shape.inputs, shape.vectors, shape.outputs};
  }
  throw std::logic_error("unknown dataflow");
}

std::uint64_t systolic_cycles_unlimited(const SystolicMapping& mapping) {
  return 2 * mapping.spatial_rows + mapping.spatial_columns + mapping.temporal - 2;
}

std::uint64_t systolic_cycles(const SystolicMapping& mapping, const ArrayShape& array) {
  const std::uint64_t fold = 2 * array.rows + array.columns + mapping.temporal - 2;
  return fold * folds(mapping.spatial_rows, array.rows) * folds(mapping.spatial_columns, array.columns);
}

double systolic_utilisation(const GemmShape& shape, Dataflow dataflow, const ArrayShape& array) {
  const double needed =
      static_cast<double>(shape.vectors) * static_cast<double>(shape.inputs) * static_cast<double>(shape.outputs);
  const double offered = static_cast<double>(systolic_cycles(map_gemm(shape, dataflow), array)) *
                         static_cast<double>(array.rows) * static_cast<double>(array.columns);
  return needed / offered;
}

}  // namespace vp
