#include "models/memory/dram/ini_reader.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "models/memory/dram/address_map.h"

namespace vp::dram {
namespace {

enum class Need { required, optional, ignored };

/// One key of the file: how its text goes into the configuration. Empty for ignored keys.
struct Key {
  const char* section;
  const char* name;
  Need need;
  std::function<void(ChannelConfig&, const std::string&)> assign;
};

using Assign = std::function<void(ChannelConfig&, const std::string&)>;

unsigned small_number(const std::string& text) {
  const std::uint64_t value = parse_integer(text);
  if (value > 0x7fff'ffff) throw UserError("a whole number up to 2147483647 is expected");
  return static_cast<unsigned>(value);
}

Assign number(unsigned Structure::*field) {
  return [field](ChannelConfig& c, const std::string& text) { c.structure.*field = small_number(text); };
}
Assign cycles(unsigned Timing::*field) {
  return [field](ChannelConfig& c, const std::string& text) { c.timing.*field = small_number(text); };
}
Assign number(unsigned Controller::*field) {
  return [field](ChannelConfig& c, const std::string& text) { c.controller.*field = small_number(text); };
}

/// A word from a list; the second of the pair goes to `store`.
template <typename Value>
Assign word(std::vector<std::pair<std::string, Value>> words, std::function<void(ChannelConfig&, Value)> store) {
  return [words = std::move(words), store = std::move(store)](ChannelConfig& c, const std::string& text) {
    std::string known;
    for (const auto& entry : words) {
      if (entry.first == text) return store(c, entry.second);
      known += (known.empty() ? "" : ", ") + entry.first;
    }
    throw UserError("allowed are " + known);
  };
}

void set_clock(ChannelConfig& config, const std::string& text) {
  const double ns = parse_real(text);
  if (!(ns >= 0.001 && ns <= 1000)) throw UserError("0.001 to 1000 ns are allowed");
  config.clock_period = static_cast<Picoseconds>(std::llround(ns * 1000));
}

Assign only(const std::string& allowed, const std::string& why) {
  return [allowed, why](ChannelConfig&, const std::string& text) {
    if (text != allowed) throw UserError("only " + allowed + " is modelled (" + why + ")");
  };
}

Assign accepted_boolean() {
  return [](ChannelConfig&, const std::string& text) {
    if (text != "true" && text != "false") throw UserError("allowed are true, false");
  };
}

std::vector<Key> structure_keys() {
  using S = Structure;
  const char* section = "dram_structure";
  return {{section, "protocol", Need::required,
           word<Protocol>({{"DDR3", Protocol::ddr3},
                           {"DDR4", Protocol::ddr4},
                           {"LPDDR", Protocol::lpddr},
                           {"LPDDR3", Protocol::lpddr3},
                           {"LPDDR4", Protocol::lpddr4}},
                          [](ChannelConfig& c, Protocol p) { c.structure.protocol = p; })},
          {section, "bankgroups", Need::required, number(&S::bank_groups)},
          {section, "banks_per_group", Need::required, number(&S::banks_per_group)},
          {section, "rows", Need::required, number(&S::rows)},
          {section, "columns", Need::required, number(&S::columns)},
          {section, "device_width", Need::required, number(&S::device_width)},
          {section, "BL", Need::required, number(&S::burst_length)}};
}

std::vector<Key> timing_keys() {
  using T = Timing;
  std::vector<Key> keys = {{"timing", "tCK", Need::required, set_clock}};
  const std::pair<const char*, unsigned T::*> required[] = {
      {"CL", &T::cl},        {"CWL", &T::cwl},      {"tRCD", &T::rcd},     {"tRP", &T::rp},       {"tRAS", &T::ras},
      {"tRFC", &T::rfc},     {"tREFI", &T::refi},   {"tRRD_S", &T::rrd_s}, {"tRRD_L", &T::rrd_l}, {"tFAW", &T::faw},
      {"tCCD_S", &T::ccd_s}, {"tCCD_L", &T::ccd_l}, {"tWTR_S", &T::wtr_s}, {"tWTR_L", &T::wtr_l}, {"tWR", &T::wr},
      {"tRTP", &T::rtp},     {"tRTRS", &T::rtrs}};
  for (const auto& key : required) keys.push_back({"timing", key.first, Need::required, cycles(key.second)});
  keys.push_back({"timing", "AL", Need::optional, cycles(&T::al)});
  keys.push_back({"timing", "tPPD", Need::optional, cycles(&T::ppd)});
  // Preamble, power-down, self-refresh, fine-granularity and bank-level refresh: not modelled, without effect in
  // DRAMsim3's default policies, and present in every upstream file.
  for (const char* name : {"tRPRE", "tWPRE", "tRFC2", "tRFC4", "tRFCb", "tREFIb", "tWR2", "tCKE", "tCKESR", "tCKSRE",
                           "tXS", "tXP", "ideal_memory_latency"})
    keys.push_back({"timing", name, Need::ignored, nullptr});
  return keys;
}

std::vector<Key> system_keys() {
  using C = Controller;
  const char* section = "system";
  return {{section, "channel_size", Need::required,
           [](ChannelConfig& c, const std::string& text) { c.size_mib = small_number(text); }},
          {section, "bus_width", Need::required,
           [](ChannelConfig& c, const std::string& text) { c.bus_width = small_number(text); }},
          {section, "channels", Need::optional, only("1", "each memory of the platform is one channel")},
          {section, "address_mapping", Need::required,
           [](ChannelConfig& c, const std::string& text) {
             c.address_mapping = text;
             check_mapping(text);
           }},
          {section, "queue_structure", Need::optional, only("PER_BANK", "one queue a bank")},
          {section, "refresh_policy", Need::optional,
           word<RefreshPolicy>({{"RANK_LEVEL_STAGGERED", RefreshPolicy::staggered},
                                {"RANK_LEVEL_SIMULTANEOUS", RefreshPolicy::all_ranks}},
                               [](ChannelConfig& c, RefreshPolicy p) { c.controller.refresh = p; })},
          {section, "row_buf_policy", Need::optional,
           word<PagePolicy>({{"OPEN_PAGE", PagePolicy::open}, {"CLOSE_PAGE", PagePolicy::closed}},
                            [](ChannelConfig& c, PagePolicy p) { c.controller.page = p; })},
          {section, "cmd_queue_size", Need::optional, number(&C::bank_queue)},
          {section, "trans_queue_size", Need::optional, number(&C::transaction_queue)},
          {section, "unified_queue", Need::optional, accepted_boolean()},
          {section, "write_buf_size", Need::ignored, nullptr},
          {section, "enable_self_refresh", Need::optional, only("false", "self-refresh is not modelled")},
          {section, "sref_threshold", Need::ignored, nullptr},
          {section, "aggressive_precharging_enabled", Need::optional, only("false", "rows close on demand")}};
}

Assign current(std::optional<double> Power::*field) {
  return [field](ChannelConfig& c, const std::string& text) {
    const double value = parse_real(text);
    if (!(value >= 0 && value <= 1e6)) throw UserError("0 to 1000000 are allowed");
    c.power.*field = value;
  };
}

std::vector<Key> power_keys() {
  using P = Power;
  std::vector<Key> keys;
  const std::pair<const char*, std::optional<double> P::*> known[] = {
      {"VDD", &P::vdd},     {"IDD0", &P::idd0},   {"IDD2N", &P::idd2n},  {"IDD3N", &P::idd3n},
      {"IDD4W", &P::idd4w}, {"IDD4R", &P::idd4r}, {"IDD5AB", &P::idd5ab}};
  for (const auto& key : known) keys.push_back({"power", key.first, Need::optional, current(key.second)});
  // Of power-down, self-refresh and bank-level refresh, which are not modelled, and of the pump's supply, which
  // DRAMsim3 does not count.
  for (const char* name : {"IDD2P", "IDD3P", "IDD5PB", "IDD6x", "IPP0", "VPP"})
    keys.push_back({"power", name, Need::ignored, nullptr});
  return keys;
}

const std::set<std::string>& ignored_sections() {
  static const std::set<std::string> sections = {"other", "thermal"};
  return sections;
}

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Reads line by line; keeps where it is for messages.
class Reader {
 public:
  Reader(std::istream& text, std::string file) : text_(text), file_(std::move(file)) {
    for (auto part : {structure_keys(), timing_keys(), system_keys(), power_keys()})
      for (Key& key : part) keys_.push_back(std::move(key));
    config_.name = file_;
    config_.controller.bank_queue = 16;  // DRAMsim3's default, for a file that does not say
  }

  ChannelConfig read() {
    std::string line;
    while (std::getline(text_, line)) {
      ++line_number_;
      read_line(trim(line.substr(0, line.find_first_of(";#"))));
    }
    if (text_.bad()) throw UserError("Cannot read '" + file_ + "'.");
    for (const Key& key : keys_)
      if (key.need == Need::required && seen_.count(std::string(key.section) + "." + key.name) == 0)
        throw UserError(file_ + ": the key '" + key.name + "' is missing in section [" + key.section + "].");
    config_.validate();
    return config_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw UserError(file_ + ":" + std::to_string(line_number_) + ": " + what);
  }

  void read_line(const std::string& line) {
    if (line.empty()) return;
    if (line.front() == '[') return enter_section(line);
    const auto equals = line.find('=');
    if (equals == std::string::npos) refuse("expected 'key = value' or '[section]'.");
    if (section_.empty()) refuse("a key before the first [section].");
    if (ignored_sections().count(section_) == 0) read_key(trim(line.substr(0, equals)), trim(line.substr(equals + 1)));
  }

  void enter_section(const std::string& line) {
    if (line.back() != ']') refuse("the section's name does not end with ']'.");
    section_ = trim(line.substr(1, line.size() - 2));
    std::vector<std::string> known = {"dram_structure", "timing", "system", "power"};
    known.insert(known.end(), ignored_sections().begin(), ignored_sections().end());
    for (const std::string& name : known)
      if (name == section_) return;
    refuse("unknown section [" + section_ + "]" + suggestion(section_, known));
  }

  void read_key(const std::string& name, const std::string& value) {
    std::vector<std::string> names;
    for (const Key& key : keys_) {
      if (section_ != key.section) continue;
      names.emplace_back(key.name);
      if (name != key.name) continue;
      if (!seen_.insert(section_ + "." + name).second) refuse("the key '" + name + "' is given twice.");
      return assign(key, value);
    }
    if (section_ == "power") return;  // every maker has keys of its own there
    refuse("unknown key '" + name + "' in section [" + section_ + "]" + suggestion(name, names));
  }

  void assign(const Key& key, const std::string& value) {
    if (!key.assign) return;
    try {
      key.assign(config_, value);
    } catch (const UserError& error) {
      refuse("'" + std::string(key.name) + " = " + value + "': " + error.what());
    }
  }

  static std::string suggestion(const std::string& word_given, const std::vector<std::string>& known) {
    const std::string near = nearest_word(word_given, known);
    if (!near.empty()) return ": did you mean '" + near + "'?";
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    return "; known are " + list + ".";
  }

  std::istream& text_;
  std::string file_;
  std::string section_;
  unsigned line_number_ = 0;
  std::vector<Key> keys_;
  std::set<std::string> seen_;
  ChannelConfig config_;
};

}  // namespace

ChannelConfig read_ini(std::istream& text, const std::string& file_name) { return Reader(text, file_name).read(); }

ChannelConfig read_ini_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError("Cannot open the DRAM configuration '" + path + "'.");
  return read_ini(file, path);
}

}  // namespace vp::dram
