#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "models/drra/asm.h"
#include "models/drra/isa.h"

namespace vp::drra {
namespace {

std::string hex_word(std::uint32_t word) {
  char text[16];
  std::snprintf(text, sizeof text, "%07x", word);
  return text;
}

std::string text_of(const Place& place) { return std::to_string(place.first) + "," + std::to_string(place.second); }

std::string row_text(const Row& row) {
  std::string text;
  for (const std::int16_t word : row) text += " " + std::to_string(word);
  return text;
}

/// Runs of registers, up to 16 a line.
std::string registers_text(const std::map<unsigned, std::int16_t>& registers) {
  std::string text;
  unsigned next = 0, in_line = 0;
  for (const auto& [address, value] : registers) {
    if (text.empty() || address != next || in_line == kBlockWords) {
      text += (text.empty() ? ".rf " : "\n.rf ") + std::to_string(address) + ":";
      in_line = 0;
    }
    text += " " + std::to_string(value);
    next = address + 1;
    ++in_line;
  }
  return text.empty() ? text : text + "\n";
}

std::string words_of(const CellProgram& cell, DecoderProfile) {
  std::string text;
  for (const std::uint32_t word : cell.words) text += hex_word(word) + "\n";
  return text;
}

std::string instructions_of(const CellProgram& cell, DecoderProfile profile) {
  std::string text;
  for (std::size_t i = 0; i < cell.words.size();) {
    const std::size_t left = cell.words.size() - i;
    const unsigned chunks = chunks_of(cell.words[i], profile);
    const bool whole = chunks <= left;
    const Instruction instruction = whole ? decode(&cell.words[i], profile) : Instruction();
    if (instruction.operation != Operation::nothing &&
        std::equal(&cell.words[i], &cell.words[i] + chunks, encode(instruction, profile).begin())) {
      text += "  " + to_text(instruction) + "\n";
    } else {
      for (std::size_t j = 0; j < std::min<std::size_t>(chunks, left); ++j)
        text += "  .word 0x" + hex_word(cell.words[i + j]) + "\n";
    }
    i += chunks;
  }
  return text;
}

using CellText = std::string (*)(const CellProgram&, DecoderProfile);

std::string program_text(const Program& program, CellText cell_text) {
  std::string text;
  if (program.profile)
    text += std::string(".profile ") + static_cast<char>('a' + static_cast<int>(*program.profile)) + "\n";
  for (const auto& [place, cell] : program.cells)
    text += ".cell " + text_of(place) + "\n" + registers_text(cell.registers) +
            cell_text(cell, program.profile.value_or(DecoderProfile::a));
  for (const auto& [place, rows] : program.tiles)
    for (const auto& [address, row] : rows)
      text += ".sram " + text_of(place) + " " + std::to_string(address) + ":" + row_text(row) + "\n";
  for (const auto& [address, row] : program.input)
    text += ".io " + std::to_string(address) + ":" + row_text(row) + "\n";
  return text;
}

}  // namespace

std::string words_text(const Program& program) { return program_text(program, words_of); }

std::string disassemble(const Program& program) { return program_text(program, instructions_of); }

}  // namespace vp::drra
