// Workload files in SCALE-Sim's formats: what they say, and what is refused.
#include "platform/workload/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/common/error.h"
#include "platform/files/whole_file.h"

namespace vp::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char kConvolutions[] =
    "Layer name,IFMAP Height,IFMAP Width,Filter Height,Filter Width,Channels,Num Filter,Strides,\n";

Topology read_convolutions(const std::string& lines, std::uint64_t batch = 0) {
  return parse_topology(kConvolutions + lines, "w.csv", batch);
}

void expect_refused(const std::string& text, const std::string& part, std::uint64_t batch = 0) {
  try {
    parse_topology(text, "w.csv", batch);
    FAIL() << "accepted: " << text;
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(WorkloadTopology, a_convolution_becomes_a_product_of_its_positions) {
  const Topology topology = read_convolutions("conv1,227,227,11,11,3,96,4,\n");
  ASSERT_EQ(topology.layers.size(), 1u);
  EXPECT_EQ(topology.layers[0].product.vectors, 55u * 55u);
  EXPECT_EQ(topology.layers[0].product.inputs, 11u * 11u * 3u);
  EXPECT_EQ(topology.layers[0].product.outputs, 96u);
  EXPECT_TRUE(topology.layers[0].convolution.gathers());
  EXPECT_TRUE(topology.rounded_up.empty());
}

TEST(WorkloadTopology, a_batch_multiplies_the_positions) {
  EXPECT_EQ(read_convolutions("fc,1,1,1,1,10,20,1,\n", 7).layers[0].product.vectors, 7u);
}

TEST(WorkloadTopology, a_size_that_does_not_divide_is_rounded_up_and_named) {
  const Topology topology = read_convolutions("odd,10,9,3,3,1,1,2,\n");
  EXPECT_EQ(topology.layers[0].convolution.output_height, 5u);  // (10 - 3) / 2 = 3.5, and the first position
  EXPECT_EQ(topology.layers[0].convolution.output_width, 4u);
  EXPECT_THAT(topology.rounded_up, ElementsAre("odd (height: (10 - 3) / 2)"));
}

TEST(WorkloadTopology, a_depthwise_convolution_is_a_product_of_each_channel) {
  const Topology topology = read_convolutions("DP1,10,10,3,3,32,1,1,\n");
  EXPECT_EQ(topology.layers[0].repeats, 32u);
  EXPECT_EQ(topology.layers[0].macs(), 8u * 8u * 9u * 32u);
}

TEST(WorkloadTopology, lines_without_sizes_are_not_modelled) {
  const Topology topology = read_convolutions("conv,3,3,3,3,1,1,1,\npool1,,,,,,,,\nbias\n");
  EXPECT_EQ(topology.layers.size(), 1u);
  EXPECT_THAT(topology.not_modelled, ElementsAre("pool1", "bias"));
}

TEST(WorkloadTopology, a_list_of_products_follows_its_header) {
  const Topology topology = parse_topology("Layer,M,N,K,\r\n\r\na,2,3,4\r\n", "w.csv", 0);
  EXPECT_TRUE(topology.products);
  EXPECT_EQ(topology.layers[0].product.vectors, 2u);
  EXPECT_EQ(topology.layers[0].product.inputs, 4u);
  EXPECT_EQ(topology.layers[0].product.outputs, 3u);
}

TEST(WorkloadTopology, the_stride_across_may_be_a_column_of_its_own) {
  const Topology topology = parse_topology("n,ih,iw,fh,fw,c,f,stride h,stride w\na,9,9,3,3,1,1,2,3\n", "w.csv", 0);
  EXPECT_EQ(topology.layers[0].convolution.output_height, 4u);
  EXPECT_EQ(topology.layers[0].convolution.output_width, 3u);
}

TEST(WorkloadTopology, what_is_wrong_is_refused_in_one_sentence_with_its_line) {
  const std::string head = kConvolutions;
  expect_refused("", "w.csv: is empty");
  expect_refused(head, "lists no layer");
  expect_refused("a,1,1,1,1,1,1,1\n", "w.csv:1: the first line must be a header");
  expect_refused("a,b,c\n", "w.csv:1: the header names neither M, K and N");
  expect_refused(head + "a,1,1,1,1,1,1\n", "w.csv:2: layer 'a' has 7 columns, the header 8");
  expect_refused(head + "a,1,1,1,1,1,1,0\n", "column 'Strides': '0' is no whole number from 1 to 1000000");
  expect_refused(head + "a,1,1,1,1,1.5,1,1\n", "column 'Channels': '1.5'");
  expect_refused(head + "a,2,2,3,1,1,1,1\n", "the filter's height 3 is larger than the map's, 2");
  expect_refused(head + "a,1000000,1000000,1,1,1000000,1000000,1\n", "is too large");
  expect_refused(head + ",1,1,1,1,1,1,1\n", "a layer without a name");
  expect_refused("Layer,M,K,N\na,1,1,1\n", "has its batch in M", 4);
  expect_refused("Layer,M,K,N,Batch\na,1,1,1,1\n", "not 'Batch'");
  expect_refused("n,ih,iw,fh,fw,c,f,s,Sparsity\na,1,1,1,1,1,1,1,2:4\n", "the column 'Sparsity' is not modelled");
  expect_refused(head + "a," + std::string(500, '9') + ",1,1,1,1,1,1\n", "'" + std::string(80, '9') + "...'");
}

TEST(WorkloadTopology, any_text_is_understood_or_refused) {
  static const std::vector<std::string> pieces = {kConvolutions,
                                                  "Layer,M,K,N,\n",
                                                  "a",
                                                  ",",
                                                  ",",
                                                  ",",
                                                  "\n",
                                                  "\n",
                                                  "1",
                                                  "3",
                                                  "227",
                                                  "999999",
                                                  "1000001",
                                                  "18446744073709551616",
                                                  "-1",
                                                  "DP",
                                                  " ",
                                                  "\r",
                                                  "stride",
                                                  std::string(1, '\0'),
                                                  "\xff",
                                                  "1,1,1,1,1,1,1",
                                                  "c,5,5,3,3,2,4,1,\n",
                                                  "p,2,3,4,\n"};
  std::mt19937 random(5);
  unsigned understood = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    std::string text = random() % 2 ? pieces[random() % 2] : "";
    for (unsigned count = random() % 12; count > 0; --count) text += pieces[random() % pieces.size()];
    try {
      for (const Layer& layer : parse_topology(text, "w.csv", random() % 3).layers) {
        EXPECT_GE(layer.macs(), 1u);
        EXPECT_LE(layer.macs(), 1'000'000'000'000'000u);
      }
      ++understood;
    } catch (const UserError&) {
    }
  }
  EXPECT_GT(understood, 100u);
}

}  // namespace
}  // namespace vp::workload
