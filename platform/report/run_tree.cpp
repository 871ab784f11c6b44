#include "platform/report/run_tree.h"

#include "models/common/figures.h"

namespace vp {

RunTree::~RunTree() = default;

void write_figures(const RunTree& figures, Statistics& into) { write_figures<RunTree>(figures, into); }

}  // namespace vp
