#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "platform/report/report_data.h"
#include "platform/report/report_page.h"
#include "platform/report/run_tree.h"
#include "platform/sweep/sweep_folder.h"
#include "tests/report/browser.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

/// Statistics of a run that took so long (ps) on a machine with these settings.
Json statistics_of(std::uint64_t time, const Settings& settings, unsigned exit_code = 0) {
  Json run = {{"end", {{"value", exit_code ? "time_limit" : "guest_exit"}, {"description", "it ended thus"}}},
              {"exit_code", {{"value", exit_code}, {"unit", "1"}, {"description", "d"}}},
              {"simulated_time", {{"value", time}, {"unit", "ps"}, {"description", "simulated time"}}},
              {"wall_time", {{"value", time / 7 + settings.size()}, {"unit", "s"}, {"volatile", true}}}};
  Json configuration = Json::object();
  for (const auto& [name, value] : settings) configuration[name] = {{"value", value}, {"description", "d"}};
  return {{"groups", {{"run", {{"values", run}}}, {kConfigurationGroup, {{"values", configuration}}}}}};
}

class SweepPage : public testing::Test {
 protected:
  struct Point {
    Settings settings;
    Json statistics;
  };
  std::string make_sweep(const std::string& name, const std::vector<Point>& points) {
    SweepFolder folder(folder_.path(name));
    folder.create_and_lock();
    SweepJob job;
    job.plan.command = {"run", "a.elf"};
    for (const Point& point : points) {
      const std::string hash = "00000000000000" + std::to_string(10 + job.plan.points.size());
      job.plan.points.push_back({hash, point.settings, ""});
      const Json result = {
          {"schema", "tinytpu-vp-sweep-point-1"}, {"wall_seconds", 0.5}, {"statistics", point.statistics}};
      folder.write_result(hash, result.dump());
    }
    folder.write_job(job);
    return folder.path();
  }
  /// A full grid of width × clock: time = 8000 / width, and 500 more with the slow clock.
  std::string make_grid(const std::string& name, std::uint64_t slower = 500) {
    std::vector<Point> points;
    for (const unsigned width : {4, 8})
      for (const std::string clock : {"50MHz", "100MHz"}) {
        const Settings settings = {{"width", std::to_string(width)}, {"clock", clock}};
        points.push_back({settings, statistics_of(8000 / width + (clock == "50MHz" ? slower : 0), settings)});
      }
    return make_sweep(name, points);
  }
  void show(const std::vector<std::string>& inputs) {
    browser_.open(folder_.write("page.html", report_page(read_report_data(inputs))));
  }
  std::vector<std::string> rows(const std::string& caption) {
    return browser_.script(R"(
      const table = [...document.querySelectorAll("table")].find((t) => t.caption.textContent.startsWith(arguments[0]));
      return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("|"));)",
                           {caption});
  }
  int count(const std::string& selector) {
    return browser_.script("return document.querySelectorAll(arguments[0]).length", {selector});
  }
  void expect_sound() {
    EXPECT_THAT(browser_.console(), IsEmpty());
    EXPECT_EQ(count("[x1='NaN'], [width='NaN'], [cx='NaN']"), 0);
    EXPECT_THAT(browser_.script("return document.body.innerText").get<std::string>(),
                AllOf(Not(HasSubstr("undefined")), Not(HasSubstr("NaN")), Not(HasSubstr("[object"))));
  }
  void keep_screenshot(const std::string& name) {
    std::filesystem::create_directories(VP_BINARY_DIR "/report-screenshots");
    browser_.screenshot(VP_BINARY_DIR "/report-screenshots/" + name + ".png");
  }

  TemporaryFolder folder_;
  Browser browser_;
};

TEST_F(SweepPage, each_parameter_has_a_bar_of_what_it_is_worth) {
  show({make_grid("grid")});
  // Times 2500, 2000, 1500, 1000: mean 1750. Width is worth 1000 with either clock, the clock 500 with either width.
  EXPECT_THAT(rows("Worth of each parameter for run.simulated_time"),
              ElementsAre("width|57.14 %|57.14 %|8 (in 2 of 2)|2", "clock|28.57 %|28.57 %|100MHz (in 2 of 2)|2"));
  ASSERT_EQ(count("#sensitivity svg .worth"), 2);
  const Json widths = browser_.script(
      "return [...document.querySelectorAll('#sensitivity .worth')].map((bar) => Number(bar.getAttribute('width')))");
  EXPECT_NEAR(widths[0].get<double>() / widths[1].get<double>(), 2, 0.01);
  browser_.script("document.getElementById('sensitivity').scrollIntoView()");
  keep_screenshot("sensitivity");
  expect_sound();
}

TEST_F(SweepPage, a_sample_gives_estimates_that_are_called_so) {
  std::vector<Point> points;
  for (unsigned i = 1; i <= 8; ++i) {
    const Settings settings = {{"width", std::to_string(i)}, {"depth", std::to_string(9 - i)}};
    points.push_back({settings, statistics_of(1000 * i, settings)});
  }
  show({make_sweep("sample", points)});
  EXPECT_THAT(rows("Worth of each parameter")[0], HasSubstr("|133.3 %|133.3 %|–|estimate"));
  EXPECT_THAT(browser_.text("#sensitivity"), HasSubstr("no two points differ in it alone"));
  expect_sound();
}

TEST_F(SweepPage, parameters_that_changed_no_simulated_figure_are_told_instead_of_drawn) {
  std::vector<Point> points;
  for (const std::string value : {"1", "2", "3"}) {
    points.push_back({{{"timeout", value}}, statistics_of(1000, {{"timeout", value}})});
    points.back().statistics["groups"]["run"]["values"]["wall_time"]["value"] = std::stoi(value);
  }
  show({make_sweep("same", points)});
  EXPECT_THAT(browser_.text(".note"), HasSubstr("No simulated figure differs between these 3 points: timeout changed "
                                                "nothing in this run."));
  EXPECT_EQ(count("#pareto, #heatmap, #sensitivity"), 0);
  EXPECT_THAT(browser_.text("#figures"), Not(HasSubstr("Best")));
  expect_sound();
}

TEST_F(SweepPage, one_point_is_not_called_the_best) {
  show({make_sweep("one", {{{{"width", "4"}}, statistics_of(1000, {{"width", "4"}})}})});
  EXPECT_THAT(browser_.text("#figures"), Not(HasSubstr("Best")));
  EXPECT_THAT(browser_.text(".note"), HasSubstr("Only one point has a result"));
  EXPECT_EQ(count("#pareto"), 0);
  expect_sound();
}

TEST_F(SweepPage, a_run_that_a_limit_ended_wins_nothing_and_says_why) {
  const std::string folder = make_sweep("cut", {{{{"width", "4"}}, statistics_of(3000, {{"width", "4"}})},
                                                {{{"width", "8"}}, statistics_of(1000, {{"width", "8"}}, 4)},
                                                {{{"width", "16"}}, statistics_of(2000, {{"width", "16"}})}});
  show({folder});
  EXPECT_THAT(browser_.text(".note"), HasSubstr("A limit ended 1 of 3 runs"));
  EXPECT_EQ(browser_.text("#point-settings"), "width=16");
  EXPECT_EQ(count("#pareto .dot.cut-off"), 1);
  EXPECT_EQ(count("#pareto .dot.front.cut-off"), 0);
  browser_.click("#pareto .dot.cut-off");
  EXPECT_THAT(browser_.text("#point .warning"), HasSubstr("A limit ended this run: it ended thus"));
  expect_sound();
}

TEST_F(SweepPage, text_of_guests_files_and_settings_is_text_on_the_page) {
  const std::string evil = "</script><img src=x onerror=document.title='owned'><b>=cmd|'/c calc'!A0";
  std::vector<Point> points;
  for (const std::string suffix : {"1", "2"}) {
    const Settings settings = {{"width", suffix}, {"program", evil + suffix}};
    points.push_back({settings, statistics_of(std::stoi(suffix) * 1000, settings)});
    points.back().statistics["groups"]["metric"]["values"][evil] = {
        {"value", std::stoi(suffix)}, {"unit", "</script>"}, {"description", evil}};
  }
  const std::string folder = make_sweep("evil", points);
  const std::string page = report_page(read_report_data({folder}));
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 2u);  // those of the page itself
  show({folder});
  EXPECT_EQ(count("img, main b b"), 0);
  EXPECT_THAT(browser_.script("return document.title").get<std::string>(), HasSubstr("Sweep evil"));
  EXPECT_THAT(browser_.text("#point-settings"), HasSubstr(evil));
  EXPECT_THAT(browser_.script("return document.body.textContent").get<std::string>(), HasSubstr("</script>"));
  show({folder, folder});
  EXPECT_EQ(count("img"), 0);
}

TEST_F(SweepPage, two_runs_are_shown_side_by_side) {
  const std::string a = folder_.write("a.json", statistics_of(1000, {{"width", "4"}}).dump());
  const std::string b = folder_.write("b.json", statistics_of(1250, {{"width", "8"}}).dump());
  show({a, b});
  EXPECT_EQ(browser_.text("#title"), "Comparison of a.json and b.json");
  EXPECT_THAT(browser_.text("#figures"), AllOf(HasSubstr("1 of 3"), HasSubstr("+25 %")));
  EXPECT_THAT(rows("Figures: 1"), ElementsAre("run.simulated_timesimulated time|+25 %|1,000 ps|1,250 ps"));
  EXPECT_THAT(rows("Parameters: 1"), ElementsAre("widthd|4|8"));
  expect_sound();
  show({a, a});
  EXPECT_THAT(browser_.text(".note"), HasSubstr("No figure differs"));
  expect_sound();
}

TEST_F(SweepPage, two_sweeps_are_shown_point_by_point) {
  show({make_grid("before"), make_grid("after", 1500)});
  EXPECT_THAT(rows("run.simulated_time: A beside B"),
              ElementsAre("width=4 clock=50MHz|+40 %|2.5 ns|3.5 ns", "width=4 clock=100MHz|0 %|2 ns|2 ns",
                          "width=8 clock=50MHz|+66.67 %|1.5 ns|2.5 ns", "width=8 clock=100MHz|0 %|1 ns|1 ns"));
  EXPECT_EQ(count("#change svg .change"), 4);
  expect_sound();
}

TEST_F(SweepPage, pages_of_sweeps_fit_a_narrow_window_in_both_themes) {
  const std::string grid = make_grid("grid"), other = make_grid("other", 700);
  for (const std::string scheme : {"light", "dark"}) {
    browser_.prefer_colours(scheme);
    browser_.resize(420, 900);
    for (const std::vector<std::string>& inputs : {std::vector<std::string>{grid}, {grid, other}}) {
      show(inputs);
      EXPECT_LE(browser_.script("return document.documentElement.scrollWidth - window.innerWidth").get<int>(), 0);
      keep_screenshot(std::string(inputs.size() == 1 ? "sweep" : "compare") + "-420-" + scheme);
      expect_sound();
    }
  }
}

}  // namespace
}  // namespace vp
