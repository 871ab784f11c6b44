#include "models/tinytpu/program.h"

#include <algorithm>
#include <cctype>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp::tinytpu {
namespace {

constexpr Edge kStopInterval = 1 << 20;  // edges between two questions whether to stop

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Hex digits of a row without blanks; empty if that is not what the text is.
std::vector<std::uint8_t> parse_row(const std::string& text, unsigned width) {
  if (text.size() != 2 * std::size_t{width}) return {};
  std::vector<std::uint8_t> bytes(width);
  for (unsigned i = 0; i < width; ++i) {
    const int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return {};
    bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return bytes;
}

}  // namespace

ProgramRun run_program(Core& core, const std::vector<Instruction>& program, const Feed& feed, Edge limit,
                       const std::function<bool()>& stop) {
  ProgramRun run;
  // Advances in steps and notes the pulses on the way. False: the run is over before `target`.
  const auto advance = [&](Edge target) {
    while (core.next_edge() <= target) {
      if (core.next_edge() > limit || (stop && stop())) {
        run.stuck = true;
        return false;
      }
      const Edge step = std::min({target, limit, core.next_edge() + kStopInterval});
      if (core.next_synchronize() <= step) {
        run.synchronizes.push_back(core.take_synchronize());
        run.runtimes.push_back(core.runtime(run.synchronizes.back()));
      } else {
        core.advance_to(step);
      }
    }
    return true;
  };
  Edge next = 0;
  for (const Instruction& instruction : program) {
    const Edge possible = core.predict_push_edge(next);
    if (!advance(possible)) break;
    core.push(instruction, possible);
    run.pushes.push_back(possible);
    next = possible + feed.gap;
  }
  if (!run.stuck) advance(core.predict_finish());
  while (core.next_synchronize() < core.next_edge()) {
    run.synchronizes.push_back(core.take_synchronize());
    run.runtimes.push_back(core.runtime(run.synchronizes.back()));
  }
  run.last_edge = core.next_edge() - 1;
  return run;
}

std::vector<BufferRow> parse_buffer(const std::string& text, const std::string& source, unsigned matrix_width,
                                    unsigned depth) {
  std::vector<BufferRow> rows;
  unsigned number = 0;
  std::uint64_t next_row = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    line.erase(std::remove_if(line.begin(), line.end(), [](unsigned char c) { return std::isspace(c); }), line.end());
    if (line.empty()) continue;
    const auto fail = [&](const std::string& what) {
      throw UserError(source + ":" + std::to_string(number) + ": " + what);
    };
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) {
      try {
        next_row = parse_integer(line.substr(0, colon));
      } catch (const UserError&) {
        fail("'" + line.substr(0, colon) + "' is no row number");
      }
      line.erase(0, colon + 1);
    }
    if (next_row >= depth)
      fail("row " + std::to_string(next_row) + " is outside the buffer: 0 to " + std::to_string(depth - 1) +
           " allowed");
    std::vector<std::uint8_t> bytes = parse_row(line, matrix_width);
    if (bytes.empty()) fail("a row of " + std::to_string(2 * matrix_width) + " hexadecimal digits expected");
    rows.push_back({static_cast<unsigned>(next_row++), std::move(bytes)});
  }
  return rows;
}

std::vector<BufferRow> split_buffer(const std::string& bytes, const std::string& source, unsigned matrix_width,
                                    unsigned depth) {
  if (bytes.size() > std::uint64_t{matrix_width} * depth)
    throw UserError(source + " holds " + std::to_string(bytes.size()) + " bytes: at most " +
                    std::to_string(std::uint64_t{matrix_width} * depth) + " fit the buffer");
  std::vector<BufferRow> rows;
  for (std::size_t begin = 0; begin < bytes.size(); begin += matrix_width) {
    std::vector<std::uint8_t> row(matrix_width);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                std::min<std::size_t>(matrix_width, bytes.size() - begin), row.begin());
    rows.push_back({static_cast<unsigned>(rows.size()), std::move(row)});
  }
  return rows;
}

std::string format_buffer_row(unsigned row, const std::vector<std::uint8_t>& bytes) {
  std::string text = std::to_string(row) + ": ";
  for (std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 0xF];
  }
  return text;
}

}  // namespace vp::tinytpu
