#include "platform/sweep/gather.h"

#include <nlohmann/json.hpp>

#include "models/common/error.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/sweep/words.h"

namespace vp {

using Json = TidyTable::Json;

namespace {

/// How the run ended, as a word and as a sentence, where its figures say so.
std::pair<Json, Json> end_of(const Figures& figures) {
  if (const Figure* const end = find_figure(figures, kEndFigure)) return {end->value, end->description};
  const Figure* const exit_code = find_figure(figures, "run.exit_code");
  if (!exit_code || exit_code->value != kExitLimit) return {nullptr, nullptr};
  return {"limit", "a limit of the run was reached"};
}

/// Begins the line of a point.
void add_head(const SweepJob& job, const SweepPoint& point, const char* status, const std::pair<Json, Json>& end,
              TidyTable& table) {
  table.begin_row();
  table.add("point", "", point.hash);
  table.add("status", "", status);
  table.add("end", "", end.first);
  table.add("reason", "", end.second);
  table.add("version", "", job.simulator.version);
  table.add("build", "", job.simulator.build);
  table.add("command", "", shell_quoted(words_of_point(job.plan.command, point.settings)));
  table.add("inputs", "", point.inputs);
}

}  // namespace

void ResultTable::read(const SweepJob& job, const SweepPoint& point, bool is_present) {
  const std::string path = folder_.result_path(point.hash);
  PointFigures figures;
  if (!read_point_text(read_file(path), figures))
    throw UserError("'" + path + "' is damaged: remove it and start the sweep again");
  add(job, point, figures, is_present);
}

void ResultTable::add(const SweepJob& job, const SweepPoint& point, const PointFigures& result, bool is_present) {
  add_head(job, point, "finished", end_of(result.figures), table_);
  table_.add("wall_seconds", "", result.wall_seconds);
  for (const auto& [name, value] : point.settings) table_.add_parameter(name, value);
  table_.add_figures(result.figures);
  rows_[point.hash] = table_.rows() - 1;
  if (is_present) effects_.add(point, result.figures);
}

void ResultTable::add_unfinished(const SweepJob& job, const SweepPoint& point) {
  const auto failure = folder_.failure(point.hash);
  add_head(job, point, failure ? "failed" : "missing", {nullptr, failure ? Json(failure->message) : Json()}, table_);
  table_.add("wall_seconds", "", nullptr);
  for (const auto& [name, value] : point.settings) table_.add_parameter(name, value);
  rows_[point.hash] = table_.rows() - 1;
}

TidyTable ResultTable::table(const std::vector<SweepJob>& jobs) {
  std::vector<std::size_t> order;
  for (const SweepJob& job : jobs)
    for (const SweepPoint& point : job.plan.points) {
      if (rows_.count(point.hash) == 0)
        folder_.is_finished(point.hash) ? read(job, point, &job == &jobs.back()) : add_unfinished(job, point);
      order.push_back(rows_[point.hash]);
    }
  table_.order(order);
  return std::move(table_);
}

}  // namespace vp
