#include "platform/check/dram_golden.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/common/error.h"
#include "models/memory/dram/ini_reader.h"
#include "models/memory/dram/replay.h"

namespace vp {
namespace {

namespace fs = std::filesystem;
using dram::ChannelConfig;
using dram::Cycle;
using dram::ReplayResult;
using dram::TraceRequest;
using nlohmann::json;
using Trace = std::vector<TraceRequest>;

// ---- reading -------------------------------------------------------------------------------------------------------

bool is_config(const json& file) {
  return file.is_object() && file.contains("cases") && file.contains("simulator") &&
         (file.contains("params") || file.contains("memtimingspec"));
}

bool is_trace(const json& file) {
  return file.is_object() && file.contains("rule") && file.contains("bytes") &&
         (file.contains("addr_hex") || file.contains("addr_delta_rle"));
}

bool is_index(const json& file) {
  return file.is_array() && !file.empty() && file[0].is_object() && file[0].contains("mean_lat") &&
         file[0].contains("trace");
}

/// [value, count, value, count ...] written out.
template <typename Value>
std::vector<Value> expand(const json& pairs) {
  std::vector<Value> values;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const auto count = pairs[i + 1].get<std::size_t>();
    if (count > 10'000'000) throw UserError("a run length is larger than ten million");
    values.insert(values.end(), count, pairs[i].get<Value>());
  }
  return values;
}

/// The list `name`, or its run-length form `name`_rle; empty if there is neither.
std::vector<std::int64_t> numbers(const json& object, const std::string& name) {
  if (object.contains(name)) return object.at(name).get<std::vector<std::int64_t>>();
  if (object.contains(name + "_rle")) return expand<std::int64_t>(object.at(name + "_rle"));
  return {};
}

std::vector<std::uint64_t> addresses(const json& trace) {
  std::vector<std::uint64_t> result;
  if (trace.contains("addr_hex")) {
    std::istringstream text(trace.at("addr_hex").get<std::string>());
    for (std::uint64_t address; text >> std::hex >> address;) result.push_back(address);
    return result;
  }
  std::uint64_t address = 0;
  for (std::int64_t delta : expand<std::int64_t>(trace.at("addr_delta_rle")))
    result.push_back(address += static_cast<std::uint64_t>(delta));
  return result;
}

std::string operations(const json& trace) {
  if (trace.contains("ops")) return trace.at("ops").get<std::string>();
  std::string result;
  for (const std::string& letter : expand<std::string>(trace.at("ops_rle"))) result += letter;
  return result;
}

/// Sets arrivals from differences, the first of which is absolute.
void set_arrivals(Trace& trace, const std::vector<std::int64_t>& deltas) {
  if (deltas.size() != trace.size()) throw UserError("the number of arrivals is not the number of requests");
  constexpr std::int64_t kLongestPause = 1'000'000;
  Cycle now = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (deltas[i] < 0 || deltas[i] > kLongestPause)
      throw UserError("an arrival lies before or far behind the one before");
    trace[i].arrival = now += static_cast<Cycle>(deltas[i]);
  }
}

Trace read_trace(const fs::path& path) {
  std::ifstream in(path);
  const json file = json::parse(in);
  const auto address = addresses(file);
  const std::string ops = operations(file);
  if (address.empty() || ops.size() != address.size())
    throw UserError("the trace '" + path.string() + "' has " + std::to_string(address.size()) + " addresses and " +
                    std::to_string(ops.size()) + " operations");
  Trace trace(address.size());
  for (std::size_t i = 0; i < trace.size(); ++i) trace[i] = {address[i], ops[i] == 'W', 0};
  const auto arrivals = numbers(file, "arrival_delta");
  if (!arrivals.empty()) set_arrivals(trace, arrivals);
  return trace;
}

/// Finds request lists: in `traces` beside the configuration file, or beside a neighbouring set.
class Traces {
 public:
  explicit Traces(const std::string& config_path) {
    const fs::path folder = fs::absolute(config_path).parent_path();
    folders_.push_back(folder / "traces");
    std::vector<fs::path> neighbours;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder.parent_path(), error))
      if (fs::is_directory(entry.path() / "traces", error)) neighbours.push_back(entry.path() / "traces");
    std::sort(neighbours.begin(), neighbours.end());
    folders_.insert(folders_.end(), neighbours.begin(), neighbours.end());
  }

  const Trace& get(const std::string& name) {
    const auto known = traces_.find(name);
    if (known != traces_.end()) return known->second;
    for (const fs::path& folder : folders_) {
      const fs::path path = folder / (name + ".json");
      std::error_code error;
      if (fs::is_regular_file(path, error)) return traces_[name] = read_trace(path);
    }
    throw UserError("there is no request list 'traces/" + name + ".json' beside the file or in a neighbouring folder");
  }

 private:
  std::vector<fs::path> folders_;
  std::map<std::string, Trace> traces_;
};

/// The configuration of a DRAMsim3 file, read as its ini file would be.
ChannelConfig dramsim3_config(const json& file) {
  std::ostringstream ini;
  for (const auto& section : file.at("params").items()) {
    ini << '[' << section.key() << "]\n";
    for (const auto& key : section.value().items())
      ini << key.key() << " = " << (key.value().is_string() ? key.value().get<std::string>() : key.value().dump())
          << '\n';
  }
  std::istringstream text(ini.str());
  return dram::read_ini(text, "params");
}

/// Number of address bits that the JSON list names.
unsigned bits(const json& file, const char* name) {
  return file.at("addressmapping").contains(name) ? unsigned(file.at("addressmapping").at(name).size()) : 0;
}

/// The configuration of a DRAMSys file: memory specification, and the rules of its controller where they are not
/// DRAMsim3's (tests/golden/dram/README.md): no front-end delay, all banks closed by one command before a refresh, one
/// more cycle and the write preamble between read and write.
ChannelConfig dramsys_config(const json& file) {
  const json& spec = file.at("memtimingspec");
  const auto of = [&spec](const char* name) { return spec.at(name).get<unsigned>(); };
  ChannelConfig config;
  config.name = file.at("config").get<std::string>();
  config.clock_period = static_cast<Picoseconds>(std::llround(1e6 / spec.at("clkMhz").get<double>()));
  config.timing = {of("AL"),    of("RL"),    of("WL"),  of("RCD"),   of("RP"),    of("RAS"),   of("RFC"),   of("REFI"),
                   of("RRD_S"), of("RRD_L"), of("FAW"), of("CCD_S"), of("CCD_L"), of("WTR_S"), of("WTR_L"), of("WR"),
                   of("RTP"),   of("RTRS"),  0};
  config.structure.bank_groups = 1u << bits(file, "BANKGROUP_BIT");
  config.structure.banks_per_group = 1u << bits(file, "BANK_BIT");
  config.structure.rows = 1u << bits(file, "ROW_BIT");
  config.structure.columns = 1u << bits(file, "COLUMN_BIT");
  config.size_mib = config.rank_mib() << bits(file, "RANK_BIT");
  // Fields in the order of their lowest bits, highest first.
  std::vector<std::pair<int, std::string>> fields = {{1000, "ch"}};
  for (const auto& [key, name] : std::map<std::string, std::string>{
           {"ROW_BIT", "ro"}, {"RANK_BIT", "ra"}, {"BANK_BIT", "ba"}, {"BANKGROUP_BIT", "bg"}, {"COLUMN_BIT", "co"}})
    fields.emplace_back(bits(file, key.c_str()) ? file.at("addressmapping").at(key).at(0).get<int>() : 999, name);
  std::sort(fields.rbegin(), fields.rend());
  config.address_mapping.clear();
  for (const auto& field : fields) config.address_mapping += field.second;
  config.controller.front_end = 0;
  config.controller.precharge_all = true;
  config.controller.read_to_write_extra = 1 + of("WPRE") - of("RTRS");
  // The recorded acceptance times already hold back what the simulator's request buffers could not take.
  config.controller.transaction_queue = 4096;
  config.controller.bank_queue = 64;
  config.validate();
  return config;
}

// ---- comparing -----------------------------------------------------------------------------------------------------

/// Compares one replay with its recording and keeps the first difference. A field that the file does not record is not
/// compared.
class Comparison {
 public:
  explicit Comparison(const json& recorded) : recorded_(recorded) {}

  void number(const char* field, std::uint64_t got) {
    if (!recorded_.contains(field)) return;
    const auto expected = recorded_.at(field).get<std::int64_t>();
    if (expected != static_cast<std::int64_t>(got)) differs(field, std::to_string(expected), std::to_string(got));
  }

  /// A mean, recorded with a few decimals.
  void mean(const json& object, const char* field, const std::vector<Cycle>& values) {
    if (!object.contains(field) || values.empty()) return;
    double sum = 0;
    for (const Cycle value : values) sum += static_cast<double>(value);
    const double expected = object.at(field).get<double>(), got = sum / static_cast<double>(values.size());
    constexpr double kRounding = 0.00051;
    if (!(std::fabs(expected - got) <= kRounding))
      differs(field + std::string(" (mean)"), std::to_string(expected), std::to_string(got));
  }

  /// One value a request (a refresh).
  void list(const char* field, const std::vector<std::int64_t>& expected, const std::vector<Cycle>& got) {
    if (expected.size() != got.size())
      return differs("length of " + std::string(field), std::to_string(expected.size()), std::to_string(got.size()));
    for (std::size_t i = 0; i < got.size(); ++i)
      if (expected[i] != static_cast<std::int64_t>(got[i]))
        return differs(std::string(field) + "[" + std::to_string(i) + "]", std::to_string(expected[i]),
                       std::to_string(got[i]));
  }

  void holds(const std::string& broken) {
    if (!broken.empty()) differs("physical limits", "kept", broken);
  }

  CaseResult verdict(const std::string& name) const {
    return {name, difference_.empty() ? CaseResult::Outcome::passed : CaseResult::Outcome::failed, difference_};
  }

 private:
  void differs(const std::string& where, const std::string& expected, const std::string& got) {
    if (difference_.empty()) difference_ = where + ": expected " + expected + ", got " + got;
  }

  const json& recorded_;
  std::string difference_;
};

/// Differences between successive values, the first one absolute.
std::vector<Cycle> deltas(const std::vector<Cycle>& values) {
  std::vector<Cycle> result;
  for (std::size_t i = 0; i < values.size(); ++i) result.push_back(i == 0 ? values[i] : values[i] - values[i - 1]);
  return result;
}

/// How long each request was held at the input although its window (its arrival) would have let it in.
std::vector<Cycle> waits(const ReplayResult& got, bool from_arrival, const Trace& trace) {
  std::vector<Cycle> result;
  for (std::size_t i = 0; i < got.accepted.size(); ++i)
    result.push_back(got.accepted[i] - (from_arrival ? trace[i].arrival : got.presented[i]));
  return result;
}

// ---- one file ------------------------------------------------------------------------------------------------------

std::string case_name(const json& recorded) {
  std::string name = recorded.at("trace").get<std::string>();
  if (recorded.contains("scheduler")) return name + " " + recorded.at("scheduler").get<std::string>();
  if (recorded.at("mode") == "open_loop") return name + " open loop";
  return name + " window " + std::to_string(recorded.at("window").get<unsigned>());
}

bool is_arrival_driven(const json& recorded) {
  return recorded.contains("scheduler") || recorded.at("mode") == "open_loop";
}

/// The replay of a case, and the cycles of its refreshes up to the last data.
std::pair<ReplayResult, std::vector<Cycle>> replay(const json& recorded, ChannelConfig config, const Trace& trace) {
  std::vector<Cycle> refreshes;
  const auto observer = [&refreshes](dram::Command command, unsigned, Cycle at) {
    if (command == dram::Command::refresh) refreshes.push_back(at);
  };
  if (recorded.contains("scheduler"))
    config.controller.scheduling = recorded.at("scheduler") == "fifoStrict" ? dram::SchedulingPolicy::in_order
                                                                            : dram::SchedulingPolicy::oldest_ready;
  if (is_arrival_driven(recorded)) {
    ReplayResult got = dram::replay_arrivals(config, trace, observer);
    return {std::move(got), std::move(refreshes)};
  }
  const auto window = recorded.at("window").get<unsigned>();
  if (window < 1 || window > 4096) throw UserError("a window must be 1 to 4096 requests");
  ReplayResult got = dram::replay_window(config, trace, window, observer);
  return {std::move(got), std::move(refreshes)};
}

CaseResult check_case(const json& recorded, const ChannelConfig& config, Trace trace) {
  const auto latency = numbers(recorded, "lat");
  if (latency.size() != trace.size()) throw UserError("the number of latencies is not that of the requests");
  if (recorded.contains("scheduler")) set_arrivals(trace, numbers(recorded, "accept_delta"));
  const auto [got, refreshes] = replay(recorded, config, trace);
  Comparison comparison(recorded);
  comparison.list("lat", latency, got.latency);
  const auto issues = numbers(recorded, "issue_delta");
  if (!issues.empty()) comparison.list("issue_delta", issues, deltas(got.accepted));
  const std::vector<Cycle> held = waits(got, is_arrival_driven(recorded), trace);
  const auto accept_wait = numbers(recorded, "accept_wait");
  if (!accept_wait.empty()) comparison.list("accept_wait", accept_wait, held);
  comparison.number("first_issue_cycle", got.first);
  comparison.number("end_cycle", got.end);
  comparison.number("total_cycles", got.end - got.first);
  comparison.number("act", got.activates);
  comparison.number("pre", got.precharges);
  comparison.number("ref", got.refreshes);
  if (recorded.contains("ref_cycles")) comparison.list("ref_cycles", numbers(recorded, "ref_cycles"), refreshes);
  comparison.number("wait_held", static_cast<std::uint64_t>(held.size() - std::count(held.begin(), held.end(), 0u)));
  comparison.number("wait_max", *std::max_element(held.begin(), held.end()));
  comparison.mean(recorded, "wait_mean", held);
  comparison.mean(recorded.at("latency"), "mean", got.latency);
  comparison.holds(got.broken_limit);
  return comparison.verdict(case_name(recorded));
}

std::vector<CaseResult> run(const json& file, const CheckContext& context) {
  if (!is_config(file)) return {};
  std::vector<CaseResult> results;
  const json& cases = file.at("cases");
  if (file.value("reference_only", false)) {
    for (const json& recorded : cases)
      results.push_back({case_name(recorded), CaseResult::Outcome::skipped,
                         "reference only: a split write buffer that this model does not have"});
    return results;
  }
  const ChannelConfig config = file.contains("params") ? dramsim3_config(file) : dramsys_config(file);
  Traces traces(context.path);
  std::size_t requests = 0;
  for (const json& recorded : cases) {
    const Trace& trace = traces.get(recorded.at("trace").get<std::string>());
    try {
      results.push_back(check_case(recorded, config, trace));
    } catch (const UserError& error) {
      throw UserError(case_name(recorded) + ": " + error.what());
    }
    requests += trace.size();
  }
  const std::string simulator = file.at("simulator").get<std::string>();
  context.print("DRAM " + file.at("config").get<std::string>() + " against " +
                simulator.substr(0, simulator.find(' ')) + ": " + std::to_string(requests) + " requests of " +
                std::to_string(cases.size()) + " cases compared one by one");
  return results;
}

bool recognises(const json& file) { return is_config(file) || is_trace(file) || is_index(file); }

}  // namespace

GoldenFormat dram_golden_format() { return {"dram-golden", recognises, run}; }

}  // namespace vp
