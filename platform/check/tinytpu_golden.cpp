#include "platform/check/tinytpu_golden.h"

#include <nettle/sha2.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "models/tinytpu/network.h"
#include "platform/check/tinytpu_case.h"

namespace vp {
namespace {

using namespace tinytpu_check;
using nlohmann::json;
using tinytpu::Core;
using tinytpu::Edge;
using tinytpu::Instruction;
using tinytpu::kNoEdge;

/// "12": below `depth`, or UserError.
unsigned row_number(const std::string& text, unsigned depth) {
  if (!text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == std::string::npos) {
    const unsigned long row = std::stoul(text);
    if (row < depth) return static_cast<unsigned>(row);
  }
  throw UserError("is malformed: '" + text + "' is no row of the buffer");
}

std::map<unsigned, std::vector<std::uint8_t>> sparse_rows(const json& rows, unsigned width, unsigned depth) {
  std::map<unsigned, std::vector<std::uint8_t>> contents;
  for (const auto& [row, hex] : rows.items())
    contents[row_number(row, depth)] = row_bytes(hex.get<std::string>(), width);
  return contents;
}

/// Compares rows `first` to the end of the unified buffer; rows that `expected` does not name must be zero.
void expect_buffer(const std::string& what, const json& expected, Core& core, unsigned first) {
  const unsigned width = core.config().matrix_width, depth = core.config().unified_buffer_depth;
  const auto rows = sparse_rows(expected, width, depth);
  std::vector<std::uint8_t> got(width);
  for (unsigned row = first; row < depth; ++row) {
    const auto found = rows.find(row);
    const std::vector<std::uint8_t> wanted = found == rows.end() ? std::vector<std::uint8_t>(width) : found->second;
    core.read_unified_buffer(row, got.data());
    if (got != wanted)
      throw Difference(what + " row " + std::to_string(row) + ": expected " + row_hex(wanted) + ", got " +
                       row_hex(got));
  }
}

void expect_numbers(const std::string& what, const json& expected, const std::vector<std::uint32_t>& got) {
  expect_edges(what, expected, std::vector<Edge>(got.begin(), got.end()));
}

/// The synchronize pulses of a run, taken in time.
struct Pulses {
  Core& core;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> runtimes;
  void take_up_to(Edge edge) {
    while (core.next_synchronize() <= edge && core.next_synchronize() != kNoEdge) {
      edges.push_back(core.take_synchronize());
      runtimes.push_back(core.runtime(edges.back()));
    }
  }
};

/// Something the test bench did at an edge: a push, or a host access of the unified buffer.
struct Stimulus {
  Edge edge;
  std::size_t index;
  bool push;
};

std::vector<Stimulus> stimuli_of(const json& pushes, const json& accesses) {
  std::vector<Stimulus> stimuli;
  for (std::size_t i = 0; i < pushes.size(); ++i) stimuli.push_back({edge_of(pushes[i]), i, true});
  for (std::size_t i = 0; i < accesses.size(); ++i) stimuli.push_back({edge_of(accesses[i].at(0)), i, false});
  std::stable_sort(stimuli.begin(), stimuli.end(),
                   [](const Stimulus& a, const Stimulus& b) { return a.edge < b.edge; });
  return stimuli;
}

/// [edge, row, data, mask]; returns what the host's read port returned.
std::string replay_host_access(Core& core, const json& access) {
  const unsigned width = core.config().matrix_width;
  const std::vector<std::uint8_t> data = row_bytes(access.at(2).get<std::string>(), width);
  const std::string mask = access.at(3).get<std::string>();
  if (mask.size() != width) throw UserError("is malformed: '" + mask + "' is no mask");
  std::vector<std::uint8_t> enable(width);
  std::transform(mask.begin(), mask.end(), enable.begin(), [](char c) { return c == '1'; });
  tinytpu::HostAccess host;
  host.row = access.at(1).get<unsigned>() % core.config().unified_buffer_depth;
  host.data = data.data();
  host.enable = enable.data();
  return row_hex(core.host_access(host, edge_of(access.at(0))));
}

const json& list_or_empty(const json& object, const char* name) {
  static const json empty = json::array();
  const auto found = object.find(name);
  return found == object.end() ? empty : *found;
}

void expect_host_data(const json& expected, const std::vector<std::string>& got) {
  const auto wanted = expected.get<std::vector<std::string>>();
  for (std::size_t i = 0; i < std::max(wanted.size(), got.size()); ++i) {
    const std::string w = i < wanted.size() ? wanted[i] : "none", g = i < got.size() ? got[i] : "none";
    if (w != g) throw Difference("host_read_data[" + std::to_string(i) + "]: expected " + w + ", got " + g);
  }
}

void refuse_unknown_fields(const json& expected, const std::set<std::string>& known) {
  for (const auto& [name, value] : expected.items())
    if (known.count(name) == 0) throw UserError("is malformed: expected." + name + " is unknown");
}

void replay_golden(const json& file) {
  const json& expected = file.at("expected");
  refuse_unknown_fields(
      expected, {"unified_buffer", "sync_cycles", "runtime_at_sync", "issue_cycles", "fetch_cycles", "host_read_data"});
  Core core(config_of(file));
  const tinytpu::TinyTpuConfig& config = core.config();
  for (const auto& [row, bytes] : sparse_rows(file.at("weights"), config.matrix_width, config.weight_depth))
    core.write_weights(row, bytes.data());
  for (const auto& [row, bytes] :
       sparse_rows(file.at("unified_buffer"), config.matrix_width, config.unified_buffer_depth))
    core.write_unified_buffer(row, bytes.data());

  const std::vector<Instruction> instructions = instructions_of(file);
  const json& accesses = list_or_empty(file, "host_accesses");
  const json& pushes = file.at("push_cycles");
  if (pushes.size() != instructions.size())
    throw UserError("is malformed: push_cycles and instructions differ in length");
  CycleLog log(instructions.size());
  core.set_observer(&log);
  Pulses pulses{core, {}, {}};
  std::vector<std::string> host_data;
  for (const Stimulus& stimulus : stimuli_of(pushes, accesses)) {
    // A stimulus is part of the cycle that ends at its edge; pulses up to the edge before must be read first.
    if (stimulus.edge > 0) pulses.take_up_to(stimulus.edge - 1);
    if (!stimulus.push) {
      host_data.push_back(replay_host_access(core, accesses[stimulus.index]));
      continue;
    }
    const Edge possible = core.predict_push_edge(stimulus.edge);
    if (possible != stimulus.edge)
      throw Difference("push_cycles[" + std::to_string(stimulus.index) + "]: the FIFO is full until " +
                       std::to_string(possible));
    pulses.take_up_to(stimulus.edge);
    core.push(instructions[stimulus.index], stimulus.edge);
  }
  const Edge end = checked_edge(core.predict_finish());
  pulses.take_up_to(end);
  core.advance_to(end);

  expect_edges("fetch_cycles", expected.at("fetch_cycles"), log.fetches);
  expect_edges("issue_cycles", expected.at("issue_cycles"), log.issues);
  expect_edges("sync_cycles", expected.at("sync_cycles"), pulses.edges);
  expect_numbers("runtime_at_sync", expected.at("runtime_at_sync"), pulses.runtimes);
  expect_host_data(list_or_empty(expected, "host_read_data"), host_data);
  expect_buffer("unified_buffer", expected.at("unified_buffer"), core, 0);
}

// ---- the MNIST streams

constexpr char kZeroWeights[] = "all weights zero";
constexpr char kHashedWeights[] =
    "byte(row r, lane i) = (((((r*31+i*17+r*i)*2654435761) mod 2**32) >> 24) mod 15 - 7) as int8";
constexpr char kHashedInputs[] =
    "byte(row r, lane i) = (((r*131+i*71+7)*2246822519) mod 2**32) >> 24, rows 0..input_rows-1";

void fill_weights(Core& core, const std::string& rule, unsigned rows) {
  if (rule == kZeroWeights) return;
  if (rule != kHashedWeights) throw UserError("is malformed: the weights_rule '" + rule + "' is unknown");
  std::vector<std::uint8_t> bytes(core.config().matrix_width);
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::uint8_t>(((r * 31 + i * 17 + r * i) * 2654435761U >> 24) % 15 - 7);
    core.write_weights(r, bytes.data());
  }
}

void fill_inputs(Core& core, const std::string& rule, unsigned rows) {
  if (rule != kHashedInputs) throw UserError("is malformed: the input_rule '" + rule + "' is unknown");
  std::vector<std::uint8_t> bytes(core.config().matrix_width);
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::uint8_t>((r * 131 + i * 71 + 7) * 2246822519U >> 24);
    core.write_unified_buffer(r, bytes.data());
  }
}

void expect_equal(const std::string& what, std::uint64_t expected, std::uint64_t got) {
  if (expected != got)
    throw Difference(what + ": expected " + std::to_string(expected) + ", got " + std::to_string(got));
}

/// The stream itself is a field, too: it must be what the generator makes of the network.
void expect_program(const json& file, const std::vector<Instruction>& instructions) {
  std::vector<unsigned> layers;
  for (const json& layer : file.at("network")) {
    if (layers.empty()) layers.push_back(layer.at(0).get<unsigned>());
    layers.push_back(layer.at(1).get<unsigned>());
  }
  const tinytpu::NetworkProgram program =
      tinytpu::network_program(file.at("N").get<unsigned>(), {layers, tinytpu::NetworkLayout::original});
  expect_equal("instruction_count", file.at("instruction_count").get<std::uint64_t>(), program.instructions.size());
  expect_equal("weight_rows", file.at("weight_rows").get<std::uint64_t>(), program.weight_rows);
  expect_equal("input_rows", file.at("input_rows").get<std::uint64_t>(), program.input_rows);
  for (std::size_t i = 0; i < std::max(instructions.size(), program.instructions.size()); ++i) {
    const std::string wanted = i < instructions.size() ? to_hex(instructions[i]) : "none";
    const std::string got = i < program.instructions.size() ? to_hex(program.instructions[i]) : "none";
    if (wanted != got) throw Difference("instructions[" + std::to_string(i) + "]: expected " + wanted + ", got " + got);
  }
}

std::string sha256_hex(const std::vector<std::uint8_t>& bytes) {
  sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, bytes.size(), bytes.data());
  std::vector<std::uint8_t> digest(SHA256_DIGEST_SIZE);
  sha256_digest(&state, digest.size(), digest.data());
  return row_hex(digest);
}

void expect_hash(const json& file, Core& core) {
  const unsigned width = core.config().matrix_width, depth = core.config().unified_buffer_depth;
  std::vector<std::uint8_t> bytes(std::size_t{width} * depth);
  for (unsigned row = 0; row < depth; ++row) core.read_unified_buffer(row, &bytes[std::size_t{row} * width]);
  const std::string expected = file.at("unified_buffer_sha256").get<std::string>(), got = sha256_hex(bytes);
  if (expected != got) throw Difference("unified_buffer_sha256: expected " + expected + ", got " + got);
}

void replay_mnist(const json& file) {
  const std::vector<Instruction> instructions = instructions_of(file);
  expect_program(file, instructions);
  Core core(config_of(file));
  const unsigned weight_rows = file.at("weight_rows").get<unsigned>(),
                 input_rows = file.at("input_rows").get<unsigned>();
  if (weight_rows > core.config().weight_depth || input_rows > core.config().unified_buffer_depth)
    throw UserError("is malformed: the contents are larger than the buffers");
  fill_weights(core, file.at("weights_rule").get<std::string>(), weight_rows);
  fill_inputs(core, file.at("input_rule").get<std::string>(), input_rows);
  CycleLog log(instructions.size());
  core.set_observer(&log);
  const tinytpu::ProgramRun run = tinytpu::run_program(core, instructions, {edge_of(file.at("feed_gap_cycles"))});

  expect_edges("push_cycles", file.at("push_cycles"), run.pushes);
  expect_edges("issue_cycles", file.at("issue_cycles"), log.issues);
  expect_edges("sync_cycles", file.at("sync_cycles"), run.synchronizes);
  expect_numbers("runtime_at_sync", file.at("runtime_at_sync"), run.runtimes);
  const double duration = file.at("duration_us_at_5p625ns").get<double>(), got = run.runtimes.at(0) * 5.625e-3;
  if (std::abs(duration - got) > 0.00051)  // printed with three decimals
    throw Difference("duration_us_at_5p625ns: expected " + std::to_string(duration) + ", got " + std::to_string(got));
  expect_buffer("result_rows", file.at("result_rows"), core, input_rows);
  expect_hash(file, core);
}

std::string mnist_name(const json& file) {
  return "mnist-n" + std::to_string(file.at("N").get<unsigned>()) + "-k" +
         std::to_string(edge_of(file.at("feed_gap_cycles"))) + (file.at("weights_rule") == kZeroWeights ? "-zero" : "");
}

}  // namespace

GoldenFormat tinytpu_golden_format() {
  return {"tinytpu-golden-1", [](const json& file) { return has_schema(file, "tinytpu-golden-1"); },
          [](const json& file, const CheckContext&) {
            return std::vector<CaseResult>{judge(text_or(file, "id", "case"), [&] { replay_golden(file); })};
          }};
}

GoldenFormat tinytpu_mnist_format() {
  return {"tinytpu-mnist-1", [](const json& file) { return has_schema(file, "tinytpu-mnist-1"); },
          [](const json& file, const CheckContext&) {
            std::string name = "mnist";
            return std::vector<CaseResult>{judge(name, [&] {
              name = mnist_name(file);
              replay_mnist(file);
            })};
          }};
}

}  // namespace vp
