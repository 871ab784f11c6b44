#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "platform/check/golden_format.h"

namespace vp {

/// Verdicts of a check, over all files.
struct CheckTotals {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
};

/// The golden files that operands name: a file stands for itself, a folder for every *.json below it, sorted by path.
/// Throws UserError: nothing of that name, an unreadable folder, a folder without any *.json file.
std::vector<std::string> golden_files(const std::vector<std::string>& operands);

/// Everything that one file yields: lines to print, and one result a case.
struct FileResult {
  std::vector<std::string> lines;
  std::vector<CaseResult> cases;
};

/// Replays one file with the first of `formats` that recognises it. A file that cannot be read, is no JSON, is
/// malformed or of an unknown format is one failed case; nothing is thrown.
FileResult check_file(const std::string& path, const std::vector<GoldenFormat>& formats);

/// Replays all files on `jobs` threads and prints, in the order of `files`: what formats print, one line a failing case
/// ("FAIL file: case: first difference"), one line a skipped case with its reason, and at the end
/// "N passed, N failed, N skipped".
CheckTotals check_files(const std::vector<std::string>& files, const std::vector<GoldenFormat>& formats, unsigned jobs,
                        std::ostream& out);

}  // namespace vp
