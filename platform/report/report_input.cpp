#include "platform/report/report_input.h"

#include <filesystem>

#include "models/common/error.h"
#include "platform/files/whole_file.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kLongestReason = 300;

bool is_text(const Json& json, const char* key) { return !json.contains(key) || json.at(key).is_string(); }

/// Names the first thing that does not belong into a statistics tree, "" if it is one.
std::string fault_of_tree(const Json& group, const std::string& path, int depth) {
  const std::string place = path.empty() ? "the root" : "'" + path + "'";
  if (!group.is_object()) return place + " is no group";
  if (depth > kDeepest) return place + " is nested too deeply";
  if (!is_text(group, "description")) return place + " has a description that is no text";
  for (const char* key : {"values", "groups"})
    if (group.contains(key) && !group.at(key).is_object()) return place + ": '" + key + "' is no object";
  const std::string prefix = path.empty() ? "" : path + ".";
  if (group.contains("values"))
    for (const auto& [name, quantity] : group.at("values").items()) {
      if (!quantity.is_object() || !quantity.contains("value") || !is_text(quantity, "unit") ||
          !is_text(quantity, "description"))
        return "'" + prefix + name + "' is no quantity with value, unit and description";
      // JSON has no infinity: a writer turns it into null.
      const Json& value = quantity.at("value");
      if (!value.is_number() && !value.is_string() && !value.is_null())
        return "'" + prefix + name + "' is neither a number nor text";
    }
  if (group.contains("groups"))
    for (const auto& [name, below] : group.at("groups").items())
      if (std::string fault = fault_of_tree(below, prefix + name, depth + 1); !fault.empty()) return fault;
  return "";
}

}  // namespace

void refuse(const std::string& path, std::string why) {
  for (char& c : why)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (why.size() > kLongestReason) why = why.substr(0, kLongestReason) + " ...";
  throw UserError("'" + path + "' " + why);
}

Json parse_json(const std::string& path) {
  const std::string text = read_file(path);
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > 4 * kDeepest) refuse(path, "is nested too deeply to be a statistics file");
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    refuse(path, "is not valid JSON (near byte " + std::to_string(error.byte) + "), or is cut off");
  } catch (const Json::out_of_range&) {
    refuse(path, "holds a number that is out of range");
  }
}

void check_tree(const Json& tree, const std::string& path) {
  if (const std::string fault = fault_of_tree(tree, "", 0); !fault.empty())
    refuse(path, "is not a statistics file: " + fault);
}

Json read_point(const SweepFolder& folder, const SweepPoint& point) {
  const std::string path = folder.result_path(point.hash);
  Json json = parse_json(path);
  if (!json.is_object() || !json.contains("schema") || json.at("schema") != kPointSchema ||
      !json.contains("statistics"))
    refuse(path, "is not the result of a point (schema " + std::string(kPointSchema) + ")");
  check_tree(json.at("statistics"), path);
  return json;
}

Json read_statistics(const std::string& path) {
  Json json = parse_json(path);
  if (json.is_object() && json.contains("schema") && json.at("schema") == kPointSchema && json.contains("statistics"))
    json = Json(json.at("statistics"));
  else if (!json.is_object() || json.contains("schema") || !(json.contains("groups") || json.contains("values")))
    refuse(path, "is not a statistics file");
  check_tree(json, path);
  return json;
}

std::string short_name(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  const std::string name = normal.filename().string();
  return name.empty() ? normal.parent_path().filename().string() : name;
}

Json to_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) json[name] = value;
  return json;
}

}  // namespace vp
