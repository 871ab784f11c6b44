#include "platform/workload/layer_table.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <vector>

namespace vp::workload {
namespace {

constexpr std::size_t kLongestName = 24;

using Row = std::vector<std::string>;

/// Digits that carry information, with the unit that reads best: "12.3 ms".
std::string with_unit(double value, const std::vector<std::pair<double, const char*>>& units) {
  auto unit = units.begin();
  while (unit + 1 != units.end() && value < unit->first) ++unit;
  std::ostringstream text;
  const double scaled = value / unit->first;
  text << std::fixed
       << std::setprecision(scaled >= 99.95 || scaled == 0 ? 0
                            : scaled >= 9.995              ? 1
                                                           : 2)
       << scaled << ' ' << unit->second;
  return text.str();
}

std::string time_text(double seconds) {
  return with_unit(seconds, {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}});
}

std::string bytes_text(std::uint64_t bytes) {
  return with_unit(static_cast<double>(bytes), {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}});
}

std::string percent_text(double percent) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(percent >= 9.995 ? 1 : 2) << percent;
  return text.str();
}

Row work_cells(const WorkFigures& work) {
  return {std::to_string(work.useful_macs),
          std::to_string(work.cycles),
          percent_text(work.useful_utilisation),
          percent_text(work.mapped_utilisation),
          time_text(work.compute_time),
          bytes_text(work.moved_bytes),
          bytes_text(work.im2col_bytes),
          time_text(work.movement_time),
          time_text(work.time),
          work.bound};
}

Row layer_row(const LayerFigures& layer) {
  const std::string& name = layer.layer;
  Row row = {name.size() > kLongestName ? name.substr(0, kLongestName - 3) + "..." : name,
             std::to_string(layer.vectors) + (layer.repeats > 1 ? " x" + std::to_string(layer.repeats) : ""),
             std::to_string(layer.inputs), std::to_string(layer.outputs)};
  for (std::string& cell : work_cells(layer.work)) row.push_back(std::move(cell));
  return row;
}

}  // namespace

void print_layer_table(const WorkloadFigures& figures, std::ostream& out) {
  std::vector<Row> rows = {{"layer", "M", "K", "N", "MACs", "cycles", "useful/%", "mapped/%", "compute", "moved",
                            "im2col", "movement", "total", "bound by"}};
  for (const auto& [group, layer] : figures.layers.layers) rows.push_back(layer_row(layer));
  Row total = {"total", "", "", ""};
  for (std::string& cell : work_cells(figures.total)) total.push_back(std::move(cell));
  rows.push_back(std::move(total));
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool text = i == 0 || i + 1 == row.size();
      if (i != 0) out << "  ";
      if (text && i != 0)
        out << row[i];
      else
        out << (text ? std::left : std::right) << std::setw(static_cast<int>(widths[i])) << row[i];
    }
    out << '\n';
  }
}

}  // namespace vp::workload
