#include "platform/workload/topology.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "models/common/error.h"

namespace vp::workload {
namespace {

/// So that no figure of a layer or sum over layers overflows 64 bits, padding of the widest array included.
constexpr std::uint64_t kLargestSize = 1'000'000;
constexpr long double kMostMacs = 1e15L;
constexpr long double kMostVectors = 1e10L;
constexpr std::size_t kMostLayers = 1000;
constexpr std::size_t kLongestQuote = 80;
constexpr std::size_t kLongestName = 200;

using Cells = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto begin = std::find_if_not(text.begin(), text.end(), blank);
  const auto end = std::find_if_not(text.rbegin(), std::make_reverse_iterator(begin), blank).base();
  return {begin, end};
}

std::string in_quotes(const std::string& text) {
  return '\'' + (text.size() > kLongestQuote ? text.substr(0, kLongestQuote) + "..." : text) + '\'';
}

/// Cells without the empty one behind a last comma.
Cells split(const std::string& line) {
  Cells cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (cells.size() > 1 && cells.back().empty()) cells.pop_back();
  return cells;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

class Reader {
 public:
  Reader(const std::string& source, std::uint64_t batch) : source_(source), batch_(batch) {}

  Topology read(const std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = trimmed(text.substr(begin, end - begin));
      begin = end + 1;
      ++line_;
      if (line.empty()) continue;
      if (header_.empty())
        read_header(split(line));
      else
        read_layer(split(line));
    }
    if (header_.empty()) throw UserError(source_ + ": is empty: a header and a line a layer expected");
    if (topology_.layers.empty()) throw UserError(source_ + ": lists no layer that is modelled");
    return std::move(topology_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(source_ + ":" + std::to_string(line_) + ": " + what);
  }

  void read_header(Cells cells) {
    for (std::size_t i = 1; i < cells.size(); ++i)
      if (is_number(cells[i])) fail("the first line must be a header, the names of the columns");
    header_ = std::move(cells);
    const auto column = [this](const char* name) {
      const auto at = std::find_if(header_.begin() + 1, header_.end(),
                                   [name](const std::string& cell) { return lower(cell) == name; });
      return static_cast<std::size_t>(at - header_.begin());
    };
    const std::array<std::size_t, 3> found = {column("m"), column("k"), column("n")};
    topology_.products =
        std::all_of(found.begin(), found.end(), [this](std::size_t at) { return at < header_.size(); });
    if (!topology_.products) return read_convolution_header();
    product_columns_ = found;
    if (batch_ != 0) fail("a list of matrix products has its batch in M: --batch is for convolutions");
    if (header_.size() > 4)
      fail("a list of matrix products has the columns name, M, K and N, not " + in_quotes(header_[4]));
  }

  void read_convolution_header() {
    constexpr std::size_t kColumns = 8;
    if (header_.size() < kColumns)
      fail(
          "the header names neither M, K and N nor the 8 columns of convolutions (name, map height and width, filter "
          "height and width, channels, filters, stride)");
    for (std::size_t i = kColumns; i < header_.size(); ++i) {
      const std::string name = lower(header_[i]);
      if (i == kColumns && name.find("stride") != std::string::npos)
        own_stride_across_ = true;
      else
        fail("the column " + in_quotes(header_[i]) + " is not modelled");
    }
  }

  void read_layer(const Cells& cells) {
    const std::string& name = cells[0];
    if (name.empty()) fail("a layer without a name");
    if (name.size() > kLongestName) fail("a name of more than " + std::to_string(kLongestName) + " characters");
    if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }))
      fail("a name with control characters");
    if (std::all_of(cells.begin() + 1, cells.end(), [](const std::string& cell) { return cell.empty(); })) {
      topology_.not_modelled.push_back(name);
      return;
    }
    if (cells.size() != header_.size())
      fail("layer " + in_quotes(name) + " has " + std::to_string(cells.size()) + " columns, the header " +
           std::to_string(header_.size()));
    if (topology_.layers.size() == kMostLayers) fail("more than " + std::to_string(kMostLayers) + " layers");
    Layer layer = topology_.products ? product(cells) : convolution(cells);
    topology_.layers.push_back(std::move(layer));
  }

  static long double real(std::uint64_t number) { return static_cast<long double>(number); }

  /// Before anything is multiplied in 64 bits.
  void check_size(const std::string& layer, long double vectors, long double inputs, std::uint64_t outputs) const {
    if (vectors > kMostVectors || vectors * inputs * real(outputs) > kMostMacs)
      fail("layer " + in_quotes(layer) + " is too large: at most 10^10 vectors and 10^15 multiply-accumulates");
  }

  std::uint64_t size(const Cells& cells, std::size_t column) const {
    const std::string& text = cells[column];
    if (!is_number(text) || text.size() > 7 || std::stoull(text) < 1 || std::stoull(text) > kLargestSize)
      fail("column " + in_quotes(header_[column]) + ": " + in_quotes(text) + " is no whole number from 1 to " +
           std::to_string(kLargestSize));
    return std::stoull(text);
  }

  Layer product(const Cells& cells) const {
    Layer layer;
    layer.name = cells[0];
    layer.product = {size(cells, product_columns_[0]), size(cells, product_columns_[1]),
                     size(cells, product_columns_[2])};
    check_size(layer.name, real(layer.product.vectors), real(layer.product.inputs), layer.product.outputs);
    layer.convolution.height = layer.product.vectors;
    layer.convolution.output_height = layer.product.vectors;
    layer.convolution.channels = layer.product.inputs;
    return layer;
  }

  /// Positions of a window along one side, rounded up.
  std::uint64_t positions(const std::string& layer, const char* side, std::uint64_t map, std::uint64_t filter,
                          std::uint64_t stride) {
    if (filter > map)
      fail("layer " + in_quotes(layer) + ": the filter's " + side + " " + std::to_string(filter) +
           " is larger than the map's, " + std::to_string(map));
    if ((map - filter) % stride != 0)
      topology_.rounded_up.push_back(layer + " (" + side + ": (" + std::to_string(map) + " - " +
                                     std::to_string(filter) + ") / " + std::to_string(stride) + ")");
    return (map - filter + stride - 1) / stride + 1;
  }

  Layer convolution(const Cells& cells) {
    Layer layer;
    layer.name = cells[0];
    Convolution& shape = layer.convolution;
    shape.height = size(cells, 1);
    shape.width = size(cells, 2);
    shape.filter_height = size(cells, 3);
    shape.filter_width = size(cells, 4);
    shape.channels = size(cells, 5);
    const std::uint64_t filters = size(cells, 6);
    shape.stride_down = size(cells, 7);
    shape.stride_across = own_stride_across_ ? size(cells, 8) : shape.stride_down;
    shape.output_height = positions(layer.name, "height", shape.height, shape.filter_height, shape.stride_down);
    shape.output_width = positions(layer.name, "width", shape.width, shape.filter_width, shape.stride_across);
    if (layer.name.find("DP") != std::string::npos) {
      layer.repeats = shape.channels;
      shape.channels = 1;
    }
    layer.batch = std::max<std::uint64_t>(1, batch_);
    check_size(layer.name,
               real(shape.output_height) * real(shape.output_width) * real(layer.batch) * real(layer.repeats),
               real(shape.filter_height) * real(shape.filter_width) * real(shape.channels), filters);
    layer.product = {shape.output_height * shape.output_width * layer.batch,
                     shape.filter_height * shape.filter_width * shape.channels, filters};
    return layer;
  }

  const std::string& source_;
  const std::uint64_t batch_;
  std::size_t line_ = 0;
  Cells header_;
  std::array<std::size_t, 3> product_columns_{};
  bool own_stride_across_ = false;
  Topology topology_;
};

}  // namespace

Topology parse_topology(const std::string& text, const std::string& source, std::uint64_t batch) {
  return Reader(source, batch).read(text);
}

}  // namespace vp::workload
