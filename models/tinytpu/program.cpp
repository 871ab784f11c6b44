#include "models/tinytpu/program.h"

#include <algorithm>
#include <cctype>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp::tinytpu {
namespace {

constexpr std::uint64_t kBufferRows = std::uint64_t{1} << 24;
constexpr std::uint64_t kWeightRows = std::uint64_t{1} << 24;  // a host's memory ends before the field's 40 bits do
constexpr Edge kStopInterval = 1 << 20;                        // edges between two questions whether to stop

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

Instruction load(std::uint64_t address, std::uint64_t length) {
  Instruction in;
  in.opcode = read_weights_opcode(true);
  in.length = static_cast<std::uint32_t>(length);
  in.set_weight_address(address);
  return in;
}

Instruction transfer(std::uint8_t opcode, std::uint64_t buffer, std::uint64_t accumulator, std::uint64_t length) {
  Instruction in;
  in.opcode = opcode;
  in.buffer = static_cast<std::uint32_t>(buffer);
  in.accumulator = static_cast<std::uint16_t>(accumulator % kAccumulatorRows);
  in.length = static_cast<std::uint32_t>(length);
  return in;
}

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

NetworkProgram network_program(unsigned matrix_width, const std::vector<unsigned>& layers) {
  if (layers.size() < 2 || std::count(layers.begin(), layers.end(), 0U) != 0)
    throw UserError("a network needs at least two layers, none empty");
  const std::uint64_t n = matrix_width;
  const auto sigmoid = static_cast<unsigned>(ActivationFunction::sigmoid);
  NetworkProgram program;
  std::uint64_t weights = 0, input = 0;
  for (std::size_t layer = 0; layer + 1 < layers.size(); ++layer) {
    const std::uint64_t rows = round_up(layers[layer], n);
    const std::uint64_t blocks = round_up(layers[layer + 1], n) / n;
    const std::uint64_t output = input + rows;
    if (output + blocks * n > kBufferRows || weights + blocks * rows > kWeightRows)
      throw UserError("the network is too large for the address fields of the instructions");
    for (std::uint64_t block = 0; block < blocks; ++block, weights += rows) {
      const std::uint64_t accumulator = block * n;
      program.instructions.push_back(load(weights, n));
      program.instructions.push_back(transfer(matrix_multiply_opcode(true, false), input, accumulator, n));
      program.instructions.push_back(load(weights + n, rows - n));
      program.instructions.push_back(transfer(matrix_multiply_opcode(true, true), input + n, accumulator, rows - n));
      program.instructions.push_back(transfer(activate_opcode(true, sigmoid), output + block * n, accumulator, n));
    }
    if (layer == 0) program.input_rows = static_cast<unsigned>(rows);
    program.first_result_row = static_cast<unsigned>(output);
    program.result_rows = static_cast<unsigned>(blocks * n);
    input = output;
  }
  program.weight_rows = static_cast<unsigned>(weights);
  program.instructions.push_back(transfer(kSynchronizeOpcode, 0, 0, 0));
  return program;
}

std::vector<unsigned> parse_layers(const std::string& text) {
  std::vector<unsigned> layers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::string number = text.substr(begin, end - begin);
    if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string::npos)
      throw UserError("'" + text +
                      "' is no network: features and outputs of each layer expected, for example 784x504x10");
    layers.push_back(static_cast<unsigned>(std::stoul(number)));
    begin = end + 1;
  }
  return layers;
}

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

NetworkTiming time_network(const TinyTpuConfig& config, const std::vector<unsigned>& layers, const Feed& feed) {
  const NetworkProgram network = network_program(config.matrix_width, layers);
  TinyTpuConfig roomy = config;
  roomy.weight_depth = std::max(config.weight_depth, network.weight_rows);
  roomy.unified_buffer_depth = std::max(config.unified_buffer_depth, network.first_result_row + network.result_rows);
  Core core(roomy);
  const ProgramRun run = run_program(core, network.instructions, feed);
  const std::uint32_t cycles = run.runtimes.empty() ? 0 : run.runtimes.back();
  return {network.instructions.size(), cycles, cycles * config.clock_period};
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
