#include "platform/run/instruction_file.h"

#include <cstdio>

namespace vp {

namespace {

/// Exact: a time is a whole number of picoseconds.
std::string nanoseconds(Picoseconds time) {
  if (time == kNever) return "-";
  std::string fraction = std::to_string(time % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(time / 1000) + "." + fraction;
}

}  // namespace

void InstructionFile::begin() {
  output_.begin();
  if (std::FILE* file = output_.file())
    std::fprintf(file, "# %6s %16s %16s %16s  %-44s %s\n", "number", "pushed/ns", "issued/ns", "done/ns", "instruction",
                 "pushed by");
}

void InstructionFile::take(const LoggedInstruction& in) {
  std::FILE* file = output_.file();
  if (!file) return;
  const std::string text = in.unit.empty() ? in.text : in.unit + ", " + in.text;
  std::string by = words("", in.origin, origin_);
  if (by.empty()) by = "-";
  std::fprintf(file, "%8llu %16s %16s %16s  %-44s %s\n", static_cast<unsigned long long>(in.number),
               nanoseconds(in.pushed).c_str(), nanoseconds(in.issued).c_str(), nanoseconds(in.done).c_str(),
               text.c_str(), by.c_str());
}

}  // namespace vp
