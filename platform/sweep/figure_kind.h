#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vp {

/// What a figure of a run's statistics says.
enum class FigureKind {
  simulated,  ///< what the simulation came to: the same in every run of one machine and program
  bound,      ///< holds other figures against what the machine could do at most
  setting,    ///< follows from the machine's settings alone: parameters, cost
  of_run      ///< of this one run: time and speed of the host, date, version
};

/// Of the figure of that path ("configuration.tpu.clock", "bus.cpu.dram0.bytes"), which is marked as volatile if it
/// differs from run to run.
FigureKind kind_of_figure(const std::string& path, const nlohmann::ordered_json& quantity);
/// repeats: it is not marked so.
FigureKind kind_of_figure(const std::string& path, bool repeats);

/// "simulated", "bound", "setting", "of_run".
const char* name_of(FigureKind kind);

}  // namespace vp
