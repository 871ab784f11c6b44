#include "platform/check/tinytpu_case.h"

#include "models/common/error.h"

namespace vp::tinytpu_check {

using nlohmann::json;
using tinytpu::Edge;
using tinytpu::kNoEdge;

bool has_schema(const json& file, const char* schema) {
  if (!file.is_object()) return false;
  const auto field = file.find("schema");
  return field != file.end() && field->is_string() && field->get_ref<const std::string&>() == schema;
}

std::string text_or(const json& file, const char* name, const std::string& otherwise) {
  const auto field = file.find(name);
  return field != file.end() && field->is_string() ? field->get<std::string>() : otherwise;
}

Edge checked_edge(Edge edge) {
  constexpr Edge kLastEdge = Edge{1} << 28;
  if (edge > kLastEdge) throw UserError("is malformed: edge " + std::to_string(edge) + " is beyond any recorded run");
  return edge;
}

Edge edge_of(const json& number) { return checked_edge(number.get<Edge>()); }

CaseResult judge(const std::string& name, const std::function<void()>& replay) {
  try {
    replay();
  } catch (const Difference& difference) {
    return {name, CaseResult::Outcome::failed, difference.what()};
  } catch (const json::exception& error) {
    throw UserError("is malformed: " + std::string(error.what()));
  }
  return {name, CaseResult::Outcome::passed, ""};
}

void expect_edges(const std::string& what, const json& expected, const std::vector<Edge>& got) {
  const auto text = [](Edge edge) { return edge == kNoEdge ? std::string("never") : std::to_string(edge); };
  if (!expected.is_array()) throw UserError("is malformed: " + what + " must be a list");
  for (std::size_t i = 0; i < std::max(expected.size(), got.size()); ++i) {
    const bool missing = i >= expected.size(), surplus = i >= got.size();
    const Edge wanted = missing || expected[i].is_null() ? kNoEdge : expected[i].get<Edge>();
    const Edge actual = surplus ? kNoEdge : got[i];
    if (missing || surplus || wanted != actual)
      throw Difference(what + "[" + std::to_string(i) + "]: expected " + (missing ? "none" : text(wanted)) + ", got " +
                       (surplus ? "none" : text(actual)));
  }
}

std::vector<std::uint8_t> row_bytes(const std::string& hex, unsigned width) {
  std::vector<std::uint8_t> bytes;
  if (hex.size() == 2 * std::size_t{width} && hex.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos) {
    for (std::size_t i = 0; i < hex.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    return bytes;
  }
  throw UserError("is malformed: '" + hex + "' is no row of " + std::to_string(width) + " bytes");
}

std::string row_hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 0xF];
  }
  return text;
}

tinytpu::TinyTpuConfig config_of(const json& file) {
  tinytpu::TinyTpuConfig config;
  const auto number = [&](const char* name, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t value = file.at(name).get<std::uint64_t>();
    if (value < low || value > high)
      throw UserError(std::string("is malformed: ") + name + " must be " + std::to_string(low) + " to " +
                      std::to_string(high));
    return static_cast<unsigned>(value);
  };
  config.matrix_width = number("N", 2, 256);
  config.weight_depth = number("weight_depth", 1, 1U << 24);
  config.unified_buffer_depth = number("ub_depth", 1, 1U << 22);
  return config;
}

std::vector<tinytpu::Instruction> instructions_of(const json& file) {
  std::vector<tinytpu::Instruction> instructions;
  for (const json& word : file.at("instructions")) instructions.push_back(tinytpu::from_hex(word.get<std::string>()));
  return instructions;
}

}  // namespace vp::tinytpu_check
