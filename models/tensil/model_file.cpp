#include "models/tensil/model_file.h"

#include <cstdlib>

#include "models/common/error.h"
#include "models/common/wording.h"
#include "models/tensil/json_fields.h"

namespace vp::tensil {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLargestProgram = std::uint64_t{1} << 30;  // bytes
constexpr std::size_t kMostEntries = 1024;

const json& list(const json& object, const char* name, const std::string& source) {
  const json& value = field(object, name, source);
  if (!value.is_array() || value.size() > kMostEntries)
    throw UserError(source + ": '" + name + "' is no list of up to " + std::to_string(kMostEntries) + " entries");
  return value;
}

/// A file beside the model's: no path leads out of its folder.
std::string file_name(const json& object, const std::string& source) {
  std::string name = text_field(object, "file_name", source);
  if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    throw UserError(source + ": 'file_name' is '" + name + "', but must name a file beside the model");
  return name;
}

/// Reads base and size of something that lies in a memory of `depth` vectors.
template <typename Region>
void read_region(const json& object, std::uint64_t depth, const std::string& source, Region& region) {
  region.base = number_field(object, "base", 0, depth - 1, source);
  region.size = number_field(object, "size", 1, depth - region.base, source);
}

std::vector<Model::Tensor> tensors(const json& object, const char* name, std::uint64_t depth,
                                   const std::string& source) {
  std::vector<Model::Tensor> all;
  for (const json& entry : list(object, name, source)) {
    const std::string place = source + ": " + name + "[" + std::to_string(all.size()) + "]";
    Model::Tensor tensor{text_field(entry, "name", place)};
    read_region(entry, depth, place, tensor);
    all.push_back(tensor);
  }
  if (all.empty()) throw UserError(source + ": '" + name + "' is empty");
  return all;
}

/// The number that begins at `*text`, which is moved behind it and the comma after it.
double next_number(const char*& text, const std::string& place) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text) throw UserError(place + ": a decimal number is expected");
  while (*end == ' ' || *end == '\t' || *end == '\r') ++end;
  if (*end == ',')
    ++end;
  else if (*end != '\0')
    throw UserError(place + ": a comma is expected between numbers");
  text = end;
  return value;
}

void require_whole_frames(std::uint64_t got, std::uint64_t frame, const char* thing, const std::string& source,
                          const std::string& made_of = "") {
  if (got == 0 || got % frame != 0)
    throw UserError(source + ": has " + counted(got, thing) + ", which is no whole number of frames of " +
                    std::to_string(frame) + made_of);
}

}  // namespace

std::uint64_t Model::input_vectors() const {
  std::uint64_t vectors = 0;
  for (const Tensor& input : inputs) vectors += input.size;
  return vectors;
}

Model parse_model(const std::string& text, const std::string& source) {
  const json file = parse_object(text, source);
  Model model;
  model.name = text_field(file, "name", source);
  model.architecture = architecture_of(field(file, "arch", source), source + ": arch");
  const json& program = field(file, "prog", source);
  model.program_file = file_name(program, source + ": prog");
  model.program_bytes = number_field(program, "size", 1, kLargestProgram, source + ": prog");
  for (const json& entry : list(file, "consts", source)) {
    const std::string place = source + ": consts[" + std::to_string(model.constants.size()) + "]";
    Model::Constants constants{file_name(entry, place)};
    read_region(entry, model.architecture.dram1_depth, place, constants);
    model.constants.push_back(constants);
  }
  model.inputs = tensors(file, "inputs", model.architecture.dram0_depth, source);
  model.outputs = tensors(file, "outputs", model.architecture.dram0_depth, source);
  if (const auto found = file.find("load_consts_to_local"); found != file.end()) {
    if (!found->is_boolean()) throw UserError(source + ": 'load_consts_to_local' is neither true nor false");
    model.load_constants_to_local = found->get<bool>();
  }
  for (const Model::Constants& constants : model.constants)
    if (model.load_constants_to_local && constants.base + constants.size > model.architecture.local_depth)
      throw UserError(source + ": the constants are more than local memory holds");
  return model;
}

Frames split_raw_frames(const std::string& content, const Architecture& architecture, std::uint64_t vectors,
                        unsigned lanes, const std::string& source) {
  const std::size_t filled = std::size_t{lanes} * architecture.format().bytes;
  require_whole_frames(content.size(), vectors * filled, "byte", source,
                       " (" + counted(vectors, "vector") + " of " + counted(lanes, "scalar") + " of " +
                           counted(architecture.format().bytes, "byte") +
                           "; where a file fills only some lanes of each, --input-lanes says how many)");
  Frames frames(content.size() / (vectors * filled));
  auto from = content.begin();
  for (auto& frame : frames) {
    frame.resize(vectors * architecture.vector_bytes());
    for (auto to = frame.begin(); to != frame.end();
         to += architecture.vector_bytes(), from += static_cast<long>(filled))
      std::copy_n(from, filled, to);
  }
  return frames;
}

Frames parse_csv_frames(const std::string& text, const Architecture& architecture, std::uint64_t vectors,
                        const std::string& source) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int32_t> scalars(architecture.array_size);
  std::uint64_t lines = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::string place = source + ":" + std::to_string(++lines);
    begin = end + 1;
    unsigned lane = 0;
    for (const char* at = line.c_str(); *at != '\0' && *at != '\r'; ++lane) {
      const double value = next_number(at, place);
      if (lane == scalars.size())
        throw UserError(place + ": more numbers than the " + std::to_string(scalars.size()) + " lanes of a vector");
      scalars[lane] = quantise(architecture.format(), value);
    }
    std::fill(scalars.begin() + lane, scalars.end(), 0);
    bytes.resize(bytes.size() + architecture.vector_bytes());
    write_scalars(architecture.format(), scalars.data(), &bytes[bytes.size() - architecture.vector_bytes()],
                  architecture.array_size);
  }
  require_whole_frames(lines, vectors, "line", source);
  Frames frames;
  const auto frame = static_cast<std::ptrdiff_t>(vectors * architecture.vector_bytes());
  for (auto at = bytes.begin(); at != bytes.end(); at += frame) frames.emplace_back(at, at + frame);
  return frames;
}

}  // namespace vp::tensil
