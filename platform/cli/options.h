#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string>
#include <vector>

namespace vp {

/// A subcommand's options. Words that are no options are collected under "operand" if the command takes any.
struct OptionParser {
  std::string usage;  ///< "check [--jobs N] FILE|DIR..."
  std::string about;  ///< a few lines for --help
  boost::program_options::options_description options{"Options"};
  bool takes_operands = false;
  /// An option whose value may be left out; the next word is its value if it looks like one.
  struct OptionalValue {
    std::string option;  ///< "--gdb"
    std::string usual;   ///< its value where it is left out
    bool (*is_value)(const std::string& word);
  };
  std::vector<OptionalValue> optional_values;

  /// Options as given, with defaults. Throws UserError: unknown option (with the nearest one), missing or bad value.
  /// After --help has been printed the result holds "help" and the command returns.
  boost::program_options::variables_map parse(const std::vector<std::string>& arguments);
};

/// The operands of a parsed command line, empty if there are none.
std::vector<std::string> operands(const boost::program_options::variables_map& values);
/// All values of an option that may be repeated, empty if it is absent.
std::vector<std::string> values_of(const boost::program_options::variables_map& values, const std::string& option);
/// The option's text, or "" if it is absent.
std::string value_of(const boost::program_options::variables_map& values, const std::string& option);

}  // namespace vp
