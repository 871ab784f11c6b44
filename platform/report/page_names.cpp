#include "platform/report/page_names.h"

#include <algorithm>

#include "models/common/hit_figures.h"
#include "models/common/time_account.h"
#include "models/drra/figures.h"
#include "models/tensil/layer_figures.h"
#include "models/tinytpu/figures.h"
#include "platform/report/run_tree.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

/// Each path once, in this order.
Json unique(const std::vector<std::string>& paths) {
  Json list = Json::array();
  for (const std::string& path : paths)
    if (std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
  return list;
}

Json simulated_time_paths() {
  return unique({figure_path(&RunTree::machine_run, &MachineRunFigures::simulated_time),
                 figure_path(&RunTree::program_run, &ProgramRunFigures::simulated_time),
                 figure_path(&RunTree::workload_run, &WorkloadRunFigures::simulated_time),
                 figure_path(&RunTree::script_run, &ScriptRunFigures::simulated_time),
                 figure_path(&RunTree::serial_run, &SerialRunFigures::simulated_time)});
}

Json compute_names() {
  return {{"peak", figure_path(&ComputeFigures::peak_macs_per_second)},
          {"mapped", figure_path(&ComputeFigures::mapped_macs_per_second)},
          {"mappedOfPeak", figure_path(&ComputeFigures::mapped_of_peak)},
          {"useful", figure_path(&ComputeFigures::useful_macs_per_second)},
          {"usefulOfPeak", figure_path(&ComputeFigures::useful_of_peak)},
          {"efficiency", figure_path(&ComputeFigures::mapping_efficiency)},
          {"minimumCycles", figure_path(&ComputeFigures::minimum_cycles)},
          {"cycles", figure_path(&ComputeFigures::cycles)},
          {"cyclesOfMinimum", figure_path(&ComputeFigures::cycles_of_minimum)}};
}

Json link_names() {
  return {{"peak", figure_path(&LinkFigures::peak_bandwidth)},
          {"bytes", figure_path(&LinkFigures::bytes)},
          {"reached", figure_path(&LinkFigures::reached_bandwidth)},
          {"ofPeak", figure_path(&LinkFigures::of_peak)},
          {"intensity", figure_path(&LinkFigures::intensity)}};
}

Json mover_names() {
  return {{"peak", figure_path(&MoverFigures::peak_bandwidth)},
          {"bytes", figure_path(&MoverFigures::bytes)},
          {"reached", figure_path(&MoverFigures::reached_bandwidth)},
          {"ofPeak", figure_path(&MoverFigures::of_peak)},
          {"busyTime", figure_path(&MoverFigures::busy_time)},
          {"shareOfRun", figure_path(&MoverFigures::share_of_run)}};
}

Json account_names() {
  return {{"busy", time_account::kBusy},          {"idle", time_account::kIdle},
          {"total", time_account::kTotal},        {"stall", time_account::kStall},
          {"causes", time_account::kStallCauses}, {"causePrefix", time_account::kStallPrefix},
          {"waiting", time_account::kWaiting}};
}

Json fabric_names() {
  using Cell = drra::CellFigures;
  return {{"cycles", figure_path(&drra::RunFigures::cycles)},
          {"cell", drra::kCellGroup},
          {"instructions", figure_path(&Cell::instructions)},
          {"waiting", figure_path(&Cell::waiting)},
          {"dpu", figure_path(&Cell::dpu_busy)},
          {"ports",
           {figure_path(&Cell::w0), figure_path(&Cell::w1), figure_path(&Cell::r0), figure_path(&Cell::r1),
            figure_path(&Cell::block_write), figure_path(&Cell::block_read)}},
          {"columns", "columns"}};
}

Json region_names() {
  return {{"group", figure_path(&RunTree::regions)},
          {"time", figure_path(&RegionFigures::simulated_time)},
          {"entered", figure_path(&RegionFigures::first_entered)},
          {"entries", figure_path(&RegionFigures::entries)},
          {"instructions", figure_path(&RegionFigures::instructions)}};
}

Json provenance_names() {
  return {{"group", figure_path(&RunTree::provenance)},
          {"commandLine", figure_path(&RunTree::provenance, &ProvenanceFigures::command_line)},
          {"version", figure_path(&RunTree::provenance, &ProvenanceFigures::version)},
          {"date", figure_path(&RunTree::provenance, &ProvenanceFigures::date)}};
}

Json layer_names() {
  return {{"name", figure_path(&LayerFigures::layer)},
          {"vectors", figure_path(&LayerFigures::vectors)},
          {"inputs", figure_path(&LayerFigures::inputs)},
          {"outputs", figure_path(&LayerFigures::outputs)},
          {"repeats", figure_path(&LayerFigures::repeats)},
          {"cycles", figure_path(&WorkFigures::cycles)},
          {"usefulMacs", figure_path(&WorkFigures::useful_macs)},
          {"mappingEfficiency", figure_path(&WorkFigures::mapping_efficiency)},
          {"useful", figure_path(&WorkFigures::useful_utilisation)},
          {"mapped", figure_path(&WorkFigures::mapped_utilisation)},
          {"moved", figure_path(&WorkFigures::moved_bytes)},
          {"im2col", figure_path(&WorkFigures::im2col_bytes)},
          {"time", figure_path(&WorkFigures::time)},
          {"ofPeak", figure_path(&WorkFigures::useful_of_peak)},
          {"bound", figure_path(&WorkFigures::bound)}};
}

/// Of a network on a Tensil TCU.
Json tcu_layer_names() {
  using Layer = tensil::LayerFigures;
  Json parts = Json::array();
  for (const char* const part : tensil::CyclesAtFigures::kNames)
    parts.push_back(figure_path(&Layer::cycles_at) + "." + part);
  return {{"group", tensil::kLayersGroup},
          {"cycles", figure_path(&Layer::cycles)},
          {"instructions", figure_path(&Layer::instructions)},
          {"usefulMacs", figure_path(&Layer::useful_multiply_accumulates)},
          {"bytes",
           {figure_path(&Layer::dram0_bytes_read), figure_path(&Layer::dram0_bytes_written),
            figure_path(&Layer::dram1_bytes_read), figure_path(&Layer::dram1_bytes_written)}},
          {"bound", figure_path(&Layer::bound)},
          {"parts", parts}};
}

/// What the time of a layer is made of.
Json layer_parts() {
  return {figure_path(&WorkFigures::compute_time), figure_path(&WorkFigures::weights_time),
          figure_path(&WorkFigures::activations_time), figure_path(&WorkFigures::results_time),
          figure_path(&WorkFigures::synchronize_time)};
}

/// Collects the names of the figures that a struct always has.
class RequiredFigures {
 public:
  template <typename Value>
  void figure(const std::string& name, const Value&, const std::string&, const std::string&,
              Repeats = Repeats::always) {
    names_.push_back(name);
  }
  template <typename Value>
  void figure(const std::string&, const std::optional<Value>&, const std::string&, const std::string&,
              Repeats = Repeats::always) {}
  template <typename Group>
  void group(const std::string&, const std::string&, const Group&) {}

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

bool has(const Json& group, const char* kind, const std::string& name) {
  return group.contains(kind) && group.at(kind).contains(name);
}

template <typename Figures>
void add_missing(const Json& group, const std::string& path, std::vector<std::string>& missing) {
  RequiredFigures required;
  Figures().list(required);
  for (const std::string& name : required.names())
    if (!has(group, "values", name)) missing.push_back(path + "." + name);
}

/// The same for each group inside the group of this name.
template <typename Figures>
void add_missing_of_parts(const Json& ideal, const std::string& path, const std::string& name,
                          std::vector<std::string>& missing) {
  if (!has(ideal, "groups", name) || !ideal.at("groups").at(name).contains("groups")) return;
  for (const auto& [part, group] : ideal.at("groups").at(name).at("groups").items())
    add_missing<Figures>(group, path + "." + name + "." + part, missing);
}

}  // namespace

Json page_names() {
  const std::string configuration = kConfigurationGroup;
  const std::string ideal = figure_path(&RunTree::ideal);
  return {
      {"configuration", configuration},
      {"fidelity", unique({figure_path(&RunTree::fidelity, &FidelityFigures::modes),
                           figure_path(&RunTree::alone, &AloneFigures::fidelity), configuration + ".fidelity"})},
      {"simulatedTime", simulated_time_paths()},
      {"cycles", unique({figure_path(&RunTree::program_run, &ProgramRunFigures::cycles),
                         figure_path(&RunTree::workload_run, &WorkloadRunFigures::cycles),
                         figure_path(&RunTree::script_run, &ScriptRunFigures::cycles)})},
      {"timePerVector", figure_path(&RunTree::program_run, &ProgramRunFigures::time_per_vector)},
      {"hazards", figure_path(&tinytpu::CoreFigures::hazards)},
      {"instructions", figure_path(&RunTree::machine_run, &MachineRunFigures::instructions)},
      {"ideal", ideal},
      {"bound",
       {{"by", figure_path(&RunTree::bound, &BoundFigures::by)},
        {"share", figure_path(&RunTree::bound, &BoundFigures::share)}}},
      {"region", region_names()},
      {"provenance", provenance_names()},
      {"units", figure_path(&RunTree::ideal, &IdealFigures::units)},
      {"links", figure_path(&RunTree::ideal, &IdealFigures::links)},
      {"movers", figure_path(&RunTree::ideal, &IdealFigures::movers)},
      {"workload", figure_path(&RunTree::workload)},
      {"layers", figure_path(&WorkloadFigures::layers)},
      {"layer", layer_names()},
      {"layerParts", layer_parts()},
      {"tcuLayer", tcu_layer_names()},
      {"movementError", figure_path(&WorkloadFigures::movement_error)},
      {"workloadPeak", figure_path(&WorkloadFigures::peak_macs_per_second)},
      {"workloadBandwidth", figure_path(&WorkloadFigures::port_bandwidth)},
      {"compute", compute_names()},
      {"link", link_names()},
      {"mover", mover_names()},
      {"account", account_names()},
      {"fabric", fabric_names()},
      {"more", {time_account::kBusy, hit_figures::kHits, hit_figures::kReadHits, hit_figures::kWriteHits}},
      {"less", {figure_path(&ComputeFigures::cycles_of_minimum), figure_path(&MoverFigures::share_of_run)}},
  };
}

std::vector<std::string> missing_figures(const Json& tree) {
  std::vector<std::string> missing;
  const auto value_at = [&tree](const std::string& path) {
    const std::size_t dot = path.find('.');
    return has(tree, "groups", path.substr(0, dot)) &&
           has(tree.at("groups").at(path.substr(0, dot)), "values", path.substr(dot + 1));
  };
  for (const Json& path : simulated_time_paths())
    if (!value_at(path)) missing.push_back(path);
  const std::string ideal = figure_path(&RunTree::ideal);
  if (!has(tree, "groups", ideal)) return missing;
  const Json& group = tree.at("groups").at(ideal);
  if (group.contains("values")) add_missing<ComputeFigures>(group, ideal, missing);
  add_missing_of_parts<ComputeFigures>(group, ideal, figure_path(&IdealFigures::units), missing);
  add_missing_of_parts<LinkFigures>(group, ideal, figure_path(&IdealFigures::links), missing);
  add_missing_of_parts<MoverFigures>(group, ideal, figure_path(&IdealFigures::movers), missing);
  return missing;
}

}  // namespace vp
