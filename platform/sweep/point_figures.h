#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vp {

/// A figure of a run's statistics. Its value is no object and no array.
struct Figure {
  std::string path;  ///< "bus.cpu.dram0.bytes"
  nlohmann::ordered_json value;
  std::string unit;
  std::string description;  ///< of kEndFigure only, whose description is the sentence of how the run ended
  bool repeats = true;      ///< the same in every run of one machine and program
};

/// How the run ended; its value is a word.
inline constexpr const char* kEndFigure = "run.end";

/// The figures of one run in the order of its file.
using Figures = std::vector<Figure>;

/// The one of that path, nullptr if there is none.
const Figure* find_figure(const Figures& figures, const std::string& path);

/// What the file of a finished point holds of its run.
struct PointFigures {
  Figures figures;
  nlohmann::ordered_json wall_seconds;  ///< null if the file does not tell
};

// Both read their text in one go and make no tree of it, which for the many figures of a machine would be most of what
// a point costs the sweep.

/// Of the file that a run writes; false: it is no JSON object, or no tree of figures.
bool read_statistics_text(const std::string& text, Figures& figures);
/// Of the file of a point; false: the same, or it has no statistics.
bool read_point_text(const std::string& text, PointFigures& point);

}  // namespace vp
