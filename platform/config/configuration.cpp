#include "platform/config/configuration.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <ostream>
#include <sstream>

#include "models/common/error.h"

namespace vp {

namespace {

const std::string kPrefix = "TINYTPU_VP_";

/// A variable of the environment that is meant for a parameter.
bool is_setting(const std::string& variable) { return variable.compare(0, kPrefix.size(), kPrefix) == 0; }

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string unquoted(const std::string& text) {
  if (text.empty() || text.front() != '"') return text;
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      if (i + 1 != text.size()) throw UserError("text behind the closing quote");
      return value;
    }
    if (text[i] == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      value += next == 'n' ? '\n' : next;
    } else {
      value += text[i];
    }
  }
  throw UserError("the closing quote is missing");
}

/// One line of an INI file at a time; remembers the section and where each name was set.
class IniReader {
 public:
  explicit IniReader(const std::string& source) : source_(source) {}

  void line(const std::string& raw) {
    ++number_;
    const std::string text = trimmed(raw);
    if (text.empty() || text.front() == '#' || text.front() == ';') return;
    if (text.front() == '[')
      section(text);
    else
      setting(text);
  }
  std::vector<Setting> take() { return std::move(settings_); }

 private:
  std::string place() const { return source_ + ":" + std::to_string(number_); }

  void section(const std::string& text) {
    if (text.back() != ']') throw UserError(place() + ": the section's closing ']' is missing");
    section_ = trimmed(text.substr(1, text.size() - 2));
    if (section_.empty()) throw UserError(place() + ": the section has no name");
  }

  void setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw UserError(place() + ": expected 'name = value' or '[section]'");
    const std::string key = trimmed(text.substr(0, equals));
    if (key.empty()) throw UserError(place() + ": the name before '=' is missing");
    const std::string name = section_.empty() ? key : section_ + "." + key;
    std::string value;
    try {
      value = unquoted(trimmed(text.substr(equals + 1)));
    } catch (const UserError& error) {
      throw UserError(place() + ": " + name + ": " + error.what());
    }
    const auto [earlier, is_new] = set_at_.emplace(name, number_);
    if (!is_new) throw UserError(place() + ": " + name + " is already set in line " + std::to_string(earlier->second));
    settings_.push_back({name, std::move(value), place()});
  }

  std::string source_;
  std::string section_;
  std::size_t number_ = 0;
  std::map<std::string, std::size_t> set_at_;
  std::vector<Setting> settings_;
};

}  // namespace

std::vector<Setting> read_ini(const std::string& text, const std::string& source) {
  IniReader reader(source);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) reader.line(line);
  return reader.take();
}

void apply_settings(ParameterTable& table, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) table.set(setting.name, setting.value, setting.source);
}

void apply_ini(ParameterTable& table, const std::string& text, const std::string& source) {
  apply_settings(table, read_ini(text, source));
}

std::string environment_name(const std::string& parameter) {
  std::string name = kPrefix;
  for (const char c : parameter)
    name +=
        c == '.' ? std::string("__") : std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
  return name;
}

void apply_environment(ParameterTable& table, const std::vector<std::string>& variables) {
  if (std::none_of(variables.begin(), variables.end(), is_setting)) return;
  std::map<std::string, std::string> parameters;
  std::vector<std::string> known;
  for (const Parameter& parameter : table.all()) {
    known.push_back(environment_name(parameter.name));
    parameters[known.back()] = parameter.name;
  }
  for (const std::string& variable : variables) {
    if (!is_setting(variable)) continue;
    const std::size_t equals = variable.find('=');
    const std::string name = variable.substr(0, equals);
    const auto parameter = parameters.find(name);
    if (parameter == parameters.end()) {
      const std::string guess = nearest_word(name, known);
      throw UserError(
          "unknown environment variable '" + name + "'" +
          (guess.empty() ? " ('tinytpu-vp params' lists the parameters)" : ": did you mean '" + guess + "'?"));
    }
    table.set(parameter->second, equals == std::string::npos ? "" : variable.substr(equals + 1),
              "environment variable " + name);
  }
}

std::vector<Setting> read_environment(const std::vector<std::string>& variables) {
  std::vector<Setting> settings;
  for (const std::string& variable : variables) {
    if (!is_setting(variable)) continue;
    const std::size_t equals = std::min(variable.find('='), variable.size());
    Setting setting{"", variable.substr(std::min(equals + 1, variable.size())),
                    "environment variable " + variable.substr(0, equals)};
    for (std::size_t i = kPrefix.size(); i < equals; ++i) {
      const bool dot = variable.compare(i, 2, "__") == 0 && i + 1 < equals;
      setting.name += dot ? '.' : static_cast<char>(std::tolower(static_cast<unsigned char>(variable[i])));
      i += dot ? 1 : 0;
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::vector<Setting> read_assignments(const std::vector<std::string>& assignments) {
  std::vector<Setting> settings;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) throw UserError("--set '" + assignment + "': expected name=value");
    settings.push_back({trimmed(assignment.substr(0, equals)), trimmed(assignment.substr(equals + 1)), "--set"});
  }
  return settings;
}

void apply_assignments(ParameterTable& table, const std::vector<std::string>& assignments) {
  apply_settings(table, read_assignments(assignments));
}

std::string ini_value(const std::string& value) {
  if (!value.empty() && trimmed(value) == value && value.find('\n') == std::string::npos && value.front() != '"')
    return value;
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return text + '"';
}

void write_ini(const ParameterTable& table, std::ostream& out) {
  // A section may stand only once behind the names without one, so those come first and sections in order of
  // appearance.
  std::vector<std::string> sections;
  std::map<std::string, std::vector<const Parameter*>> members;
  for (const Parameter& parameter : table.all()) {
    const std::size_t dot = parameter.name.rfind('.');
    const std::string section = dot == std::string::npos ? "" : parameter.name.substr(0, dot);
    if (members[section].empty()) sections.insert(section.empty() ? sections.begin() : sections.end(), section);
    members[section].push_back(&parameter);
  }
  for (const std::string& section : sections) {
    if (!section.empty()) out << "[" << section << "]\n";
    for (const Parameter* parameter : members[section]) {
      const std::size_t dot = parameter->name.rfind('.');
      out << "# " << parameter->help << " (" << parameter->type << ", " << parameter->range
          << (parameter->unit.empty() ? "" : " " + parameter->unit) << "; default " << parameter->default_value << ")\n"
          << parameter->name.substr(dot == std::string::npos ? 0 : dot + 1) << " = " << ini_value(parameter->get())
          << "\n";
    }
    out << "\n";
  }
}

std::vector<std::string> process_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable && *variable; ++variable) variables.emplace_back(*variable);
  return variables;
}

}  // namespace vp
