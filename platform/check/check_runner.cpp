#include "platform/check/check_runner.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <system_error>
#include <thread>

#include "models/common/error.h"
#include "platform/common/progress.h"

namespace vp {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

void add_folder(const fs::path& folder, std::vector<std::string>& files) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::follow_directory_symlink, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
    if (entry->path().extension() == ".json" && !entry->is_directory()) found.push_back(entry->path().string());
  if (error) throw UserError("cannot read the folder '" + folder.string() + "': " + error.message());
  if (found.empty()) throw UserError("the folder '" + folder.string() + "' holds no golden file (*.json)");
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

json read_json(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw UserError("cannot be opened");
  json file = json::parse(in, nullptr, /*allow_exceptions=*/true);
  if (in.bad()) throw UserError("cannot be read");
  return file;
}

void run_file(const std::string& path, const std::vector<GoldenFormat>& formats, FileResult& result) {
  const json file = read_json(path);
  const auto format =
      std::find_if(formats.begin(), formats.end(), [&](const GoldenFormat& f) { return f.recognises(file); });
  if (format == formats.end()) throw UserError("is of no known golden format");
  const CheckContext context{path, [&result](const std::string& line) { result.lines.push_back(line); }};
  result.cases = format->run(file, context);
}

/// Results by file index, handed from the worker threads to the one that prints.
class Results {
 public:
  explicit Results(std::size_t files) : results_(files) {}

  void put(std::size_t index, FileResult result) {
    const std::lock_guard lock(mutex_);
    results_[index] = std::move(result);
    ++done_;
    changed_.notify_one();
  }

  /// Waits for the file `index`; shows the progress meanwhile.
  FileResult take(std::size_t index, Progress& progress) {
    std::unique_lock lock(mutex_);
    while (!results_[index]) {
      changed_.wait(lock);
      progress.update(done_);
    }
    FileResult result = std::move(*results_[index]);
    results_[index] = FileResult{};
    return result;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<FileResult>> results_;
  std::size_t done_ = 0;
};

void print_file(const std::string& path, const FileResult& result, CheckTotals& totals, std::ostream& out) {
  for (const std::string& line : result.lines) out << line << '\n';
  for (const CaseResult& one : result.cases) {
    switch (one.outcome) {
      case CaseResult::Outcome::passed:
        ++totals.passed;
        break;
      case CaseResult::Outcome::failed:
        ++totals.failed;
        out << "FAIL " << path << ": " << one.name << ": " << one.detail << '\n';
        break;
      case CaseResult::Outcome::skipped:
        ++totals.skipped;
        out << "SKIP " << path << ": " << one.name << ": " << one.detail << '\n';
        break;
    }
  }
}

}  // namespace

std::vector<std::string> golden_files(const std::vector<std::string>& operands) {
  std::vector<std::string> files;
  for (const std::string& operand : operands) {
    std::error_code error;
    const fs::file_status status = fs::status(operand, error);
    if (fs::is_directory(status))
      add_folder(operand, files);
    else if (fs::exists(status))
      files.push_back(operand);
    else
      throw UserError("cannot check '" + operand + "': " + (error ? error.message() : "No such file or directory"));
  }
  return files;
}

FileResult check_file(const std::string& path, const std::vector<GoldenFormat>& formats) {
  FileResult result;
  try {
    run_file(path, formats, result);
  } catch (const json::parse_error& error) {
    result.cases.push_back({"file", CaseResult::Outcome::failed, std::string("is no valid JSON: ") + error.what()});
  } catch (const std::exception& error) {
    result.cases.push_back({"file", CaseResult::Outcome::failed, error.what()});
  }
  return result;
}

CheckTotals check_files(const std::vector<std::string>& files, const std::vector<GoldenFormat>& formats, unsigned jobs,
                        std::ostream& out) {
  Results results(files.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::min<std::size_t>(jobs, files.size()); ++i)
    workers.emplace_back([&] {
      for (std::size_t index = next++; index < files.size(); index = next++)
        results.put(index, check_file(files[index], formats));
    });

  CheckTotals totals;
  Progress progress("checking", files.size());
  for (std::size_t index = 0; index < files.size(); ++index) {
    const FileResult result = results.take(index, progress);
    if (std::any_of(result.cases.begin(), result.cases.end(),
                    [](const CaseResult& one) { return one.outcome != CaseResult::Outcome::passed; }) ||
        !result.lines.empty())
      progress.hide();
    print_file(files[index], result, totals, out);
  }
  progress.hide();
  for (std::thread& worker : workers) worker.join();
  out << totals.passed << " passed, " << totals.failed << " failed, " << totals.skipped << " skipped\n";
  return totals;
}

}  // namespace vp
