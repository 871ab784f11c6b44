#include "platform/check/tensil_golden.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/common/error.h"
#include "models/tensil/core.h"
#include "models/tensil/json_fields.h"

namespace vp::tensil {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

/// The largest error of cycles that the device's README promises.
constexpr double kWorstCycleError = 0.05;
/// Recorded cycles are of memory without wait states, 128 bits wide.
constexpr unsigned kRecordedAxiBytes = 16;
constexpr std::size_t kLargestMemory = std::size_t{1} << 26;

Bytes hex_bytes(const json& file, const char* name) {
  const std::string text = text_field(file, name, "the recorded program");
  const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  if (text.size() % 2 != 0 || text.size() > 2 * kLargestMemory ||
      text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw UserError(std::string(name) + " is no string of hexadecimal bytes");
  Bytes bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
  return bytes;
}

void cut_zeros(Bytes& bytes) {
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
}

std::string hex_of(const Bytes& bytes, std::size_t from, std::size_t count) {
  std::string text;
  for (std::size_t i = from; i < from + count; ++i) {
    char pair[4];
    std::snprintf(pair, sizeof pair, "%02x", i < bytes.size() ? bytes[i] : 0);
    text += pair;
  }
  return text;
}

/// A TCU with its two memories.
struct Machine {
  Machine(const Architecture& architecture, Encoding encoding)
      : timing{std::min(kRecordedAxiBytes, architecture.vector_bytes())},
        dram0(timing),
        dram1(timing),
        core(architecture, encoding, OnError::stop, timing.axi_bytes, dram0, dram1) {}

  PortTiming timing;
  FixedLatencyDram dram0;
  FixedLatencyDram dram1;
  Core core;
};

Bytes memory_bytes(const VectorMemory& memory, const Architecture& architecture) {
  Bytes bytes(std::size_t{memory.depth()} * architecture.vector_bytes());
  for (unsigned row = 0; row < memory.depth(); ++row)
    write_scalars(architecture.format(), memory.row(row), &bytes[std::size_t{row} * architecture.vector_bytes()],
                  architecture.array_size);
  return bytes;
}

Bytes register_bytes(const Core& core) {
  const Architecture& architecture = core.architecture();
  Bytes bytes(std::size_t{architecture.simd_registers_depth} * architecture.vector_bytes());
  for (unsigned r = 0; r < architecture.simd_registers_depth; ++r)
    write_scalars(architecture.format(), core.simd().reg(r + 1), &bytes[std::size_t{r} * architecture.vector_bytes()],
                  architecture.array_size);
  return bytes;
}

Bytes dram_bytes(SparseBytes& memory, std::size_t depth, const Architecture& architecture) {
  const std::size_t size = depth * architecture.vector_bytes();
  if (size > kLargestMemory) throw UserError("a DRAM of more than 64 MiB is more than a recorded program needs");
  Bytes bytes(size);
  memory.read(0, bytes.data(), size);
  return bytes;
}

/// "field, vector 3: expected …, got …" of the first difference, empty if there is none.
std::string compare(const json& file, const char* field, Bytes got, unsigned vector_bytes) {
  Bytes expected = hex_bytes(file, field);
  cut_zeros(expected);
  cut_zeros(got);
  if (expected == got) return "";
  const std::size_t longest = std::max(expected.size(), got.size());
  expected.resize(longest);
  got.resize(longest);
  const auto at =
      static_cast<std::size_t>(std::mismatch(expected.begin(), expected.end(), got.begin()).first - expected.begin());
  const std::size_t begin = at / vector_bytes * vector_bytes;
  return std::string(field) + ", vector " + std::to_string(at / vector_bytes) + ": expected " +
         hex_of(expected, begin, vector_bytes) + ", got " + hex_of(got, begin, vector_bytes);
}

std::string compare_memories(const json& file, Machine& machine) {
  const Architecture& architecture = machine.core.architecture();
  const std::pair<const char*, Bytes> memories[] = {
      {"dram0_final", dram_bytes(machine.dram0.memory(), architecture.dram0_depth, architecture)},
      {"dram1_final", dram_bytes(machine.dram1.memory(), architecture.dram1_depth, architecture)},
      {"local_final", memory_bytes(machine.core.local(), architecture)},
      {"accumulators_final", memory_bytes(machine.core.accumulators(), architecture)},
      {"simd_registers_final", register_bytes(machine.core)}};
  for (const auto& [field, bytes] : memories)
    if (std::string text = compare(file, field, bytes, architecture.vector_bytes()); !text.empty()) return text;
  return "";
}

std::string compare_layout(const json& recorded, const Layout& layout) {
  const std::pair<const char*, std::uint64_t> sizes[] = {{"nbytes", layout.instruction_bytes()},
                                                         {"o0", layout.operand_bits(0)},
                                                         {"o1", layout.operand_bits(1)},
                                                         {"o2", layout.operand_bits(2)}};
  for (const auto& [name, got] : sizes) {
    const std::uint64_t expected = number_field(recorded, name, 0, 1000, "layout");
    if (expected != got)
      return std::string("layout.") + name + ": expected " + std::to_string(expected) + ", got " + std::to_string(got);
  }
  return "";
}

/// Cycles of the program as the recording ran it: on hardware of one thread, without Waits.
std::uint64_t one_thread_cycles(const Architecture& threaded, const Layout& layout, const Bytes& program) {
  Architecture architecture = threaded;
  architecture.number_of_threads = 1;
  Machine machine(architecture, layout.encoding());
  for (std::size_t at = 0; at + layout.instruction_bytes() <= program.size(); at += layout.instruction_bytes()) {
    Instruction in = layout.decode(&program[at]);
    if (threaded.number_of_threads > 1 && in.operation == Operation::no_op) continue;
    in.thread = 0;
    machine.core.execute(in);
  }
  return machine.core.timing().cycles();
}

/// Ours beside the recorded cycles; complains about an error beyond the promised.
std::string compare_cycles(const json& file, const std::string& name, const Layout& layout,
                           const Architecture& architecture, const Bytes& program, const CheckContext& context) {
  const char* const field = "rtl_cycles_zero_wait_memory";
  if (!file.contains(field) || file.at(field).is_null()) return "";
  const std::uint64_t expected = number_field(file, field, 1, std::uint64_t{1} << 40, "the recorded program");
  const std::uint64_t got = one_thread_cycles(architecture, layout, program);
  const double error = static_cast<double>(got) / static_cast<double>(expected) - 1;
  char percent[32];
  std::snprintf(percent, sizeof percent, "%+.2f", error * 100);
  const std::string line = name + ": cycles recorded " + std::to_string(expected) + ", ours " + std::to_string(got) +
                           ", error " + percent + " %";
  if (std::abs(error) > kWorstCycleError) return line;
  context.print(line);
  return "";
}

std::string replay(const json& file, const std::string& name, const char* variant, bool tells_cycles,
                   const CheckContext& context) {
  const Encoding encoding = variant == std::string("v1") ? Encoding::v1 : Encoding::v2;
  const Architecture architecture = architecture_of(field(file, "arch", "the recorded program"), "arch");
  const Bytes program = hex_bytes(file.at("programs"), variant);
  Machine machine(architecture, encoding);
  const Layout& layout = machine.core.layout();
  if (std::string text = compare_layout(field(file.at("layout"), variant, "layout"), layout); !text.empty())
    return text;
  const Bytes dram0 = hex_bytes(file, "dram0_init"), dram1 = hex_bytes(file, "dram1_init");
  machine.dram0.memory().write(0, dram0.data(), dram0.size());
  machine.dram1.memory().write(0, dram1.data(), dram1.size());
  machine.core.push(program.data(), program.size());
  if (const auto& stop = machine.core.stopped())
    return "instruction " + std::to_string(stop->program_counter) + ": " + stop->reason;
  const std::uint64_t instructions = number_field(file, "instructions", 0, kLargestMemory, "the recorded program");
  if (machine.core.figures().instructions != instructions || machine.core.pending_bytes() != 0)
    return "instructions: expected " + std::to_string(instructions) + ", got " +
           std::to_string(machine.core.figures().instructions) + " and " +
           std::to_string(machine.core.pending_bytes()) + " bytes";
  if (std::string text = compare_memories(file, machine); !text.empty()) return text;
  return tells_cycles ? compare_cycles(file, name, layout, architecture, program, context) : "";
}

bool recognises(const json& file) {
  return file.is_object() && file.contains("layout") && file.contains("programs") && file["programs"].is_object() &&
         file["layout"].is_object();
}

std::vector<CaseResult> run(const json& file, const CheckContext& context) {
  const std::string name = text_field(file, "name", "the recorded program");
  std::vector<CaseResult> results;
  for (const char* variant : {"v1", "v2"}) {
    if (!file.at("programs").contains(variant)) continue;
    const std::string difference = replay(file, name, variant, results.empty(), context);
    const auto outcome = difference.empty() ? CaseResult::Outcome::passed : CaseResult::Outcome::failed;
    results.push_back({name + "/" + variant, outcome, difference});
  }
  if (results.empty()) throw UserError("'programs' holds neither v1 nor v2");
  return results;
}

}  // namespace
}  // namespace vp::tensil

namespace vp {

GoldenFormat tensil_golden_format() { return {"tensil-golden", tensil::recognises, tensil::run}; }

}  // namespace vp
