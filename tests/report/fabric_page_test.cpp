// The picture of a reconfigurable fabric in the report page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "models/common/figures.h"
#include "models/drra/figures.h"
#include "platform/report/report_data.h"
#include "platform/report/report_page.h"
#include "platform/report/run_tree.h"
#include "tests/report/browser.h"

namespace vp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A run of a fabric of so many columns, of which three cells were used.
std::string fabric_statistics(unsigned columns) {
  Statistics root;
  root.group("run").add("simulated_time", 2000.0, "ns", "simulated time");
  root.group(kConfigurationGroup, "every parameter").add("drra.columns", std::to_string(columns), "columns");
  Statistics& fabric = root.group("drra");
  write_figures(drra::RunFigures{1, 0, 200}, fabric);
  const std::pair<const char*, std::uint64_t> cells[] = {{"0_0", 200}, {"0_3", 100}, {"1_2", 0}};
  for (const auto& [place, dpu] : cells)
    write_figures(drra::CellFigures{50, 20, dpu, 1, 2, 3, 4, 5, 6, 199},
                  fabric.group(std::string(drra::kCellGroup) + place));
  std::ostringstream out;
  root.write_json(out);
  return out.str();
}

class FabricPage : public testing::Test {
 protected:
  void show(const std::string& statistics) {
    browser_.open(folder_.write("page.html", report_page(read_report_data({folder_.write("run.json", statistics)}))));
  }
  int count(const std::string& selector) {
    return browser_.script("return document.querySelectorAll(arguments[0]).length", {selector});
  }
  std::vector<std::string> texts(const std::string& selector) {
    return browser_.script("return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)",
                           {selector});
  }

  TemporaryFolder folder_;
  Browser browser_;
};

TEST_F(FabricPage, shows_each_cell_with_its_share_of_the_run) {
  show(fabric_statistics(8));
  EXPECT_EQ(count("#fabric rect"), 16);
  EXPECT_EQ(count("#fabric rect.fabric-cell"), 3);
  EXPECT_THAT(texts("#fabric rect.fabric-cell title"),
              ElementsAre(HasSubstr("cell 0,0: DPU 200, sequencer: instructions 50"), HasSubstr("cell 0,3: DPU 100"),
                          HasSubstr("cell 1,2: DPU 0")));
  EXPECT_THAT(browser_.text("#fabric"), HasSubstr("3 of 16 cells were used; shares are of 200 cycles"));
  EXPECT_THAT(texts("#fabric details:first-of-type tbody tr:first-child td"), ElementsAre("DPU", "2", "300", "50 %"));
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(FabricPage, shows_the_share_of_another_resource_when_asked) {
  show(fabric_statistics(8));
  const std::string before = browser_.script("return document.querySelector('#fabric rect.fabric-cell').style.fill");
  browser_.script(
      "const list = document.querySelector('#fabric select'); list.selectedIndex = 1; list.dispatchEvent(new "
      "Event('change'))");
  const std::string after = browser_.script("return document.querySelector('#fabric rect.fabric-cell').style.fill");
  EXPECT_NE(before, after);
  EXPECT_THAT(texts("#fabric svg text"), testing::Contains("25 %"));
}

TEST_F(FabricPage, has_room_for_the_largest_fabric) {
  show(fabric_statistics(64));
  EXPECT_EQ(count("#fabric rect"), 128);
  EXPECT_EQ(count("[width='NaN'], [x='NaN']"), 0);
  EXPECT_EQ(browser_.script("return document.documentElement.scrollWidth > document.documentElement.clientWidth"),
            false);
}

TEST_F(FabricPage, leaves_the_card_out_where_there_is_no_fabric) {
  Statistics root;
  root.group("run").add("simulated_time", 2000.0, "ns", "simulated time");
  std::ostringstream out;
  root.write_json(out);
  show(out.str());
  EXPECT_EQ(count("#fabric"), 0);
}

}  // namespace
}  // namespace vp
