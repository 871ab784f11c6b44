#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/tinytpu/axi_port.h"
#include "platform/check/tinytpu_case.h"
#include "platform/check/tinytpu_golden.h"

namespace vp {
namespace {

using namespace tinytpu_check;
using nlohmann::json;
using tinytpu::AxiPort;
using tinytpu::Core;
using tinytpu::Edge;
using tinytpu::kNoEdge;

// The test bench's habits: see tests/golden/tinytpu/README.md.
constexpr Edge kFirstEdge = 16;
constexpr Edge kWriteGiveUp = 400, kReadGiveUp = 100;
constexpr Edge kResetCycles = 4;

std::string hex(std::uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llX", digits, static_cast<unsigned long long>(value));
  return text;
}

/// One line of the script: an operation letter and its operands.
class Operation {
 public:
  explicit Operation(const std::string& line) : line_(line), words_(line) { words_ >> letter; }
  std::uint64_t number(int base) {
    std::string text;
    words_ >> text;
    try {
      std::size_t used = 0;
      const std::uint64_t value = std::stoull(text, &used, base);
      if (used == text.size()) return value;
    } catch (const std::logic_error&) {
    }
    throw UserError("is malformed: script line '" + line_ + "'");
  }
  std::string letter;

 private:
  std::string line_;
  std::istringstream words_;
};

/// Plays a script against the port as the recorded master did and writes the same log. SYNCHRONIZE lines ("S edge")
/// come from another process of the test bench, so they are kept apart.
class Master {
 public:
  explicit Master(const tinytpu::TinyTpuConfig& config) : core_(config), port_(core_) {}

  void play(const std::string& line) {
    checked_edge(now_);
    Operation op(line);
    if (op.letter == "w" || op.letter == "q" || op.letter == "x") return write(op);
    if (op.letter == "r") return read(op);
    if (op.letter == "y") return slow_read(op);
    if (op.letter == "n") return idle(checked_edge(op.number(10)));
    if (op.letter == "s") return wait_for_synchronize();
    if (op.letter == "b") return both(checked_edge(op.number(10)));
    if (op.letter == "R") return reset();
    throw UserError("is malformed: script line '" + line + "'");
  }
  const std::vector<std::string>& log() const { return log_; }
  Edge now() const { return now_; }
  /// Pulses up to the end of the program.
  std::vector<Edge> pulses() {
    take_pulses(checked_edge(core_.predict_finish()));
    return pulses_;
  }

 private:
  void take_pulses(Edge last) {
    while (core_.next_synchronize() != kNoEdge && core_.next_synchronize() <= last)
      pulses_.push_back(core_.take_synchronize());
  }
  std::uint64_t offset(Operation& op) { return op.number(16) % port_.map().window(); }
  static std::string edge(Edge value, Edge last) { return value > last ? "-1" : std::to_string(value); }

  void write(Operation& op) {
    const std::uint64_t address = offset(op);
    const std::uint32_t data = static_cast<std::uint32_t>(op.number(16));
    unsigned strobes = static_cast<unsigned>(op.number(2));
    if (op.letter == "x") strobes = 0;  // dropped before the port samples them
    const AxiPort::WriteTimes times = port_.write(address, data, strobes, now_);
    const Edge last = now_ + kWriteGiveUp;
    const bool done = times.response <= last;
    if (op.letter != "q")
      log_.push_back("w " + std::to_string(now_) + " " + edge(times.address, last) + " " + edge(times.data, last) +
                     " " + edge(times.response, last) + (done ? " 0" : " 2"));
    now_ = done ? times.response + 1 : last + 1;
  }

  void read(Operation& op) {
    const std::uint64_t address = op.number(16);
    const AxiPort::ReadAnswer answer = port_.read(address % port_.map().window(), now_);
    const Edge last = now_ + kReadGiveUp;
    const bool done = answer.response <= last;
    const Edge end = done ? answer.response : last;
    log_.push_back("r " + std::to_string(now_) + " " + edge(answer.address, last) + " " + std::to_string(end) + " " +
                   hex(address, 5) + " " + hex(done ? answer.data : 0, 8));
    now_ = end + 1;
  }

  void slow_read(Operation& op) {
    const Edge delay = checked_edge(op.number(10));
    const AxiPort::ReadAnswer answer = port_.read(offset(op), now_, delay);
    if (answer.response == kNoEdge)
      throw Difference("a read with delayed RREADY is never answered: the port is blocked");
    log_.push_back("y " + std::to_string(now_) + " early0 " + std::to_string(answer.response) + " " +
                   hex(answer.data, 8));
    now_ = answer.response + 1;
  }

  void idle(Edge cycles) { now_ += cycles; }

  void wait_for_synchronize() {
    if (now_ > 0) take_pulses(now_ - 1);
    const Edge pulse = core_.next_synchronize();
    if (pulse == kNoEdge) throw Difference("no SYNCHRONIZE will come after edge " + std::to_string(now_));
    log_.push_back("s " + std::to_string(pulse + 1) + " " + std::to_string(pulse + 1 - now_));
    now_ = pulse + 1;
  }

  /// Address valid of both directions together: an idle port shows both ready and takes neither.
  void both(Edge cycles) {
    for (Edge i = 0; i < cycles; ++i, ++now_) {
      const std::string ready = port_.free_from() <= now_ ? "'1'" : "'0'";
      log_.push_back("b " + std::to_string(now_) + " aw" + ready + " ar" + ready);
    }
    log_.push_back("bprogress 0");
    ++now_;
  }

  void reset() {
    take_pulses(now_);
    port_.reset(now_, kResetCycles);
    now_ += kResetCycles + 1;
  }

  Core core_;
  AxiPort port_;
  Edge now_ = kFirstEdge;
  std::vector<std::string> log_;
  std::vector<Edge> pulses_;
};

void expect_log(const std::vector<std::string>& expected, const std::vector<std::string>& got) {
  for (std::size_t i = 0; i < std::max(expected.size(), got.size()); ++i) {
    const std::string wanted = i < expected.size() ? expected[i] : "none", actual = i < got.size() ? got[i] : "none";
    if (wanted != actual)
      throw Difference("log entry " + std::to_string(i) + ": expected '" + wanted + "', got '" + actual + "'");
  }
}

void replay_axi(const json& file) {
  Master master(config_of(file));
  for (const json& line : file.at("script")) master.play(line.get<std::string>());
  std::vector<std::string> operations;
  json pulses = json::array();
  for (const json& entry : file.at("log")) {
    const std::string line = entry.get<std::string>();
    if (line.rfind("S ", 0) == 0) {
      Operation pulse(line);
      pulses.push_back(pulse.number(10));
    } else {
      operations.push_back(line);
    }
  }
  expect_log(operations, master.log());
  std::vector<Edge> got = master.pulses();
  // The recording stops with the script: what comes later is in it or not.
  while (got.size() > pulses.size() && got.back() >= master.now()) got.pop_back();
  expect_edges("SYNCHRONIZE", pulses, got);
}

}  // namespace

GoldenFormat tinytpu_axi_format() {
  return {"tinytpu-axi-1", [](const json& file) { return has_schema(file, "tinytpu-axi-1"); },
          [](const json& file, const CheckContext&) {
            const std::string name = text_or(file, "id", "case") + "-" + text_or(file, "library", "");
            return std::vector<CaseResult>{judge(name, [&] { replay_axi(file); })};
          }};
}

}  // namespace vp
