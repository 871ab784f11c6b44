// Whole networks, bit for bit, on the bare core and on a machine: the published one if VP_TENSIL_MODEL names the folder
// that has it (a .tmodel with its files, raw inputs *.bin of three lanes, expected.json), else one that is made here,
// whose outputs a reference computes that shares nothing with the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/platform/temporary_folder.h"
#include "tests/support/dice.h"
#include "tests/system/program.h"

namespace vp {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// A network, its inputs and what has to come out of it.
struct KnownNetwork {
  std::string model, input, machine;
  std::string lanes;
  std::vector<std::vector<int>> expected = {};  ///< of each image, the first scalars of each output vector in order
};

/// Values of 16 bits with 8 behind the point, computed in floating point that holds them exactly.
class Reference {
 public:
  static int limited(long double value) {
    return static_cast<int>(std::fmin(std::fmax(std::nearbyint(value), -32768.0L), 32767.0L));
  }
  static int step(int x, int weight, int sum) {
    return limited((static_cast<long double>(x) * weight + 256.0L * sum) / 256.0L);
  }
};

/// Two layers of 16 inputs each, tiled for 8 × 8: 16 outputs with a ReLU, then 8; on five vectors at once.
class OwnNetwork {
 public:
  static constexpr unsigned kSize = 8, kPositions = 5, kImages = 10, kHidden = 32, kOutput = 64;

  explicit OwnNetwork(const TemporaryFolder& folder) {
    Dice dice(20);
    const auto any = [&](unsigned most) {
      return static_cast<int>(dice.from_to(0, 2 * most)) - static_cast<int>(most);
    };
    for (auto& tile : weights_)
      for (auto& row : tile)
        for (int& scalar : row) scalar = any(900);
    for (const unsigned second : {1u, 3u, 5u})
      std::fill(std::begin(weights_[second][0]), std::end(weights_[second][0]), 0);
    for (auto& image : images_)
      for (auto& vector : image)
        for (int& scalar : vector) scalar = any(6000);
    write(folder);
  }
  std::vector<std::vector<int>> outputs() const {
    std::vector<std::vector<int>> all;
    for (const auto& image : images_) {
      std::vector<int> outputs;
      for (unsigned p = 0; p < kPositions; ++p) {
        int hidden[2][kSize], result[kSize];
        const int* const inputs[2] = {image[p], image[kPositions + p]};
        for (unsigned o = 0; o < 2; ++o) {
          dense(&weights_[2 * o], inputs, hidden[o]);
          for (int& scalar : hidden[o]) scalar = std::max(scalar, 0);
        }
        const int* const inner[2] = {hidden[0], hidden[1]};
        dense(&weights_[4], inner, result);
        outputs.insert(outputs.end(), result, result + kSize);
      }
      all.push_back(outputs);
    }
    return all;
  }
  std::string model, input, machine;

 private:
  using Tile = int[kSize + 1][kSize];  // bias, then a row for each input

  /// Of two tiles of inputs: the sums of both, added with saturation.
  static void dense(const Tile* tiles, const int* const (&inputs)[2], int* to) {
    for (unsigned i = 0; i < kSize; ++i) {
      int sums[2];
      for (unsigned k = 0; k < 2; ++k) {
        sums[k] = tiles[k][0][i];
        for (unsigned j = 0; j < kSize; ++j) sums[k] = Reference::step(inputs[k][j], tiles[k][j + 1][i], sums[k]);
      }
      to[i] = Reference::limited(static_cast<long double>(sums[0]) + sums[1]);
    }
  }
  template <typename Rows>
  static void append(std::string& bytes, const Rows& rows) {
    for (const auto& row : rows)
      for (const int scalar : row) {
        bytes += static_cast<char>(scalar);
        bytes += static_cast<char>(scalar >> 8);
      }
  }
  /// An output tile: weights 0 to 8 of local memory, inputs behind them, sums in the accumulators from 0 on.
  static std::string tile_text(unsigned tile, unsigned from, unsigned to, bool relu) {
    const auto text = [](unsigned number) { return std::to_string(number); };
    std::string all;
    for (unsigned k = 0; k < 2; ++k)
      all += "data_move.dram1_to_local 0, " + text((tile + k) * (kSize + 1)) + ", 9\nload_weight 0, 9\n" +
             "data_move.dram0_to_local 9, " + text(from + k * kPositions) + ", 5\nmat_mul" + (k ? ".accumulate" : "") +
             " 9, 0, 5\n";
    for (unsigned p = 0; relu && p < kPositions; ++p)
      all += "simd.read.write max " + text(p) + ", " + text(p) + ", input, r1, output\n";
    return all + "data_move.accumulator_to_local 20, 0, 5\ndata_move.local_to_dram0 20, " + text(to) + ", 5\n";
  }
  void write(const TemporaryFolder& folder) {
    const json sizes = {{"data_type", "FP16BP8"},    {"array_size", 8},    {"dram0_depth", 256},
                        {"dram1_depth", 256},        {"local_depth", 64},  {"accumulator_depth", 32},
                        {"simd_registers_depth", 1}, {"stride0_depth", 8}, {"stride1_depth", 8}};
    const std::string arch = folder.write("own.tarch", sizes.dump());
    const std::string text =
        folder.write("own.s", "simd zero 0, 0, r1, r1, r1\n" + tile_text(0, 0, kHidden, true) +
                                  tile_text(2, 0, kHidden + kPositions, true) + tile_text(4, kHidden, kOutput, false));
    const std::vector<std::string> words = {
        "asm", "--device", "tensil-v1", "--arch", arch, "-o", folder.path("own.tprog"), text};
    EXPECT_EQ(run_tinytpu_vp(words).exit_code, 0);
    std::string constants, images;
    for (const auto& tile : weights_) append(constants, tile);
    for (const auto& image : images_) append(images, image);
    folder.write("own.tdata", constants);
    input = folder.write("own.bin", images);
    const json file = {{"name", "own"},
                       {"prog", {{"file_name", "own.tprog"}, {"size", fs::file_size(folder.path("own.tprog"))}}},
                       {"consts", {{{"file_name", "own.tdata"}, {"base", 0}, {"size", 6 * (kSize + 1)}}}},
                       {"inputs", {{{"name", "x:0"}, {"base", 0}, {"size", 2 * kPositions}}}},
                       {"outputs", {{{"name", "y:0"}, {"base", kOutput}, {"size", kPositions}}}},
                       {"arch", sizes},
                       {"load_consts_to_local", false}};
    model = folder.write("own.tmodel", file.dump());
    machine = folder.write("own.ini",
                           "[dram0]\nkind = memory\nbase = 0x80000000\nsize = 0x100000\npreset = ddr4-2400\n[axidma0]\n"
                           "kind = axidma\nbase = 0x40400000\nmm2s = tensil0\n[tensil0]\nkind = tensil\narch = " +
                               arch + "\n");
  }

  Tile weights_[6];
  int images_[kImages][2 * kPositions][kSize];
};

std::string only_file(const fs::path& folder, const std::string& extension) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) return entry.path().string();
  ADD_FAILURE() << folder << " has no file *" << extension;
  return "";
}

KnownNetwork published(const fs::path& folder) {
  KnownNetwork network{only_file(folder, ".tmodel"), only_file(folder, ".bin"),
                       std::string(VP_SOURCE_FOLDER) + "/examples/machines/zcu104.ini", "3"};
  const json expected = json::parse(TemporaryFolder::read((folder / "expected.json").string()));
  for (const json& image : expected["images"]) network.expected.push_back(image["logits_raw"]);
  return network;
}

struct TensilNetworkTest : testing::Test {
  TensilNetworkTest() {
    if (const char* const other = std::getenv("VP_TENSIL_MODEL")) {
      network = published(other);
      return;
    }
    const OwnNetwork own(folder);
    network = {own.model, own.input, own.machine, "8", own.outputs()};
  }
  /// Every scalar that is known, of every image.
  void expect_outputs(std::vector<std::string> more) const {
    const std::string raw = folder.path("raw");
    more.insert(more.begin(), {"run", "--tmodel", network.model, "--input", network.input, "--input-lanes",
                               network.lanes, "--raw-output", raw});
    const ProgramResult result = run_tinytpu_vp(more);
    ASSERT_EQ(result.exit_code, 0) << result.out << result.error;
    const std::string bytes = TemporaryFolder::read(raw);
    const std::size_t image_bytes = bytes.size() / network.expected.size();
    ASSERT_EQ(bytes.size() % network.expected.size(), 0u);
    for (std::size_t image = 0; image < network.expected.size(); ++image)
      for (std::size_t i = 0; i < network.expected[image].size(); ++i) {
        const std::size_t at = image * image_bytes + 2 * i;
        ASSERT_LT(at + 1, bytes.size());
        const auto value = static_cast<std::int16_t>(static_cast<std::uint8_t>(bytes[at]) |
                                                     static_cast<std::uint8_t>(bytes[at + 1]) << 8);
        ASSERT_EQ(value, network.expected[image][i]) << "image " << image << ", scalar " << i;
      }
  }

  TemporaryFolder folder;
  KnownNetwork network;
};

TEST_F(TensilNetworkTest, has_all_outputs_of_all_images_on_the_bare_core) {
  EXPECT_EQ(network.expected.size(), 10u);
  expect_outputs({});
}

TEST_F(TensilNetworkTest, has_all_outputs_of_all_images_on_a_machine) {
  expect_outputs({"--machine", network.machine});
  expect_outputs({"--machine", network.machine, "--set", "fidelity=functional"});
}

}  // namespace
}  // namespace vp
