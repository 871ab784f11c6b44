#include "platform/check/matmul_golden.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/common/error.h"
#include "models/matmul/core.h"
#include "models/matmul/isa.h"
#include "models/matmul/messages.h"
#include "models/matmul/run_recorder.h"

namespace vp::matmul {
namespace {

using nlohmann::json;

/// Clock edges before the first step: two in reset, four idle.
constexpr std::uint64_t kPowerUpClocks = 6;
/// Successive clocks at rest that end a settle step.
constexpr std::uint64_t kRestClocks = 16;

std::string to_hex(const std::uint8_t* bytes, std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::vector<std::uint8_t> from_hex(const std::string& text) {
  if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    throw UserError("send_hex is no string of hexadecimal bytes.");
  }
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// A thread's runs in the form of the recorded files.
json runs_json(const std::vector<RunRecord>& runs) {
  json list = json::array();
  for (const RunRecord& run : runs) {
    json instructions = json::array();
    for (const InstructionRecord& record : run.instructions) {
      json instruction = {{"op", record.disabled ? "DISABLE" : format_of(record.opcode).mnemonic}, {"pc", record.pc}};
      if (record.cycles) instruction["cycles"] = *record.cycles;
      instructions.push_back(instruction);
    }
    json entry = {{"start", run.start}, {"instr", instructions}};
    if (run.finish) {
      entry["finish"] = *run.finish;
      entry["cycles"] = *run.finish - run.start;
      entry["end"] = run.disabled ? "disabled" : "idle";
    }
    list.push_back(entry);
  }
  return list;
}

unsigned bounded(const json& params, const char* name, unsigned low, unsigned high) {
  const std::int64_t value = params.at(name).get<std::int64_t>();
  if (value < low || value > high) {
    throw UserError("params." + std::string(name) + " is " + std::to_string(value) + ", expected " +
                    std::to_string(low) + " to " + std::to_string(high) + ".");
  }
  return static_cast<unsigned>(value);
}

unsigned power_of_two(const json& params, const char* name, unsigned high) {
  const unsigned value = bounded(params, name, 1, high);
  if ((value & (value - 1)) != 0) throw UserError("params." + std::string(name) + " is no power of two.");
  return value;
}

CoreConfig config_of(const json& params) {
  CoreConfig config;
  config.mesh = bounded(params, "mesh", 1, 64);
  config.tile = bounded(params, "tile", 1, 64);
  config.symbol_clocks = bounded(params, "symbol_clocks", 1, 1u << 20);
  config.imem_words = power_of_two(params, "imem_words", 1u << 20);
  config.bmem_words = power_of_two(params, "bmem_words", 1u << 20);
  config.tx_fifo_bytes = bounded(params, "tx_fifo_bytes", 1, 1u << 16);
  return config;
}

/// Feeds the recorded steps to a core and collects what the recording holds.
class Replay {
 public:
  explicit Replay(const CoreConfig& config) : config_(config), core_(config) {
    core_.add_observer(recorder_);
    core_.advance_to(kPowerUpClocks);
  }

  void step(const json& step) {
    if (step.size() != 1) throw UserError("A step has other than one command.");
    const std::string command = step.begin().key();
    const json& value = step.begin().value();
    if (command == "send_hex") {
      send(from_hex(value.get<std::string>()));
    } else if (command == "settle_max") {
      settle(clocks(value));
    } else if (command == "idle") {
      core_.advance_to(core_.cycle() + clocks(value));
    } else if (command == "cts") {
      core_.set_cts(value.get<int>() != 0);
    } else {
      throw UserError("Unknown step '" + command + "', expected send_hex, settle_max, idle or cts.");
    }
    collect();
  }

  /// In the form of the recording. addresses: the recorded memory, of which the addresses and lengths are used.
  json result(const json& memory) {
    const DecodedBytes decoded = decode_messages(bytes_, config_);
    json messages = json::array();
    for (const Message& message : decoded.messages) {
      messages.push_back({{"header", message.header}, {"words", message.words}});
    }
    const bool hang = std::find(settled_.begin(), settled_.end(), json(false)) != settled_.end();
    return {{"uart_out_hex", to_hex(bytes_.data(), bytes_.size())},
            {"messages", messages},
            {"trailing_hex", to_hex(bytes_.data() + decoded.rest, bytes_.size() - decoded.rest)},
            {"frame_start_cycles", starts_},
            {"settled", settled_},
            {"hang", hang},
            {"threads", {{"0", runs_json(recorder_.runs()[0])}, {"1", runs_json(recorder_.runs()[1])}}},
            {"bmem", memory_like(memory)}};
  }

 private:
  static std::uint64_t clocks(const json& value) {
    const std::int64_t count = value.get<std::int64_t>();
    if (count < 0 || count > std::int64_t{1} << 40) throw UserError("A step's number of clocks is out of range.");
    return static_cast<std::uint64_t>(count);
  }

  void send(const std::vector<std::uint8_t>& bytes) {
    for (std::uint8_t byte : bytes) {
      core_.put_frame(byte, core_.cycle() + 1);
      core_.advance_to(core_.cycle() + config_.frame_clocks());
    }
  }

  void settle(std::uint64_t limit) {
    const std::uint64_t end = core_.cycle() + limit * (config_.symbol_clocks == 16 ? 1 : 40);
    std::uint64_t rest = 0;  // successive clocks at rest
    while (core_.cycle() < end) {
      if (!core_.at_rest()) core_.advance_to(std::min(core_.next_event() - 1, end - 1));  // until then it will not be
      core_.advance_to(core_.cycle() + 1);
      rest = core_.at_rest() ? rest + 1 : 0;
      if (rest == kRestClocks) {
        settled_.push_back(true);
        return;
      }
    }
    settled_.push_back(false);
  }

  void collect() {
    for (const SentFrame& frame : core_.take_frames()) {
      bytes_.push_back(frame.byte);
      starts_.push_back(frame.start_cycle);
    }
  }

  json memory_like(const json& recorded) const {
    json memory = json::object();
    for (const auto& block : recorded.items()) {
      const std::uint64_t base = parse_address(block.key());
      json words = json::array();
      for (std::uint32_t i = 0; i < block.value().size(); ++i)
        words.push_back(static_cast<std::int32_t>(core_.memory().read(static_cast<std::uint32_t>(base) + i)));
      memory[block.key()] = words;
    }
    return memory;
  }

  static std::uint64_t parse_address(const std::string& text) {
    if (text.compare(0, 2, "0x") != 0 || text.size() < 3 || text.size() > 10 ||
        text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos) {
      throw UserError("The memory address '" + text + "' is no hexadecimal number.");
    }
    return std::stoul(text.substr(2), nullptr, 16);
  }

  CoreConfig config_;
  RunRecorder recorder_;
  Core core_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> starts_;
  json settled_ = json::array();
};

/// "place: expected …, got …" of the first difference, empty if the two are equal.
std::string first_difference(const json& expected, const json& actual, const std::string& place) {
  if (expected == actual) return "";
  if (expected.is_array() && actual.is_array()) {
    const std::size_t common = std::min(expected.size(), actual.size());
    for (std::size_t i = 0; i < common; ++i) {
      const std::string difference = first_difference(expected[i], actual[i], place + "[" + std::to_string(i) + "]");
      if (!difference.empty()) return difference;
    }
    return place + ": expected " + std::to_string(expected.size()) + " entries, got " + std::to_string(actual.size());
  }
  if (expected.is_object() && actual.is_object()) {
    for (const auto& item : expected.items()) {
      const std::string inner = place.empty() ? item.key() : place + "." + item.key();
      if (!actual.contains(item.key())) return inner + ": expected " + item.value().dump() + ", got nothing";
      const std::string difference = first_difference(item.value(), actual[item.key()], inner);
      if (!difference.empty()) return difference;
    }
    for (const auto& item : actual.items())
      if (!expected.contains(item.key()))
        return place + "." + item.key() + ": expected nothing, got " + item.value().dump();
  }
  return place + ": expected " + expected.dump() + ", got " + actual.dump();
}

bool recognises(const json& file) {
  if (!file.is_object() || !file.contains("params") || !file.contains("steps") || !file.contains("expect"))
    return false;
  const json& params = file["params"];
  return params.is_object() && params.contains("mesh") && params.contains("tile") && params.contains("symbol_clocks");
}

std::vector<CaseResult> run(const json& file, const CheckContext&) {
  try {
    Replay replay(config_of(file.at("params")));
    for (const json& step : file.at("steps")) replay.step(step);
    const json& expect = file.at("expect");
    const std::string difference = first_difference(expect, replay.result(expect.at("bmem")), "");
    const auto outcome = difference.empty() ? CaseResult::Outcome::passed : CaseResult::Outcome::failed;
    return {{file.at("id").get<std::string>(), outcome, difference}};
  } catch (const json::exception& error) {
    throw UserError(std::string("The recorded run is malformed: ") + error.what() + ".");
  }
}

}  // namespace
}  // namespace vp::matmul

namespace vp {

GoldenFormat matmul_golden_format() { return {"matmul-golden", matmul::recognises, matmul::run}; }

}  // namespace vp
