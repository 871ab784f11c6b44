#include "platform/check/drra_case.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/common/error.h"

namespace vp::drra_check {
namespace {

using nlohmann::json;
using namespace drra;

std::int16_t word_of(const json& number) {
  const std::int64_t value = number.get<std::int64_t>();
  if (value < INT16_MIN || value > INT16_MAX) throw UserError(std::to_string(value) + " is no 16-bit word");
  return static_cast<std::int16_t>(value);
}

std::vector<std::uint32_t> words_of(const json& list) {
  std::vector<std::uint32_t> words;
  for (const json& entry : list) {
    const std::string text = entry.get<std::string>();
    if (text.empty() || text.size() > 7 || text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos ||
        std::stoul(text, nullptr, 16) > kChunkMask)
      throw UserError("'" + text + "' is no instruction word of 27 bits in hexadecimal digits");
    words.push_back(static_cast<std::uint32_t>(std::stoul(text, nullptr, 16)));
  }
  if (words.size() > kInstructionWords) throw UserError("a program has more than 64 words");
  return words;
}

std::map<unsigned, Row> rows_of(const json& rows, unsigned limit, const char* what) {
  std::map<unsigned, Row> result;
  for (const auto& entry : rows.items()) {
    const unsigned address = number_of(entry.key(), what);
    if (address >= limit) throw UserError(std::string(what) + " " + entry.key() + " is out of range");
    result[address] = row_of(entry.value());
  }
  return result;
}

unsigned bounded(const json& fabric, const char* name, unsigned most, unsigned otherwise) {
  if (!fabric.contains(name)) return otherwise;
  const std::int64_t value = fabric.at(name).get<std::int64_t>();
  if (value < 1 || value > most)
    throw UserError("fabric." + std::string(name) + " is " + std::to_string(value) + ", expected 1 to " +
                    std::to_string(most));
  return static_cast<unsigned>(value);
}

DecoderProfile profile_of(const std::string& name) {
  if (name == "A") return DecoderProfile::a;
  if (name == "B") return DecoderProfile::b;
  if (name == "C") return DecoderProfile::c;
  throw UserError("decoder_profile is '" + name + "', expected A, B or C");
}

}  // namespace

unsigned number_of(const std::string& text, const char* what) {
  if (text.empty() || text.size() > 8 || text.find_first_not_of("0123456789") != std::string::npos)
    throw UserError("'" + text + "' is no " + what);
  return static_cast<unsigned>(std::stoul(text));
}

Place place_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw UserError("'" + text + "' is no place, expected row,column");
  return {number_of(text.substr(0, comma), "row"), number_of(text.substr(comma + 1), "column")};
}

Row row_of(const json& words) {
  if (words.size() != kBlockWords) throw UserError("a row has other than 16 words");
  Row row;
  std::transform(words.begin(), words.end(), row.begin(), word_of);
  return row;
}

bool is_program(const json& file) {
  return file.is_object() && file.contains("schema") && file["schema"] == "drra-golden-1";
}

DrraConfig fabric_of(const json& file, DrraConfig config) try {
  const json fabric = file.value("fabric", json::object());
  config.columns = bounded(fabric, "cols", kMostColumns, config.columns);
  config.dimarch_rows = bounded(fabric, "dimarch_rows", kMostDimarchRows, config.dimarch_rows);
  if (file.contains("decoder_profile")) config.profile = profile_of(file.at("decoder_profile").get<std::string>());
  return config;
} catch (const json::exception& error) {
  throw UserError(std::string("the description of the fabric is malformed: ") + error.what());
}

Program program_of(const json& file) try {
  Program program;
  for (const auto& entry : file.at("programs").items())
    program.cells[place_of(entry.key())].words = words_of(entry.value());
  for (const auto& entry : file.at("rf_init").items()) {
    CellProgram& cell = program.cells[place_of(entry.key())];
    if (entry.value().size() > kRegisterWords) throw UserError("rf_init has more than 64 words");
    for (unsigned i = 0; i < entry.value().size(); ++i) cell.registers[i] = word_of(entry.value()[i]);
  }
  for (const auto& entry : file.at("sram_init").items())
    program.tiles[place_of(entry.key())] = rows_of(entry.value(), kTileRows, "row of an SRAM");
  if (file.contains("io_input")) program.input = rows_of(file.at("io_input"), 1u << 25, "row of the IO buffer");
  return program;
} catch (const json::exception& error) {
  throw UserError(std::string("the program is malformed: ") + error.what());
}

}  // namespace vp::drra_check
