// The page of a workload: a bar and a row a layer, and a total.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "models/common/statistics.h"
#include "models/tensil/layer_figures.h"
#include "platform/report/report_data.h"
#include "platform/report/report_page.h"
#include "platform/report/run_tree.h"
#include "tests/report/browser.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

WorkFigures work_of(std::uint64_t macs, double compute, double weights, const std::string& bound) {
  WorkFigures work;
  work.useful_macs = macs;
  work.mapped_macs = 2 * macs;
  work.mapping_efficiency = 50;
  work.cycles = 1234;
  work.useful_utilisation = 12.5;
  work.mapped_utilisation = 25;
  work.moved_bytes = 5'000'000;
  work.compute_time = compute;
  work.weights_time = weights;
  work.synchronize_time = 1e-6;
  work.movement_time = weights + 1e-6;
  work.time = compute + work.movement_time;
  work.bound = bound;
  return work;
}

std::string workload_statistics(const std::string& first_name) {
  RunTree tree;
  tree.workload_run = WorkloadRunFigures{0, 2468, 5e6};
  tree.workload.emplace();
  tree.workload->mover = "cpu";
  tree.workload->movement_error = 12;
  tree.workload->peak_macs_per_second = 35e9;
  tree.workload->port_bandwidth = 5e9;
  tree.workload->total = work_of(3'000'000, 3e-3, 2e-3, "multiply");
  auto& layers = tree.workload->layers.layers;
  layers.emplace_back("1_first", LayerFigures{first_name, 100, 20, 30, 1, work_of(1'000'000, 1e-3, 5e-4, "multiply")});
  layers.emplace_back("2_deep", LayerFigures{"deep", 64, 9, 1, 32, work_of(2'000'000, 2e-3, 1.5e-3, "host feed")});
  Statistics root;
  write_figures(tree, root);
  std::ostringstream out;
  root.write_json(out);
  return out.str();
}

/// A TCU's run of two layers: the second one longer, and mostly at its second DRAM port.
std::string tcu_statistics() {
  Statistics root;
  Statistics& layers = root.group("tensil0").group(tensil::kLayersGroup);
  write_figures(tensil::LayerFigures{0, 100, 2000, 64'000, 10, 20, 30, 40, {{1500, 100, 200, 100, 50, 50}}, "array"},
                layers.group("layer0"));
  write_figures(tensil::LayerFigures{100, 300, 6000, 128'000, 1, 2, 3, 4, {{2000, 0, 4000, 0, 0, 0}}, "dram1"},
                layers.group("layer1"));
  std::ostringstream out;
  root.write_json(out);
  return out.str();
}

class LayersPage : public testing::Test {
 protected:
  void show(const std::string& first_name) {
    const std::string file = folder_.write("workload.json", workload_statistics(first_name));
    browser_.open(folder_.write("layers.html", report_page(read_report_data({file}))));
  }
  std::vector<std::string> rows() {
    return browser_.script(R"(
      const table = document.querySelector("#layers table");
      return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("|"));)");
  }
  void keep_screenshot(const std::string& name) {
    std::filesystem::create_directories(VP_BINARY_DIR "/report-screenshots");
    browser_.screenshot(VP_BINARY_DIR "/report-screenshots/" + name + ".png");
  }
  TemporaryFolder folder_;
  Browser browser_;
};

TEST_F(LayersPage, shows_a_row_a_layer_and_a_total) {
  show("first");
  EXPECT_THAT(
      rows(),
      testing::ElementsAre(
          "first|100 × 20 × 30|1.501 ms|multiply|1 MMAC|1,234 cycles|12.5 %|25 %|50 %|5 MB|0 bytes|1 ms|500 µs|0 "
          "ps|0 ps|1 µs|0 %",
          "deep|64 × 9 × 1 (32 times)|3.501 ms|host feed|2 MMAC|1,234 cycles|12.5 %|25 %|50 %|5 MB|0 bytes|2 "
          "ms|1.5 ms|0 ps|0 ps|1 µs|0 %",
          "total||5.001 ms|multiply|3 MMAC|1,234 cycles|12.5 %|25 %|50 %|5 MB|0 bytes|3 ms|2 ms|0 ps|0 ps|1 µs|0 "
          "%"));
  EXPECT_THAT(browser_.text("#layers .lead"), HasSubstr("off by at most 12 %"));
  EXPECT_EQ(browser_.script("return document.querySelectorAll('#layers svg rect').length;"), 6);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(LayersPage, draws_each_layer_under_the_roof_of_the_array_and_its_port) {
  show("first");
  EXPECT_EQ(browser_.script("return document.querySelectorAll('#roofline circle.spot').length;"), 3);
  EXPECT_EQ(browser_
                .script(R"(
      return [...document.querySelector("#roofline table").tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("|"));)")
                .at(1),
            "deep|0.4 MAC/byte|2 GMAC/s|571.3 MMAC/s|28.56 %|the port");
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(LayersPage, is_readable_in_both_themes_and_on_a_narrow_screen) {
  for (const char* scheme : {"light", "dark"}) {
    browser_.prefer_colours(scheme);
    show("layer_with_a_rather_long_name");
    keep_screenshot(std::string("layers-") + scheme);
  }
  browser_.resize(420, 900);
  show("layer_with_a_rather_long_name");
  EXPECT_LE(browser_.script("return document.documentElement.scrollWidth - window.innerWidth;").get<int>(), 0);
  EXPECT_GE(
      browser_
          .script(
              "return Math.min(...[...document.querySelectorAll('#layers svg text, #roofline svg text')].map((t) => "
              "t.getBoundingClientRect().left - t.ownerSVGElement.getBoundingClientRect().left));")
          .get<double>(),
      -1);
  keep_screenshot("layers-narrow");
}

TEST_F(LayersPage, shows_the_layers_of_a_tcu_and_where_their_cycles_went) {
  const std::string file = folder_.write("tcu.json", tcu_statistics());
  for (const int width : {1280, 420}) {
    browser_.resize(width, 900);
    browser_.open(folder_.write("layers.html", report_page(read_report_data({file}))));
    EXPECT_LE(browser_.script("return document.documentElement.scrollWidth - window.innerWidth;").get<int>(), 0);
    keep_screenshot("tcu-layers-" + std::to_string(width));
  }
  const std::string card = R"(document.getElementById("layers-tensil0"))";
  EXPECT_EQ(browser_.script("return [..." + card +
                            ".querySelector('table').tBodies[0].rows].map((row) => [...row.cells].map((cell) => "
                            "cell.textContent).join('|'));"),
            nlohmann::json({"layer\u00a00|2,000|25 %|array|64,000|100|100 bytes|1,500|100|200|100|50|50",
                            "layer\u00a01|6,000|75 %|dram1|128,000|300|10 bytes|2,000|0|4,000|0|0|0"}));
  EXPECT_EQ(browser_.script("return " + card + ".querySelectorAll('svg rect').length;"), 8);
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(LayersPage, shows_a_name_from_a_file_as_text) {
  show("</script><script>document.title='x'</script>");
  EXPECT_THAT(rows().front(), HasSubstr("</script><script>"));
  EXPECT_THAT(browser_.text("#title"), HasSubstr("Run workload.json"));
}

}  // namespace
}  // namespace vp
