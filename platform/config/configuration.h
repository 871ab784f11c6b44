#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "models/common/parameters.h"

namespace vp {

// Where settings come from, weakest first: the defaults beside the models, a file, the environment, the command line.
// Each function sets parameters of `table` and throws UserError for what it does not understand; an unknown name is
// answered with the nearest valid one. A later call overrides an earlier one.

/// One setting as it was given.
struct Setting {
  std::string name;
  std::string value;
  std::string source;  ///< for errors: "file.ini:3", "--set"
};

/// INI text: "[section]" lines, "name = value" lines, and comments on lines of their own that start with # or ;. The
/// full name of a parameter is "section.name". A value in double quotes keeps its spaces and may hold \" \\ \n.
/// `source` names the text in errors ("file.ini"), which also give the line.
std::vector<Setting> read_ini(const std::string& text, const std::string& source);
void apply_ini(ParameterTable& table, const std::string& text, const std::string& source);

/// Variables "NAME=value" of an environment. Those that start with TINYTPU_VP_ are settings: the parameter's name in
/// capitals with "__" for "."; one of that prefix that names no parameter is an error.
void apply_environment(ParameterTable& table, const std::vector<std::string>& variables);
/// The same by the parameter's name, whether or not there is such a one.
std::vector<Setting> read_environment(const std::vector<std::string>& variables);

/// Words "name=value" of --set options.
std::vector<Setting> read_assignments(const std::vector<std::string>& assignments);
void apply_assignments(ParameterTable& table, const std::vector<std::string>& assignments);

void apply_settings(ParameterTable& table, const std::vector<Setting>& settings);

/// The present settings as INI text that apply_ini() turns into the same settings again; range, unit and help as
/// comments.
void write_ini(const ParameterTable& table, std::ostream& out);
/// A value as it stands in INI text behind "name = ".
std::string ini_value(const std::string& value);

/// The name of the environment variable that sets a parameter: "tpu.matrix_width" → "TINYTPU_VP_TPU__MATRIX_WIDTH".
std::string environment_name(const std::string& parameter);

/// The process's own environment as "NAME=value" words.
std::vector<std::string> process_environment();

}  // namespace vp
