#include <boost/program_options/value_semantic.hpp>
#include <iostream>

#include "models/common/error.h"
#include "platform/cli/commands.h"
#include "platform/cli/options.h"
#include "platform/common/exit_code.h"
#include "platform/files/whole_file.h"
#include "platform/report/report_data.h"
#include "platform/report/report_page.h"

namespace vp {

int report_command(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  OptionParser parser;
  parser.usage = "report FILE.json [TIMELINE.json] | report DIR   [-o report.html]";
  parser.about =
      "Makes one self-contained HTML file out of a run (its --stats file, with or without its --timeline file) or of "
      "the\n"
      "folder of a sweep: timeline, stall breakdown, roofline and ideal bounds; heat map and Pareto front of a "
      "sweep.\n";
  parser.takes_operands = true;
  parser.options.add_options()("output,o", po::value<std::string>()->value_name("FILE")->default_value("report.html"),
                               "file to write, - for standard output");
  parser.options.add_options()("across", po::value<std::string>()->value_name("NAME"),
                               "figure or swept parameter across the charts of a sweep at first");
  parser.options.add_options()("up", po::value<std::string>()->value_name("NAME"),
                               "figure or swept parameter up the charts of a sweep at first");
  const auto values = parser.parse(arguments);
  if (values.count("help")) return kExitSuccess;
  if (operands(values).empty()) throw UserError("report: no statistics file and no folder of a sweep given");
  SweepAxes axes;
  if (values.count("across")) axes.across = value_of(values, "across");
  if (values.count("up")) axes.up = value_of(values, "up");
  const std::string output = value_of(values, "output");
  check_writable(output);
  write_file(output, report_page(read_report_data(operands(values), axes)));
  if (output != "-") std::cout << "report: " << output << '\n';
  return kExitSuccess;
}

}  // namespace vp
