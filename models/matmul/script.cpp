#include "models/matmul/script.h"

#include <map>
#include <utility>

#include "models/matmul/tokens.h"

namespace vp::matmul {
namespace {

class ScriptParser {
 public:
  ScriptParser(const std::string& text, const std::string& name, const CoreConfig& config)
      : reader_(text, name), config_(config) {
    script_.name = name;
  }

  Script parse() {
    reader_.skip_to_marker();  // text before the first section is a comment
    const std::size_t first_marker = reader_.offset();
    while (!reader_.at_end()) section();
    if (!has_meta_) {
      reader_.fail(first_marker, "The section META is missing, expected ===META with " + sizes());
    }
    return script_;
  }

 private:
  void section() {
    static constexpr struct {
      const char* name;
      void (ScriptParser::*parse)();
    } kSections[] = {{"META", &ScriptParser::meta}, {"DATA", &ScriptParser::data}, {"TEXT", &ScriptParser::program}};
    reader_.take_marker();
    const bool missing = reader_.at_gap();
    const std::string name = missing ? "" : reader_.next();
    for (const auto& known : kSections)
      if (name == known.name) return (this->*known.parse)();
    reader_.fail_at_token(missing ? "A section without name, expected META, DATA or TEXT directly after ==="
                                  : "Unknown section " + quoted(name) + ", expected META, DATA or TEXT");
  }

  bool at_section_end() const { return reader_.at_end() || reader_.at_marker(); }

  std::string sizes() const {
    return std::to_string(config_.mesh) + " " + std::to_string(config_.tile) + " (mesh, then tile, of this device)";
  }

  void meta() {
    has_meta_ = true;
    const std::int32_t first = reader_.decimal("mesh size");
    const std::size_t place = reader_.token_offset();
    const std::int32_t second = reader_.decimal("tile size");
    if (!at_section_end()) {
      reader_.next();
      reader_.fail_at_token("META has more than two numbers, expected " + sizes());
    }
    const auto mesh = static_cast<std::int32_t>(config_.mesh), tile = static_cast<std::int32_t>(config_.tile);
    if (first == mesh && second == tile) return;
    std::string sentence =
        "META says mesh " + std::to_string(first) + ", tile " + std::to_string(second) + ", expected " + sizes();
    if (first == tile && second == mesh) {
      sentence += "; the device's notes give the two numbers in the order tile, mesh, but its driver reads mesh, tile";
    }
    reader_.fail(place, sentence);
  }

  void data() {
    while (!at_section_end()) {
      DataBlock block;
      block.name = reader_.next();
      const std::size_t place = reader_.token_offset();
      const auto [known, is_new] = names_.emplace(block.name, place);
      if (!is_new) {
        reader_.fail(place, "A second matrix " + matmul::quoted(block.name) +
                                ", expected a name not used before (it is at " + reader_.place(known->second) + ")");
      }
      block.address = reader_.hexadecimal("address of matrix " + matmul::quoted(block.name));
      const unsigned count = config_.block_words();
      for (unsigned i = 1; i <= count; ++i) {
        block.words.push_back(reader_.decimal("value " + std::to_string(i) + " of " + std::to_string(count) +
                                              " of matrix " + matmul::quoted(block.name)));
      }
      script_.data.push_back(std::move(block));
    }
  }

  void program() {
    if (script_.programs.size() == kThreads) {
      reader_.fail_at_token("A third section TEXT, expected at most two: the device has two threads");
    }
    std::vector<Instruction> instructions;
    while (!at_section_end()) {
      const std::size_t place = reader_.offset();
      instructions.push_back(parse_instruction(reader_));
      if (instructions.size() > config_.imem_words) {
        reader_.fail(place,
                     "Too many instructions, expected at most " + std::to_string(config_.imem_words) + " a thread");
      }
    }
    script_.programs.push_back(std::move(instructions));
  }

  TokenReader reader_;
  const CoreConfig& config_;
  Script script_;
  bool has_meta_ = false;
  std::map<std::string, std::size_t> names_;  // of matrices, with their place
};

}  // namespace

Script parse_script(const std::string& text, const std::string& name, const CoreConfig& config) {
  return ScriptParser(text, name, config).parse();
}

}  // namespace vp::matmul
