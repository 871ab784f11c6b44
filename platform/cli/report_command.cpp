#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <iostream>

#include "models/common/error.h"
#include "platform/cli/commands.h"
#include "platform/cli/options.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/comparison.h"
#include "platform/report/report_data.h"
#include "platform/report/report_input.h"
#include "platform/report/report_page.h"
#include "platform/sweep/gather.h"
#include "platform/sweep/words.h"

namespace vp {

namespace {

namespace po = boost::program_options;

OptionParser report_options() {
  OptionParser parser;
  parser.usage =
      "report FILE.json [TIMELINE.json] | report DIR   [-o report.html]\n"
      "  or  report A B  (two runs or two sweeps)  or  report FILE.json|DIR|A B --csv FILE|--jsonl FILE [--columns "
      "...]";
  parser.about =
      "Makes one self-contained HTML file out of a run (its --stats file, with or without its --timeline file) or of "
      "the\n"
      "folder of a sweep: timeline, stall breakdown, roofline and ideal bounds; heat map, Pareto front and sensitivity "
      "of "
      "a\n"
      "sweep. Two runs or two sweeps are compared. As CSV or JSON Lines: a line a run, point or difference, a column "
      "a\n"
      "figure with its unit in the name, numbers as numbers.\n";
  parser.takes_operands = true;
  auto add = parser.options.add_options();
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  add("output,o", text("FILE"), "file to write, - for standard output (default report.html)");
  add("across", text("NAME"), "figure or swept parameter across the charts of a sweep at first");
  add("up", text("NAME"), "figure or swept parameter up the charts of a sweep at first");
  add("csv", text("FILE"), "instead of the page: a table for other programs, - for standard output");
  add("jsonl", text("FILE"), "instead of the page: the same as JSON Lines");
  add("columns", text("NAME,NAME,..."), "with them: these columns only, in this order; NAME* for all that begin so");
  return parser;
}

TidyTable table_of(const std::vector<std::string>& inputs) {
  if (Comparison::fits(inputs)) return Comparison(inputs[0], inputs[1]).table();
  if (inputs.size() > 1) throw UserError("report: a table is made of one run, one sweep, or two of a kind");
  if (std::filesystem::is_directory(inputs[0])) {
    const SweepFolder folder(inputs[0]);
    return ResultTable(folder).table(folder.read_jobs());
  }
  TidyTable table;
  table.begin_row();
  Figures figures;
  read_statistics_text(read_statistics(inputs[0]).dump(), figures);  // which has looked closely at the file
  table.add_figures(figures);
  return table;
}

void write_tables(const po::variables_map& values, const std::vector<std::string>& inputs) {
  for (const char* option : {"output", "across", "up"})
    if (values.count(option)) throw UserError("report: --" + std::string(option) + " is for pages, not for tables");
  for (const char* option : {"csv", "jsonl"})
    if (values.count(option)) check_writable(value_of(values, option));
  TidyTable table = table_of(inputs);
  if (values.count("columns")) table.choose(split_list(value_of(values, "columns")));
  if (values.count("csv")) write_file(value_of(values, "csv"), table.csv());
  if (values.count("jsonl")) write_file(value_of(values, "jsonl"), table.json_lines());
}

void write_page(const po::variables_map& values, const std::vector<std::string>& inputs) {
  SweepAxes axes;
  if (values.count("across")) axes.across = value_of(values, "across");
  if (values.count("up")) axes.up = value_of(values, "up");
  const std::string output = values.count("output") ? value_of(values, "output") : "report.html";
  check_writable(output);
  write_file(output, report_page(read_report_data(inputs, axes)));
  if (output == "-") return;
  if (Comparison::fits(inputs)) std::cout << Comparison(inputs[0], inputs[1]).summary();
  std::cout << "report: " << output << '\n';
}

}  // namespace

int report_command(const std::vector<std::string>& arguments) {
  const auto values = report_options().parse(arguments);
  if (values.count("help")) return kExitSuccess;
  const std::vector<std::string> inputs = operands(values);
  if (inputs.empty()) throw UserError("report: no statistics file and no folder of a sweep given");
  if (values.count("csv") || values.count("jsonl")) {
    write_tables(values, inputs);
  } else {
    if (values.count("columns")) throw UserError("report: --columns needs --csv or --jsonl");
    write_page(values, inputs);
  }
  return kExitSuccess;
}

}  // namespace vp
