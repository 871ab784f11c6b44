#include "platform/run/tensil_files.h"

#include <filesystem>
#include <sstream>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "platform/files/whole_file.h"

namespace vp {

using namespace tensil;

namespace {

bool is_csv(const std::string& path) { return std::filesystem::path(path).extension() == ".csv"; }

Frames all_frames(const TensilRunOptions& options, const Model& model) {
  const std::string content = read_file(options.input);
  const Architecture& architecture = model.architecture;
  if (is_csv(options.input)) {
    if (options.input_lanes) throw UserError("--input-lanes is for raw input, not for a CSV file");
    return parse_csv_frames(content, architecture, model.input_vectors(), options.input);
  }
  const std::uint64_t lanes = options.input_lanes.value_or(architecture.array_size);
  if (lanes < 1 || lanes > architecture.array_size)
    throw UserError("--input-lanes: " + std::to_string(lanes) + " is out of range (allowed: 1 to " +
                    std::to_string(architecture.array_size) + ")");
  return split_raw_frames(content, architecture, model.input_vectors(), static_cast<unsigned>(lanes), options.input);
}

}  // namespace

std::string read_tensil_companion(const std::string& model, const std::string& name, std::uint64_t size) {
  const std::string path = (std::filesystem::path(model).parent_path() / name).string();
  std::string content = read_file(path);
  if (content.size() != size)
    throw UserError(path + ": has " + counted(content.size(), "byte") + ", but " + model + " says " +
                    std::to_string(size));
  return content;
}

std::vector<std::string> read_classes(const std::string& path) {
  std::vector<std::string> names;
  if (path.empty()) return names;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    names.push_back(line);
  }
  if (names.empty()) throw UserError(path + ": holds no class");
  return names;
}

Frames read_frames(const TensilRunOptions& options, const Model& model) {
  Frames frames = all_frames(options, model);
  if (options.images && *options.images < frames.size()) frames.resize(*options.images);
  return frames;
}

std::string read_tensil_program(const std::string& path, const Model& model, const TensilConfig& config) {
  const unsigned length = Layout(config.architecture, config.encoding).instruction_bytes();
  std::string program = read_tensil_companion(path, model.program_file, model.program_bytes);
  if (program.size() % length != 0)
    throw UserError(model.program_file + ": " + counted(program.size(), "byte") +
                    " are no whole number of instructions of " + std::to_string(length));
  return program;
}

std::vector<TensilOutput> read_outputs(
    const Model& model, std::string& raw,
    const std::function<void(std::uint64_t offset, std::uint8_t* bytes, std::size_t count)>& read) {
  std::vector<TensilOutput> all;
  const Architecture& architecture = model.architecture;
  for (const Model::Tensor& tensor : model.outputs) {
    std::vector<std::uint8_t> bytes(tensor.size * architecture.vector_bytes());
    read(tensor.base * architecture.vector_bytes(), bytes.data(), bytes.size());
    raw.append(bytes.begin(), bytes.end());
    TensilOutput output{tensor.name, std::vector<std::int32_t>(tensor.size * architecture.array_size)};
    read_scalars(architecture.format(), bytes.data(), output.scalars.data(),
                 static_cast<unsigned>(output.scalars.size()));
    all.push_back(std::move(output));
  }
  return all;
}

}  // namespace vp
