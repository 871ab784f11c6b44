#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

// Documents and their parsers are compiled once, in json_templates.cpp, instead of in every source that reads or writes
// one. This header is not to be included: it is among the precompiled ones (cmake/Build.cmake).

namespace nlohmann {
extern template class basic_json<>;

// What a document is read from.
#define VP_JSON_INPUTS(X)             \
  X(json, const std::string&)         \
  X(json, std::string&)               \
  X(json, std::string)                \
  X(json, const char*)                \
  X(json, const char*&)               \
  X(json, const char* const&)         \
  X(json, std::ifstream&)             \
  X(json, std::ifstream)              \
  X(ordered_json, const std::string&) \
  X(ordered_json, std::string&)       \
  X(ordered_json, std::string)

// Specialised, not instantiated elsewhere: else the compiler would still read all that an inline function calls.
#define VP_JSON_PARSE(KIND, INPUT)                                                                                     \
  template <>                                                                                                          \
  template <>                                                                                                          \
  KIND KIND::parse<INPUT>(std::add_rvalue_reference_t<INPUT> input, parser_callback_t callback, bool allow_exceptions, \
                          bool ignore_comments);

VP_JSON_INPUTS(VP_JSON_PARSE)
}  // namespace nlohmann
