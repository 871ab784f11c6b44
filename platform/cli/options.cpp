#include "platform/cli/options.h"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp {

namespace po = boost::program_options;

namespace {

[[noreturn]] void throw_unknown_option(const std::string& name, const po::options_description& known) {
  std::vector<std::string> names;
  for (const auto& option : known.options())
    if (option->long_name() != "operand") names.push_back("--" + option->long_name());
  const std::string guess = nearest_word(name, names);
  throw UserError("unknown option '" + name + "'" + (guess.empty() ? "" : ": did you mean '" + guess + "'?"));
}

/// "--name=" gives the empty value, as "--name ''" does; Boost takes it for a slip.
std::vector<std::string> with_empty_values(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (const std::string& word : arguments) {
    const bool empty = word.size() > 3 && word.compare(0, 2, "--") == 0 && word.find('=') == word.size() - 1;
    words.push_back(empty ? word.substr(0, word.size() - 1) : word);
    if (empty) words.emplace_back();
  }
  return words;
}

/// "--name VALUE" becomes "--name=VALUE" where the value may be left out, and "--name" gets its usual one: Boost would
/// take whatever follows.
std::vector<std::string> with_joined_values(const std::vector<std::string>& arguments,
                                            const std::vector<OptionParser::OptionalValue>& optional) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    words.push_back(arguments[i]);
    for (const OptionParser::OptionalValue& one : optional) {
      if (arguments[i] != one.option) continue;
      const bool given = i + 1 < arguments.size() && one.is_value(arguments[i + 1]);
      words.back() += '=' + (given ? arguments[++i] : one.usual);
      break;
    }
  }
  return words;
}

/// Boost writes e.g. "the required argument for option '--jobs' is missing"; only its unknown option lacks a
/// suggestion.
po::parsed_options parse_words(const std::vector<std::string>& arguments, const po::options_description& all,
                               const po::positional_options_description& positional) {
  using namespace po::command_line_style;
  try {
    return po::command_line_parser(with_empty_values(arguments))
        .options(all)
        .positional(positional)
        .style(unix_style & ~allow_guessing & ~allow_sticky)
        .run();
  } catch (const po::too_many_positional_options_error&) {
    throw UserError("too many operands: this command takes none");
  } catch (const po::unknown_option& error) {
    throw_unknown_option(error.get_option_name(), all);
  }
}

}  // namespace

po::variables_map OptionParser::parse(const std::vector<std::string>& arguments) {
  po::options_description shown = options;
  shown.add_options()("help,h", "print this text");
  po::options_description all = shown;
  po::positional_options_description positional;
  if (takes_operands) {
    all.add_options()("operand", po::value<std::vector<std::string>>());
    positional.add("operand", -1);
  }
  po::variables_map values;
  try {
    po::store(parse_words(with_joined_values(arguments, optional_values), all, positional), values);
    po::notify(values);
  } catch (const po::error& error) {
    throw UserError(error.what());
  }
  if (values.count("help")) std::cout << "Usage: tinytpu-vp " << usage << '\n' << about << "\n" << shown;
  return values;
}

std::vector<std::string> operands(const po::variables_map& values) { return values_of(values, "operand"); }

std::vector<std::string> values_of(const po::variables_map& values, const std::string& option) {
  return values.count(option) ? values[option].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::string value_of(const po::variables_map& values, const std::string& option) {
  return values.count(option) ? values[option].as<std::string>() : std::string();
}

}  // namespace vp
