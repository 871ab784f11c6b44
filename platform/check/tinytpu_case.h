#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/error.h"
#include "models/tinytpu/core.h"
#include "platform/check/golden_format.h"

namespace vp::tinytpu_check {

/// Ends a comparison: the first difference. what(): field, place, expected, got.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

bool has_schema(const nlohmann::json& file, const char* schema);

/// The field `name` if it is text, else `otherwise`: names of cases.
std::string text_or(const nlohmann::json& file, const char* name, const std::string& otherwise);

/// An edge from a file. UserError beyond any run that ends: later edges would overflow in arithmetic.
tinytpu::Edge edge_of(const nlohmann::json& number);
tinytpu::Edge checked_edge(tinytpu::Edge edge);

/// Runs `replay`, which throws Difference, and makes the verdict. A JSON value that is missing or of the wrong type
/// becomes a UserError.
CaseResult judge(const std::string& name, const std::function<void()>& replay);

/// Throws Difference unless the lists are equal; `what` names the field. null in `expected` stands for "did not
/// happen".
void expect_edges(const std::string& what, const nlohmann::json& expected, const std::vector<tinytpu::Edge>& got);

/// Reads hex pairs, element 0 first; exactly `width` of them or UserError.
std::vector<std::uint8_t> row_bytes(const std::string& hex, unsigned width);
std::string row_hex(const std::vector<std::uint8_t>& bytes);

/// Size of the device from the fields N, weight_depth, ub_depth.
tinytpu::TinyTpuConfig config_of(const nlohmann::json& file);

std::vector<tinytpu::Instruction> instructions_of(const nlohmann::json& file);

/// Collects the cycles of a run; instruction numbers count from 0.
class CycleLog : public tinytpu::CoreObserver {
 public:
  explicit CycleLog(std::size_t instructions)
      : fetches(instructions, tinytpu::kNoEdge), issues(instructions, tinytpu::kNoEdge) {}
  void fetched(std::uint64_t number, tinytpu::Edge edge) override { fetches.at(number) = edge; }
  void issued(const tinytpu::Issue& issue) override {
    if (issue.instruction.kind() != tinytpu::InstructionKind::nothing) issues.at(issue.number) = issue.edge;
  }
  std::vector<tinytpu::Edge> fetches;
  std::vector<tinytpu::Edge> issues;  ///< kNoEdge for what does nothing
};

}  // namespace vp::tinytpu_check
