#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "models/tensil/architecture.h"

namespace vp::tensil {

// Reading JSON of the user's: each function throws UserError, beginning with `source`, for what is missing, of another
// type or out of range.

/// A whole document that is an object.
nlohmann::json parse_object(const std::string& text, const std::string& source);
const nlohmann::json& field(const nlohmann::json& object, const char* name, const std::string& source);
std::string text_field(const nlohmann::json& object, const char* name, const std::string& source);
std::uint64_t number_field(const nlohmann::json& object, const char* name, std::uint64_t low, std::uint64_t high,
                           const std::string& source);
/// The keys of a `.tarch` file.
Architecture architecture_of(const nlohmann::json& object, const std::string& source);

}  // namespace vp::tensil
