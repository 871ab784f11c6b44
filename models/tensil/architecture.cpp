#include "models/tensil/architecture.h"

#include <algorithm>
#include <utility>

#include "models/common/error.h"
#include "models/tensil/json_fields.h"

namespace vp::tensil {
namespace {

using nlohmann::json;

constexpr std::uint64_t kDeepestDram = std::uint64_t{1} << 31;  // an address must fit its operand
constexpr std::uint64_t kDeepestMemory = std::uint64_t{1} << 22;
constexpr std::uint64_t kMemoryScalars = std::uint64_t{1} << 26;  // of local memory, of accumulators

/// A whole number of the architecture: one list for files, parameters and comparison.
struct Size {
  unsigned Architecture::*member;
  const char* name;
  std::uint64_t low;
  std::uint64_t high;
  const char* help;
  bool required = true;  ///< in a file; others keep their default
};

constexpr bool kOptional = false;
constexpr Size kSizes[] = {
    {&Architecture::array_size, "array_size", 1, 256, "rows and columns of the array, scalars of a vector"},
    {&Architecture::dram0_depth, "dram0_depth", 2, kDeepestDram, "vectors that the DRAM0 port reaches"},
    {&Architecture::dram1_depth, "dram1_depth", 2, kDeepestDram, "vectors that the DRAM1 port reaches"},
    {&Architecture::local_depth, "local_depth", 2, kDeepestMemory, "vectors of local memory"},
    {&Architecture::accumulator_depth, "accumulator_depth", 2, kDeepestMemory, "vectors of the accumulators"},
    {&Architecture::simd_registers_depth, "simd_registers_depth", 0, 255, "SIMD registers a lane"},
    {&Architecture::stride0_depth, "stride0_depth", 1, 32, "strides of operand 0 that can be encoded"},
    {&Architecture::stride1_depth, "stride1_depth", 1, 32, "strides of operand 1 that can be encoded"},
    {&Architecture::number_of_threads, "number_of_threads", 1, 4, "hardware threads (encoding v2)", kOptional},
    {&Architecture::thread_queue_depth, "thread_queue_depth", 1, 4096, "instructions a thread looks ahead", kOptional},
    {&Architecture::number_of_luts, "number_of_luts", 0, 255, "value tables of Lookup (no key of Tensil's)", kOptional},
    {&Architecture::lut_depth, "lut_depth", 0, 65'536, "entries of a Lookup table (no key of Tensil's)", kOptional}};

DataType data_type_of(const std::string& name, const std::string& source) {
  std::string allowed;
  for (unsigned i = 0; i < std::size(kFixedPoints); ++i) {
    if (name == kFixedPoints[i].name) return static_cast<DataType>(i);
    allowed += std::string(i ? ", " : "") + kFixedPoints[i].name;
  }
  throw UserError(source + ": 'data_type' is '" + name + "' (allowed: " + allowed + ")");
}

Architecture preset(unsigned array, unsigned dram0, unsigned dram1, unsigned local, unsigned acc) {
  Architecture made;
  made.array_size = array;
  made.dram0_depth = dram0;
  made.dram1_depth = dram1;
  made.local_depth = local;
  made.accumulator_depth = acc;
  return made;
}

}  // namespace

void Architecture::check(const std::string& source) const {
  const auto require = [&](bool holds, const std::string& sentence) {
    if (!holds) throw UserError(source + ": " + sentence);
  };
  const std::uint64_t lanes = array_size;
  for (const auto& [depth, name] : {std::pair(local_depth, "local_depth"), {accumulator_depth, "accumulator_depth"}})
    require(depth * lanes <= kMemoryScalars, std::string(name) + " × array_size is " + std::to_string(depth * lanes) +
                                                 " scalars (allowed: up to " + std::to_string(kMemoryScalars) + ")");
  for (const auto& [depth, name] : {std::pair(dram0_depth, "dram0_depth"), {dram1_depth, "dram1_depth"}})
    require(std::uint64_t{vector_bytes()} * depth <= std::uint64_t{1} << 32,
            std::string(name) + " vectors of " + std::to_string(vector_bytes()) +
                " bytes are more than the 4 GiB that the port can address");
  require((number_of_luts == 0) == (lut_depth == 0), "number_of_luts and lut_depth must be zero both or neither");
  require(number_of_luts <= simd_registers_depth,
          "number_of_luts is " + std::to_string(number_of_luts) + ", but a lookup has only " +
              std::to_string(simd_registers_depth) + " SIMD registers for its values");
  require(lut_depth <= local_depth * lanes, "lut_depth is more than local memory holds");
}

void Architecture::declare(const ParameterGroup& group) {
  std::vector<std::pair<std::string, DataType>> types;
  for (unsigned i = 0; i < std::size(kFixedPoints); ++i)
    types.emplace_back(kFixedPoints[i].name, static_cast<DataType>(i));
  group.choice("data_type", data_type, types, "fixed-point format of all scalars");
  for (const Size& size : kSizes) group.integer(size.name, this->*size.member, size.low, size.high, "1", size.help);
}

std::string difference(const Architecture& here, const Architecture& there) {
  const auto sentence = [](const std::string& name, const std::string& one, const std::string& other) {
    return name + " is " + one + " here and " + other + " there";
  };
  if (here.data_type != there.data_type) return sentence("data_type", here.format().name, there.format().name);
  for (const Size& size : kSizes)
    if (here.*size.member != there.*size.member)
      return sentence(size.name, std::to_string(here.*size.member), std::to_string(there.*size.member));
  return "";
}

Architecture architecture_of(const json& object, const std::string& source) {
  Architecture made;
  made.data_type = data_type_of(text_field(object, "data_type", source), source);
  for (const Size& size : kSizes)
    if (size.required || object.contains(size.name))
      made.*size.member = static_cast<unsigned>(number_field(object, size.name, size.low, size.high, source));
  for (const auto& [key, value] : object.items()) {
    const std::string& name = key;
    const bool known = name == "data_type" || std::any_of(std::begin(kSizes), std::end(kSizes),
                                                          [&](const Size& size) { return name == size.name; });
    if (!known) throw UserError(source + ": the key '" + name + "' is no part of an architecture");
  }
  made.check(source);
  return made;
}

Architecture parse_architecture(const std::string& text, const std::string& source) {
  return architecture_of(parse_object(text, source), source);
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {{"pynqz1", preset(8, 1'048'576, 1'048'576, 8192, 2048)},
                                          {"artya7100t", preset(8, 1'048'576, 1'048'576, 8192, 2048)},
                                          {"cmoda7", preset(4, 4096, 32'768, 4096, 4096)},
                                          {"ultra96v2", preset(16, 2'097'152, 2'097'152, 20'480, 4096)},
                                          {"zcu104", preset(32, 2'097'152, 2'097'152, 16'384, 4096), 128},
                                          {"zcu104_uram", preset(32, 2'097'152, 2'097'152, 49'152, 20'480), 128}};
  return all;
}

}  // namespace vp::tensil
