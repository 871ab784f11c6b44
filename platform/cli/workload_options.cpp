#include "platform/cli/workload_options.h"

#include <algorithm>
#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>

#include "models/cdma/part.h"
#include "models/tinytpu/part.h"
#include "platform/cli/configuration_options.h"
#include "platform/cli/effect.h"
#include "platform/cli/option_values.h"
#include "platform/workload/workload_run.h"

namespace vp {

namespace {

namespace po = boost::program_options;
using workload::Mover;
using workload::WorkloadOptions;

/// Meaningful with --workload only.
constexpr std::array<const char*, 1> kOnlyWithWorkload = {"mover"};
/// The options that a workload takes; all others are of other runs.
constexpr std::array<const char*, 12> kOwn = {"workload", "max-time", "mover", "batch",       "feed-gap", "timeout",
                                              "stats",    "config",   "set",   "dump-config", "machine",  "plugin"};
/// Where the default machine's map has its place.
constexpr std::array<const char*, 3> kAddedCdma = {"cdma0.kind=cdma", "cdma0.base=0x4E200000", "cdma0.interrupt=6"};

Mover parse_mover(const std::string& word) {
  if (word == "cpu") return Mover::cpu;
  if (word == "cdma") return Mover::cdma;
  throw UserError("'" + word.substr(0, 80) + "' is neither cpu nor cdma");
}

WorkloadOptions workload_options(const po::variables_map& values) {
  WorkloadOptions options;
  options.file = value_of(values, "workload");
  if (options.file.empty()) throw UserError("run: --workload needs a file");
  with_option(values, "mover", parse_mover, [&](Mover mover) { options.mover = mover; });
  with_option(values, "batch", parse_integer, [&](std::uint64_t batch) {
    if (batch < 1 || batch > 1'000'000) throw UserError("out of range (allowed: 1 to 1000000)");
    options.batch = batch;
  });
  with_option(values, "feed-gap", parse_integer, [&](std::uint64_t gap) {
    if (gap < 1 || gap > 1'000'000'000) throw UserError("out of range (allowed: 1 to 1000000000)");
    options.feed_gap = gap;
  });
  options.timeout = timeout_of(values);
  options.max_time = max_time_of(values);
  options.stats_file = value_of(values, "stats");
  return options;
}

bool has_cdma(const MachineSettings& settings) {
  for (const DescribedPart& part : settings.parts())
    if (part.kind == &cdma_kind() && part.settings->present) return true;
  return false;
}

/// What a run of the mover must not have: the host's time passes otherwise, and its input is somebody else's.
void prepare(MachineSettings& settings) {
  if (settings.fidelity != Fidelity::timed) {
    const Parameter* const fidelity = settings.table.find("fidelity");
    if (fidelity->source != "default")
      throw UserError("run: --workload needs fidelity=timed, since functional CPU times are no estimate (" +
                      fidelity->source + ")");
    settings.table.set("fidelity", "timed", "--workload");
  }
  for (const char* console : {"uart0.input", "uart1.input"})
    if (settings.table.find(console)) settings.table.set(console, "", "--workload");
}

}  // namespace

void add_workload_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = options.add_options();
  add("workload", text("FILE.csv"), "estimate a network's layers in SCALE-Sim's topology format, or a list of M,K,N");
  add("mover", text("cpu|cdma"), "with it: who brings weights and activations (default cpu)");
}

bool wants_workload(const po::variables_map& values) { return values.count("workload") != 0; }

void refuse_workload_options(const po::variables_map& values) {
  for (const char* name : kOnlyWithWorkload)
    if (values.count(name)) throw UserError("run: --" + std::string(name) + " needs --workload");
  if (values.count("batch") && !values.count("network")) throw UserError("run: --batch needs --network or --workload");
}

void check_workload_options(const po::variables_map& values) {
  if (!operands(values).empty()) throw UserError("run: a CPU program and --workload exclude each other");
  for (const auto& [name, value] : values)
    if (!value.defaulted() && std::find(kOwn.begin(), kOwn.end(), name) == kOwn.end())
      throw UserError("run: --workload and --" + name + " exclude each other");
  workload_options(values);
}

int run_workload_command(const po::variables_map& values) {
  check_workload_options(values);
  const WorkloadOptions options = workload_options(values);
  MachineSources sources = machine_sources(values);
  if (options.mover == Mover::cdma && !has_cdma(MachineSettings(sources))) {
    sources.assignments.insert(sources.assignments.begin(), kAddedCdma.begin(), kAddedCdma.end());
    std::cerr << "tinytpu-vp: the machine has no AXI CDMA: one is added, as";
    for (const char* assignment : kAddedCdma) std::cerr << " --set " << assignment;
    std::cerr << " does\n";
  }
  MachineSettings settings(sources);
  prepare(settings);
  settings.check();
  const auto& tpu = find_device<TinyTpuSettings>(settings, "tinyTPU");
  if (!tpu.present) throw UserError("the machine has no tinyTPU: " + tpu.name() + ".present is false");
  return run_workload(
      options, settings, tpu.config(),
      [&] {
        dump_configuration(settings, values);
        warn_of_settings_without_effect(values, settings);
      },
      std::cout, std::cerr);
}

}  // namespace vp
