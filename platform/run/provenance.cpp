#include "platform/run/provenance.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/common/statistics_json.h"
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

std::vector<std::string> words_of_copy;  // as global as the process; empty: it is no copy

/// Of this process, as the kernel keeps it.
std::vector<std::string> own_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::string command_line() {
  std::string line;
  for (const std::string& word : words_of_copy.empty() ? own_words() : words_of_copy)
    line += (line.empty() ? "" : " ") + shell_word(word);
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

void set_command_line(const std::vector<std::string>& words) { words_of_copy = words; }

ProvenanceFigures provenance_of(const std::string& program, const std::string& stats_file) {
  ProvenanceFigures figures;
  if (stats_file.empty()) return figures;
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
  write_file(path, json_text(statistics));
}

}  // namespace vp
