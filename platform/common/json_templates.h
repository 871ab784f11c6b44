#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

// Documents are compiled once, in json_templates.cpp, instead of in every source that reads or writes one. This header
// is not to be included: it is among the precompiled ones (cmake/Build.cmake).

namespace nlohmann {
#define VP_JSON_TEMPLATES(KIND)                                                                          \
  KIND template class basic_json<>;                                                                      \
  KIND template json json::parse<const std::string&>(const std::string&, parser_callback_t, bool, bool); \
  KIND template json json::parse<std::string&>(std::string&, parser_callback_t, bool, bool);             \
  KIND template json json::parse<std::string>(std::string&&, parser_callback_t, bool, bool);             \
  KIND template json json::parse<std::ifstream&>(std::ifstream&, parser_callback_t, bool, bool);         \
  KIND template json json::parse<std::ifstream>(std::ifstream&&, parser_callback_t, bool, bool);

VP_JSON_TEMPLATES(extern)
}  // namespace nlohmann
