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
/// DRAMsim3's (in-order README): no front-end delay, all banks closed by one command before a refresh, one more cycle
/// and the write preamble between read and write.
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

double percent(double got, double expected) { return expected == 0 ? 0 : 100 * (got - expected) / expected; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? 0 : n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// Errors of one replay against its recording in percent, signed.
struct Errors {
  double latency = 0;  ///< of the mean latency
  double cycles = 0;   ///< of the total cycles
  double bandwidth = 0;
  double identical = 0;  ///< share of requests with the recorded latency
};

/// One case, replayed on the queued controller (reference) and on the channel that answers at once (the platform's).
struct Comparison {
  std::string name;
  Errors queued, at_once;
};

Errors compare(const json& recorded, const std::vector<std::int64_t>& latency, const ReplayResult& got) {
  double sum = 0;
  std::size_t completed = 0, same = 0;
  for (std::size_t i = 0; i < latency.size(); ++i) {
    if (latency[i] < 0) continue;  // never completed in the recorded run
    ++completed;
    sum += static_cast<double>(got.latency[i]);
    same += latency[i] == static_cast<std::int64_t>(got.latency[i]);
  }
  if (completed == 0) throw UserError("no request of the case was completed");
  const bool whole = recorded.contains("total_cycles");  // else only the end is recorded
  const double expected = recorded.at(whole ? "total_cycles" : "end_cycle").get<double>();
  const double cycles = double(whole ? got.end - got.first : got.end);
  return {percent(sum / double(completed), recorded.at("latency").at("mean").get<double>()), percent(cycles, expected),
          percent(1 / cycles, 1 / expected), 100 * double(same) / double(completed)};
}

std::string row(const Comparison& c, const char* verdict) {
  char text[240];
  std::snprintf(text, sizeof text, "  %-34s %+9.3f %+9.3f %7.2f | %+9.3f %+9.3f %7.2f  %s", c.name.c_str(),
                c.queued.latency, c.queued.cycles, c.queued.identical, c.at_once.latency, c.at_once.cycles,
                c.at_once.identical, verdict);
  return text;
}

void print_heading(const json& file, const CheckContext& context) {
  const std::string simulator = file.at("simulator").get<std::string>();
  char text[240];
  context.print("DRAM " + file.at("config").get<std::string>() + " against " +
                simulator.substr(0, simulator.find(' ')) +
                ": errors of mean latency and total cycles, identical latencies, all in percent");
  std::snprintf(text, sizeof text, "  %-34s %9s %9s %7s | %9s %9s %7s", "", "queued:", "cycles", "same",
                "at once:", "cycles", "same");
  context.print(text);
}

/// An upper limit on a figure.
struct Band {
  const char* what;
  double value, limit;
};

/// "mean latency error 1.073 % (allowed 12 %), ..."
std::string text(const std::vector<Band>& bands) {
  std::string line;
  for (const Band& band : bands) {
    char text[160];
    std::snprintf(text, sizeof text, "%s%s %.3f %% (allowed %g %%)", line.empty() ? "" : ", ", band.what, band.value,
                  band.limit);
    line += text;
  }
  return line;
}

CaseResult judge(const std::string& name, const std::vector<Band>& bands) {
  CaseResult result{name, CaseResult::Outcome::passed, ""};
  for (const Band& band : bands)
    if (!(band.value <= band.limit)) {
      char text[160];
      std::snprintf(text, sizeof text, "%s is %.3f %%, allowed %.3f %%", band.what, band.value, band.limit);
      result.outcome = CaseResult::Outcome::failed;
      result.detail += (result.detail.empty() ? "" : "; ") + std::string(text);
    }
  return result;
}

/// The errors of all cases of a kind on one of the channels, without their signs.
std::vector<double> magnitudes(const std::vector<Comparison>& cases, Errors Comparison::*channel,
                               double Errors::*field) {
  std::vector<double> values;
  values.reserve(cases.size());
  for (const Comparison& one : cases) values.push_back(std::fabs(one.*channel.*field));
  return values;
}

// ---- one file ------------------------------------------------------------------------------------------------------

/// How the cases of a kind are judged (device README).
enum class Kind { one_outstanding, window, below_saturation, in_order, compared_only };

/// Cases of one kind in a file, to be judged together.
using Classes = std::map<Kind, std::vector<Comparison>>;

/// Judged windows are those of one rank, open page and the default mapping; the rest is compared.
bool is_plain(const ChannelConfig& config) {
  return config.ranks() == 1 && config.controller.page == dram::PagePolicy::open &&
         config.address_mapping == "rochrababgco";
}

std::string case_name(const json& recorded) {
  std::string name = recorded.at("trace").get<std::string>();
  if (recorded.contains("scheduler")) return name + " " + recorded.at("scheduler").get<std::string>();
  if (recorded.at("mode") == "open_loop") return name + " open loop";
  return name + " window " + std::to_string(recorded.at("window").get<unsigned>());
}

/// Both replays of a case.
struct Replays {
  Kind kind;
  ReplayResult queued, at_once;
};

Replays replay_accepted(const json& recorded, const ChannelConfig& config, const Trace& trace) {
  const bool in_order = recorded.at("scheduler") == "fifoStrict";
  ChannelConfig chosen = config;
  chosen.controller.scheduling = in_order ? dram::SchedulingPolicy::in_order : dram::SchedulingPolicy::oldest_ready;
  Trace accepted = trace;
  set_arrivals(accepted, numbers(recorded, "accept_delta"));
  return {in_order ? Kind::in_order : Kind::compared_only, replay_arrivals(chosen, accepted),
          replay_arrivals_at_once(chosen, accepted)};
}

Replays replay(const json& recorded, const ChannelConfig& config, const Trace& trace) {
  if (recorded.contains("scheduler")) return replay_accepted(recorded, config, trace);
  if (recorded.at("mode") == "open_loop") {
    // The controller refused requests for a time: then it was saturated.
    const bool held = recorded.contains("accept_wait") || recorded.contains("accept_wait_rle");
    return {held ? Kind::compared_only : Kind::below_saturation, replay_arrivals(config, trace),
            replay_arrivals_at_once(config, trace)};
  }
  const auto window = recorded.at("window").get<unsigned>();
  if (window < 1 || window > 4096) throw UserError("a window must be 1 to 4096 requests");
  const Kind kind = window == 1 ? Kind::one_outstanding : is_plain(config) ? Kind::window : Kind::compared_only;
  return {kind, replay_window(config, trace, window), replay_window_at_once(config, trace, window)};
}

CaseResult judge_one_outstanding(const Comparison& c) {
  return judge(c.name, {{"mean latency error", std::fabs(c.at_once.latency), 1},
                        {"total cycles error", std::fabs(c.at_once.cycles), 1},
                        {"mean latency error (queued)", std::fabs(c.queued.latency), 1},
                        {"total cycles error (queued)", std::fabs(c.queued.cycles), 1}});
}

/// The bands of a kind, for one of the channels.
std::vector<Band> bands_of(Kind kind, const std::vector<Comparison>& cases, Errors Comparison::*channel) {
  const auto latency = magnitudes(cases, channel, &Errors::latency),
             bandwidth = magnitudes(cases, channel, &Errors::bandwidth);
  switch (kind) {
    case Kind::one_outstanding: {
      std::vector<double> different = magnitudes(cases, channel, &Errors::identical);
      for (double& share : different) share = 100 - share;
      return {{"median share of differing requests", median(different), 1}};
    }
    case Kind::window:
      return {{"median bandwidth error", median(bandwidth), 5},
              {"mean bandwidth error", mean(bandwidth), 10},
              {"mean latency error", mean(latency), 12}};
    case Kind::below_saturation:
      return {{"largest mean latency error", *std::max_element(latency.begin(), latency.end()), 5}};
    case Kind::in_order:
      return {{"median latency error", median(latency), 3}, {"mean latency error", mean(latency), 10}};
    case Kind::compared_only:
      return {};
  }
  return {};
}

const char* class_name(Kind kind) {
  switch (kind) {
    case Kind::one_outstanding:
      return "class one outstanding";
    case Kind::window:
      return "class first-ready windows";
    case Kind::below_saturation:
      return "class open loop below saturation";
    case Kind::in_order:
      return "class in-order";
    case Kind::compared_only:
      return "compared only";
  }
  return "";
}

/// The verdicts over all cases of a kind: both channels must be inside the bands.
void judge_classes(const Classes& classes, const CheckContext& context, std::vector<CaseResult>& results) {
  for (const auto& [kind, cases] : classes) {
    const char* const name = class_name(kind);
    if (kind == Kind::compared_only) {
      for (const Comparison& one : cases)
        results.push_back(
            {one.name, CaseResult::Outcome::skipped, "compared and printed, no band is set for this class"});
      continue;
    }
    CaseResult verdict{name, CaseResult::Outcome::passed, ""};
    for (const auto& [suffix, channel] :
         {std::pair("at once", &Comparison::at_once), {"queued", &Comparison::queued}}) {
      const auto bands = bands_of(kind, cases, channel);
      context.print(std::string("  ") + name + ", " + suffix + ": " + text(bands));
      const CaseResult one = judge(name, bands);
      if (one.outcome == CaseResult::Outcome::passed) continue;
      verdict.outcome = one.outcome;
      verdict.detail += (verdict.detail.empty() ? "" : "; ") + std::string(suffix) + ": " + one.detail;
    }
    results.push_back(verdict);
  }
}

const char* verdict_of(Kind kind, const Comparison& c) {
  switch (kind) {
    case Kind::one_outstanding:
      return judge_one_outstanding(c).outcome == CaseResult::Outcome::passed ? "pass" : "FAIL";
    case Kind::compared_only:
      return "(compared only)";
    default:
      return "(judged by class)";
  }
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
  Classes classes;
  print_heading(file, context);
  for (const json& recorded : cases) {
    const std::string name = case_name(recorded);
    const Trace& trace = traces.get(recorded.at("trace").get<std::string>());
    const auto latency = numbers(recorded, "lat");
    if (latency.size() != trace.size()) throw UserError(name + ": the number of latencies is not that of the requests");
    const Replays got = replay(recorded, config, trace);
    const Comparison comparison{name, compare(recorded, latency, got.queued), compare(recorded, latency, got.at_once)};
    if (got.kind == Kind::one_outstanding) results.push_back(judge_one_outstanding(comparison));
    context.print(row(comparison, verdict_of(got.kind, comparison)));
    classes[got.kind].push_back(comparison);
  }
  judge_classes(classes, context, results);
  return results;
}

bool recognises(const json& file) { return is_config(file) || is_trace(file) || is_index(file); }

}  // namespace

GoldenFormat dram_golden_format() { return {"dram-golden", recognises, run}; }

}  // namespace vp
