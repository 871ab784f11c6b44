#include "platform/run/provenance.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "models/common/version.h"
#include "platform/common/identity.h"
#include "platform/files/whole_file.h"

namespace vp {

namespace {

/// A word as a shell would need it.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::strchr("_./:=,+-@%", c) != nullptr;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Of this process, as the kernel keeps it.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string line, word;
  while (std::getline(file, word, '\0')) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

}  // namespace

ProvenanceFigures provenance_of(const std::string& program) {
  ProvenanceFigures figures;
  figures.program = program;
  // What comes through a pipe cannot be read a second time.
  std::error_code ignored;
  if (std::filesystem::is_regular_file(program, ignored)) figures.program_sha256 = sha256(read_file(program));
  figures.command_line = command_line();
  figures.version = VP_VERSION;
  figures.build = build_id();
  figures.date = date();
  return figures;
}

void write_statistics_file(Statistics& statistics, const ProvenanceFigures& provenance, const std::string& path) {
  if (path.empty()) return;
  RunTree tree;
  tree.provenance = provenance;
  write_figures(tree, statistics);
  std::ostringstream json;
  statistics.write_json(json);
  write_file(path, json.str());
}

}  // namespace vp
