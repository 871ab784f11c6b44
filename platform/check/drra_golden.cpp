#include "platform/check/drra_golden.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "models/common/error.h"
#include "models/drra/core.h"
#include "models/drra/program.h"
#include "platform/check/drra_case.h"

namespace vp::drra {
namespace {

using nlohmann::json;

/// Of values that come from the tables of sigmoid and tanh, in units of the last place: ours are our own.
constexpr int kTableTolerance = 6;
/// A recorded run is a few hundred cycles long.
constexpr Cycle kLongestRun = 1'000'000;

/// Ends a comparison at the first difference.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string text_of(const Place& place) { return std::to_string(place.first) + "," + std::to_string(place.second); }

void expect(const std::string& what, std::int64_t expected, std::int64_t got, int tolerance = 0) {
  if (expected < got - tolerance || expected > got + tolerance)  // a recording may hold any number
    throw Difference(what + ": expected " + std::to_string(expected) + ", got " + std::to_string(got));
}

/// All writes of a run, in the form of the recording.
class WriteLog : public CoreObserver {
 public:
  explicit WriteLog(unsigned columns) : columns_(columns) {}
  // cycle, row, column, address, value
  using RegisterWrite = std::tuple<Cycle, unsigned, unsigned, unsigned, std::int16_t>;
  using TileWrite = std::tuple<Cycle, unsigned, unsigned, unsigned, Row>;

  void on_register_write(Cycle cycle, unsigned cell, unsigned address, std::int16_t value) override {
    registers_.emplace_back(cycle, cell / columns_, cell % columns_, address, value);
  }
  void on_tile_write(Cycle cycle, unsigned row, unsigned column, unsigned address, const Row& value) override {
    tiles_.emplace_back(cycle, row, column, address, value);
  }
  /// In the order of cycle, cell and address; the recording has the same order within a cycle only by chance.
  std::vector<RegisterWrite> registers() const { return sorted(registers_); }
  std::vector<TileWrite> tiles() const { return sorted(tiles_); }

  template <typename Write>
  static std::vector<Write> sorted(std::vector<Write> writes) {
    std::sort(writes.begin(), writes.end());
    return writes;
  }

 private:
  unsigned columns_;
  std::vector<RegisterWrite> registers_;
  std::vector<TileWrite> tiles_;
};

/// One program on a fabric, and what the file says about its end.
class Replay {
 public:
  explicit Replay(const json& file)
      : file_(file), core_(drra_check::fabric_of(file, {})), log_(core_.config().columns) {
    load(drra_check::program_of(file), core_);
    for (unsigned i = 0; i < core_.cells(); ++i) uses_tables_ = uses_tables_ || uses_tables(core_.cell(i).sequencer);
    core_.set_observer(&log_);
    core_.start();
    if (file.at("cycles").is_null()) {
      core_.run_to(kLongestRun);
      if (!core_.done()) throw Difference("the program did not end within " + std::to_string(kLongestRun) + " cycles");
    } else {
      const std::int64_t cycles = file.at("cycles").at("simulated").get<std::int64_t>();
      if (cycles < 0 || cycles > static_cast<std::int64_t>(kLongestRun)) throw UserError("cycles.simulated is no run");
      core_.advance_to(static_cast<Cycle>(cycles));
    }
  }

  void compare_contents() const {
    for (unsigned i = 0; i < core_.cells(); ++i) {
      const Cell& cell = core_.cell(i);
      compare_registers(cell, file_.at("rf_final"));
    }
    compare_tiles(file_.at("sram_final"));
    if (!file_.contains("io_output_final")) return;
    for (const auto& entry : file_.at("io_output_final").items()) {
      const unsigned row = drra_check::number_of(entry.key(), "row of the IO buffer");
      if (row >= core_.config().io_rows) throw UserError("io_output_final names a row beyond the buffer");
      compare_row("IO output row " + entry.key(), drra_check::row_of(entry.value()), core_.dimarch().output(row));
    }
  }

  void compare_cycles() const {
    const json& cycles = file_.at("cycles");
    for (const auto& entry : cycles.at("halt").items()) {
      const Place place = drra_check::place_of(entry.key());
      if (place.first >= kRows || place.second >= core_.config().columns) throw UserError("cycles.halt names no cell");
      expect("halt of cell " + entry.key(), entry.value().get<std::int64_t>(),
             static_cast<std::int64_t>(core_.cell(place.first, place.second).halted));
    }
    expect("last activity", cycles.at("last_activity").get<std::int64_t>(),
           static_cast<std::int64_t>(core_.last_activity()));
  }

  void compare_writes() const {
    std::vector<WriteLog::RegisterWrite> registers;
    for (const json& entry : file_.at("rf_write_trace"))
      registers.emplace_back(entry.at(0).get<Cycle>(), entry.at(1).get<unsigned>(), entry.at(2).get<unsigned>(),
                             entry.at(3).get<unsigned>(), entry.at(4).get<std::int16_t>());
    compare("register write", WriteLog::sorted(registers), log_.registers(), [this](const auto& one, const auto& two) {
      return key(one) == key(two) && std::abs(std::get<4>(one) - std::get<4>(two)) <= tolerance();
    });
    std::vector<WriteLog::TileWrite> tiles;
    for (const json& entry : file_.at("sram_write_trace"))
      tiles.emplace_back(entry.at(0).get<Cycle>(), entry.at(1).get<unsigned>(), entry.at(2).get<unsigned>(),
                         entry.at(3).get<unsigned>(), drra_check::row_of(entry.at(4)));
    compare("SRAM write", WriteLog::sorted(tiles), log_.tiles(),
            [](const auto& one, const auto& two) { return one == two; });
  }

  void compare_raccu() const {
    const json& written = file_.at("raccu_last_written");
    for (unsigned i = 0; i < core_.cells(); ++i) {
      const Cell& cell = core_.cell(i);
      const std::string place = text_of({cell.row, cell.column});
      const json registers = written.value(place, json::object());
      for (unsigned number = 0; number < kRaccuRegisters; ++number) {
        const std::string name = "RACCU register " + std::to_string(number) + " of cell " + place;
        const bool changed = (cell.sequencer.raccu().changed() >> number & 1) != 0;
        const std::string text = std::to_string(number);
        if (registers.contains(text) != changed)
          throw Difference(name + (changed ? " changed, expected not to" : " was expected to change"));
        if (changed) expect(name, registers.at(text).get<std::int64_t>(), cell.sequencer.raccu()[number]);
      }
    }
  }

 private:
  static bool uses_tables(const Sequencer& sequencer) {
    for (unsigned pc = 0; pc < sequencer.length(); ++pc) {
      const Instruction& in = sequencer.at(pc);
      if (in.operation != Operation::dpu) continue;
      const auto mode = static_cast<DpuMode>(in[dpu::mode]);
      if (mode == DpuMode::sigm || mode == DpuMode::tanhyp) return true;
    }
    return false;
  }
  int tolerance() const { return uses_tables_ ? kTableTolerance : 0; }

  static std::tuple<Cycle, unsigned, unsigned, unsigned> key(const WriteLog::RegisterWrite& write) {
    return {std::get<0>(write), std::get<1>(write), std::get<2>(write), std::get<3>(write)};
  }

  template <typename Write, typename Equal>
  static void compare(const std::string& what, const std::vector<Write>& expected, const std::vector<Write>& got,
                      Equal equal) {
    const std::size_t common = std::min(expected.size(), got.size());
    for (std::size_t i = 0; i < common; ++i)
      if (!equal(expected[i], got[i]))
        throw Difference(what + " " + std::to_string(i) + ": expected " + place(expected[i]) + ", got " +
                         place(got[i]));
    expect(what + "s", static_cast<std::int64_t>(expected.size()), static_cast<std::int64_t>(got.size()));
  }

  static std::string place(const WriteLog::RegisterWrite& write) {
    return place_text(write) + ", " + std::to_string(std::get<4>(write));
  }
  static std::string place(const WriteLog::TileWrite& write) {
    std::string text = place_text(write) + ", [";
    for (const std::int16_t word : std::get<4>(write)) text += std::to_string(word) + " ";
    return text + "]";
  }
  template <typename Write>
  static std::string place_text(const Write& write) {
    return "cycle " + std::to_string(std::get<0>(write)) + ", " + text_of({std::get<1>(write), std::get<2>(write)}) +
           ", address " + std::to_string(std::get<3>(write));
  }

  void compare_registers(const Cell& cell, const json& final) const {
    const std::string place = text_of({cell.row, cell.column});
    const json words = final.value(place, json::array());
    for (unsigned i = 0; i < kRegisterWords; ++i)
      expect("register " + std::to_string(i) + " of cell " + place, i < words.size() ? words[i].get<std::int64_t>() : 0,
             cell.registers[i], tolerance());
  }

  void compare_tiles(const json& final) const {
    const DrraConfig& config = core_.config();
    for (unsigned row = 1; row <= config.dimarch_rows; ++row)
      for (unsigned column = 0; column < config.columns; ++column) {
        const std::string place = text_of({row, column});
        const json rows = final.value(place, json::object());
        for (unsigned address = 0; address < kTileRows; ++address) {
          const auto found = rows.find(std::to_string(address));
          compare_row("SRAM " + place + " row " + std::to_string(address),
                      found == rows.end() ? Row{} : drra_check::row_of(*found),
                      core_.dimarch().tile(row, column, address));
        }
      }
  }

  static void compare_row(const std::string& what, const Row& expected, const Row& got) {
    for (unsigned j = 0; j < kBlockWords; ++j) expect(what + ", word " + std::to_string(j), expected[j], got[j]);
  }

  const json& file_;
  Core core_;
  WriteLog log_;
  bool uses_tables_ = false;
};

std::vector<CaseResult> run_program(const json& file, const CheckContext& context) try {
  CaseResult result{file.at("name").get<std::string>(), CaseResult::Outcome::passed, ""};
  const bool recorded = file.at("provenance") == "rtl";
  try {
    const Replay replay(file);
    if (recorded) {
      replay.compare_writes();
      replay.compare_cycles();
      replay.compare_raccu();
    }
    replay.compare_contents();
  } catch (const Difference& difference) {
    result.detail = difference.what();
    result.outcome = recorded ? CaseResult::Outcome::failed : CaseResult::Outcome::skipped;
  }
  if (!recorded && context.print)
    context.print(result.name + " (derived from documents, not recorded): " +
                  (result.detail.empty() ? "as documented" : result.detail));
  return {result};
} catch (const json::exception& error) {
  throw UserError(std::string("The recorded run is malformed: ") + error.what() + ".");
}

bool is_dpu_file(const json& file) {
  return file.is_array() && !file.empty() && file[0].is_object() && file[0].contains("schema") &&
         file[0]["schema"] == "drra-dpu-unit-1";
}

unsigned small(const json& step, const char* name, unsigned limit) {
  const std::int64_t value = step.at(name).get<std::int64_t>();
  if (value < 0 || value >= limit) throw UserError(std::string(name) + " is out of range");
  return static_cast<unsigned>(value);
}

/// Outputs are sampled before the clock edge that takes the inputs of the same step.
void replay_dpu(const json& sequence) {
  Dpu dpu;
  unsigned number = 0;
  for (const json& step : sequence.at("steps")) {
    const auto mode = static_cast<DpuMode>(small(step, "mode_cfg", 32));
    dpu.set_modifiers(static_cast<std::uint8_t>(small(step, "constant", 256)),
                      static_cast<std::uint8_t>(small(step, "io_change", 4)));
    const bool tables = dpu.mode() == DpuMode::sigm || dpu.mode() == DpuMode::tanhyp;
    for (unsigned i = 0; i < 2; ++i)
      expect("step " + std::to_string(number) + ", output " + std::to_string(i),
             step.at("out").at(i).get<std::int64_t>(), dpu.output(i), tables ? kTableTolerance : 0);
    expect("step " + std::to_string(number) + ", condition", step.at("cond").get<std::int64_t>(), dpu.condition());
    Dpu::Inputs in;
    for (unsigned i = 0; i < in.size(); ++i) in[i] = step.at("in").at(i).get<std::int16_t>();
    dpu.clock(in, true, step.at("acc_clear_rst").get<int>() != 0);
    dpu.set_mode(mode, 2);
    ++number;
  }
}

std::vector<CaseResult> run_dpu_file(const json& file, const CheckContext&) try {
  std::vector<CaseResult> results;
  for (const json& sequence : file) {
    CaseResult result{"mode " + std::to_string(sequence.at("mode").get<int>()) + ", io_change " +
                          std::to_string(sequence.at("io_change").get<int>()),
                      CaseResult::Outcome::passed, ""};
    try {
      replay_dpu(sequence);
    } catch (const Difference& difference) {
      result.outcome = CaseResult::Outcome::failed;
      result.detail = difference.what();
    }
    results.push_back(result);
  }
  return results;
} catch (const json::exception& error) {
  throw UserError(std::string("The recorded sequence is malformed: ") + error.what() + ".");
}

}  // namespace
}  // namespace vp::drra

namespace vp {

GoldenFormat drra_golden_format() { return {"drra-golden-1", drra_check::is_program, drra::run_program}; }
GoldenFormat drra_dpu_format() { return {"drra-dpu-unit-1", drra::is_dpu_file, drra::run_dpu_file}; }

}  // namespace vp
