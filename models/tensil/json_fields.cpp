#include "models/tensil/json_fields.h"

#include "models/common/error.h"

namespace vp::tensil {

using nlohmann::json;

json parse_object(const std::string& text, const std::string& source) {
  json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) throw UserError(source + ": is no valid JSON");
  if (!document.is_object()) throw UserError(source + ": is no JSON object");
  return document;
}

const json& field(const json& object, const char* name, const std::string& source) {
  if (!object.is_object()) throw UserError(source + ": an object with the key '" + name + "' is expected");
  const auto found = object.find(name);
  if (found == object.end()) throw UserError(source + ": the key '" + name + "' is missing");
  return *found;
}

std::string text_field(const json& object, const char* name, const std::string& source) {
  const json& value = field(object, name, source);
  if (!value.is_string()) throw UserError(source + ": '" + name + "' is no text");
  return value.get<std::string>();
}

std::uint64_t number_field(const json& object, const char* name, std::uint64_t low, std::uint64_t high,
                           const std::string& source) {
  const json& value = field(object, name, source);
  const std::string allowed = " (allowed: " + std::to_string(low) + " to " + std::to_string(high) + ")";
  if (!value.is_number_integer()) throw UserError(source + ": '" + name + "' is no whole number" + allowed);
  const bool negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  if (negative || value.get<std::uint64_t>() < low || value.get<std::uint64_t>() > high)
    throw UserError(source + ": '" + name + "' is out of range" + allowed);
  return value.get<std::uint64_t>();
}

}  // namespace vp::tensil
