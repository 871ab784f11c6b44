#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "models/common/statistics.h"
#include "platform/report/ideal_bounds.h"
#include "platform/report/report_data.h"
#include "platform/report/report_page.h"
#include "platform/report/run_tree.h"
#include "platform/report/timeline.h"
#include "platform/sweep/sweep_folder.h"
#include "tests/report/browser.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

const std::string kRightKey = "\xEE\x80\x94";  // U+E014, WebDriver's code points for keys without a character
const std::string kHomeKey = "\xEE\x80\x91";   // U+E011

/// Statistics of a run as the platform writes them: 1.25 ms, a tinyTPU of width 14 at 5625 ps.
std::string run_statistics(std::uint64_t width = 14, Picoseconds time = 1'250'000'000,
                           const std::string& preset = "fixed") {
  Statistics root;
  RunTree tree;
  tree.machine_run = MachineRunFigures{"guest_exit", "the guest ended the run with success", 0, time, 123456, 0.5, {}};
  tree.fidelity = FidelityFigures{"timed", 0, time, 0};
  write_figures(tree, root);
  Statistics& configuration = root.group(kConfigurationGroup, "every parameter");
  configuration.add("tpu.matrix_width", std::to_string(width), "rows and columns");
  configuration.add("dram1.preset", preset, "kind of memory");
  Statistics& unit = root.group("tpu").group("matrix_multiply", "systolic array");
  unit.add("busy", std::uint64_t{600}, "cycles", "busy");
  unit.add("stall", std::uint64_t{300}, "cycles", "stalled");
  unit.add("idle", std::uint64_t{100}, "cycles", "idle");
  unit.add("total", std::uint64_t{1000}, "cycles", "sum");
  unit.group("stall_cause").add("weights_busy", std::uint64_t{250}, "cycles", "waited for weights");
  unit.group("stall_cause").add("synchronize", std::uint64_t{50}, "cycles", "waited for all");
  Bounds bounds;
  bounds.timed_time = time;
  bounds.computes = {{"tpu", static_cast<double>(width * width) * 1e12 / 5625, 5'000'000, 25000, 30000, 5625}};
  bounds.memories = {{"dram1", 12.8e9}};
  bounds.buses = {{"bus", 8e9, false, {"cpu"}, {{"cpu", "dram1", 2'000'000}, {"cpu", "tpu", 500'000}}}};
  report_bounds(bounds, root);
  std::ostringstream out;
  root.write_json(out);
  return out.str();
}

std::string run_timeline() {
  Timeline timeline;
  const auto multiply = timeline.add_track("tpu.matrix_multiply");
  const auto bus = timeline.add_track("bus");
  timeline.add(multiply, 0, 500'000'000, "busy");
  timeline.add(multiply, 500'000'000, 750'000'000, "weights_busy");
  for (Picoseconds t = 0; t < 1'250'000'000; t += 1'000'000) timeline.add(bus, t, t + 400'000, "busy");
  timeline.set_end(1'250'000'000);
  std::ostringstream out;
  timeline.write_json(out);
  return out.str();
}

/// Bounds of a run, or of a part of it, of so many picoseconds in which the CPU executed for so many.
Bounds bounds_of(Picoseconds time, Picoseconds executing) {
  Bounds bounds;
  bounds.timed_time = time;
  bounds.hosts = {{"cpu", time, executing, 0, 0, time - executing, 1000}};
  bounds.computes = {
      {"tpu", 196e12 / 5625, 4'000'000, 25000, 30000, 5625, {{"multiply", 20000, false}, {"host_feed", 10000, true}}}};
  bounds.memories = {{"dram1", 12.8e9}};
  bounds.buses = {{"bus", 8e9, false, {"cpu"}, {{"cpu", "dram1", 1'000'000}}}};
  return bounds;
}

/// Statistics of a run whose program has named two regions.
std::string run_with_regions() {
  Statistics root;
  RunTree tree;
  tree.machine_run =
      MachineRunFigures{"guest_exit", "the guest ended the run with success", 0, 1'250'000'000, 9, 1, {}};
  tree.fidelity = FidelityFigures{"timed", 0, 1'250'000'000, 0};
  tree.provenance =
      ProvenanceFigures{"a.elf", "00ff", "tinytpu-vp run '</script>' a.elf", "1.2.3", "abcd", "2026-01-02"};
  tree.regions.emplace();
  for (const auto& [name, time] :
       {std::pair<const char*, Picoseconds>("load", 300'000'000), {"inference", 400'000'000}}) {
    const Bounds bounds = bounds_of(time, time / 4 * 3);
    RegionFigures region;
    region.entries = 1;
    region.first_entered = 500'000'000;
    region.simulated_time = time;
    region.instructions = 1000;
    region.hosts = {{"cpu", {time, time / 4 * 3, 0, 0, time / 4}}};
    region.bound = bound_figures(bounds);
    region.ideal = ideal_figures(bounds);
    tree.regions->regions.emplace_back(name, region);
  }
  write_figures(tree, root);
  report_bounds(bounds_of(1'250'000'000, 250'000'000), root);
  std::ostringstream out;
  root.write_json(out);
  return out.str();
}

/// Its timeline, with marks.
std::string timeline_with_regions() {
  Timeline timeline;
  const auto unit = timeline.add_track("tpu.matrix_multiply");
  const auto interrupts = timeline.add_track("interrupts");
  const auto hazards = timeline.add_track("hazards");
  const auto regions = timeline.add_track("regions");
  timeline.add(unit, 600'000'000, 700'000'000, "busy");
  timeline.add(regions, 100'000'000, 400'000'000, "load");
  timeline.add(regions, 500'000'000, 900'000'000, "inference");
  timeline.mark(interrupts, 700'000'000, "external interrupt at 0x80000010 (main+0x10)");
  timeline.mark(hazards, 650'000'000, "<b>instruction 3</b> read too early");
  timeline.set_end(1'250'000'000);
  std::ostringstream out;
  timeline.write_json(out);
  return out.str();
}

class Page : public testing::Test {
 protected:
  void show(const std::vector<std::string>& inputs, const SweepAxes& axes = {}) {
    browser_.open(folder_.write("a report.html", report_page(read_report_data(inputs, axes))));
  }
  void show_run() {
    show({folder_.write("run.json", run_statistics()), folder_.write("timeline.json", run_timeline())});
  }
  /// A sweep of width × preset; wider is faster, ddr3 is faster than fixed; one point failed.
  void show_sweep() {
    SweepFolder out(folder_.path("my sweep"));
    out.create_and_lock();
    SweepJob job;
    job.plan.command = {"run", "digits 64.elf"};
    for (const std::uint64_t width : {7, 14, 32}) {
      for (const std::string preset : {"fixed", "ddr3-1600"}) {
        SweepPoint point{"00000000000000" + std::to_string(width + (preset == "fixed" ? 10 : 50)),
                         {{"tpu.matrix_width", std::to_string(width)}, {"dram1.preset", preset}}};
        if (width == 32 && preset == "fixed") {
          out.write_failure(point, "exit code 3: tinytpu-vp: bad access");
        } else {
          const Picoseconds time = (preset == "fixed" ? 4'000'000'000 : 2'000'000'000) / width;
          const Json result = {{"schema", "tinytpu-vp-sweep-point-1"},
                               {"wall_seconds", 0.5},
                               {"statistics", Json::parse(run_statistics(width, time, preset))}};
          out.write_result(point.hash, result.dump());
        }
        job.plan.points.push_back(point);
      }
    }
    out.write_job(job);
    show({folder_.path("my sweep")});
  }
  /// Texts that only a fault of the page would show.
  std::vector<std::string> faulty_texts() {
    return browser_.script(R"(
      const found = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      while (walker.nextNode())
        if (/\b(false|undefined|NaN|null|Infinity|\[object)\b/.test(walker.currentNode.data)) found.push(walker.currentNode.data);
      return found;)");
  }
  /// Pictures to look at stay in the build folder.
  void keep_screenshot(const std::string& name) {
    std::filesystem::create_directories(VP_BINARY_DIR "/report-screenshots");
    browser_.screenshot(VP_BINARY_DIR "/report-screenshots/" + name + ".png");
  }
  std::string range() { return browser_.text("#timeline-range"); }
  /// Rows of the table whose caption starts so, cells joined by "|".
  std::vector<std::string> rows(const std::string& caption) {
    return browser_.script(R"(
      const table = [...document.querySelectorAll("table")].find((t) => t.caption.textContent.startsWith(arguments[0]));
      return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("|"));)",
                           {caption});
  }
  /// Share of the canvas, between two shares of its width and in one track, that has the colour of a style variable.
  double share_of_colour(const std::string& variable, double from, double to, int track) {
    return browser_.script(R"(
      const canvas = document.querySelector("canvas.timeline"), g = canvas.getContext("2d");
      const probe = document.createElement("canvas").getContext("2d");
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(arguments[0]);
      probe.fillRect(0, 0, 1, 1);
      const want = probe.getImageData(0, 0, 1, 1).data;
      const left = 190, plot = canvas.clientWidth - left - 8;
      const x = Math.round(left + plot * arguments[1]), w = Math.round(plot * (arguments[2] - arguments[1]));
      const data = g.getImageData(x, 26 + 28 * arguments[3], w, 20).data;
      let same = 0;
      for (let i = 0; i < data.length; i += 4)
        same += Math.abs(data[i] - want[0]) + Math.abs(data[i + 1] - want[1]) + Math.abs(data[i + 2] - want[2]) < 12;
      return same / (data.length / 4);)",
                           {variable, from, to, track});
  }
  /// Smallest contrast (WCAG) of any text on the page against what is behind it.
  double worst_contrast() {
    return browser_.script(R"(
      const parse = (text) => text.match(/[\d.]+/g).map(Number);
      const light = ([r, g, b]) => [r, g, b].map((c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; })
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
      let worst = 100;
      for (const node of document.querySelectorAll("h1, h2, p, td, th, a, button, select, label, summary, li, .tile b, .tile span, svg text")) {
        if (!node.textContent.trim() || node.style.fill || node.className === "skip") continue;
        const style = getComputedStyle(node);
        const ink = parse(node instanceof SVGElement ? style.fill : style.color);
        let back = node;
        while (back && parse(getComputedStyle(back).backgroundColor)[3] === 0) back = back.parentElement;
        const [a, b] = [light(ink), light(parse(getComputedStyle(back || document.body).backgroundColor))].sort((x, y) => y - x);
        worst = Math.min(worst, (a + 0.05) / (b + 0.05));
      }
      return worst;)");
  }

  TemporaryFolder folder_;
  Browser browser_;
};

TEST_F(Page, a_run_shows_its_figures_with_units_and_mode) {
  show_run();
  EXPECT_EQ(browser_.text("#title"), "Run run.json");
  EXPECT_THAT(browser_.text("#figures"), AllOf(HasSubstr("Fidelity modetimed"), HasSubstr("Simulated time1.25 ms"),
                                               HasSubstr("4 GMAC/s"), HasSubstr("30,000 cycles120 % of")));
  EXPECT_THAT(rows("Time by unit and cause"),
              testing::ElementsAre("tpu · matrix multiply|busy|600 cycles|60 %|",
                                   "tpu · matrix multiply|weights busy|250 cycles|25 %|waited for weights",
                                   "tpu · matrix multiply|synchronize|50 cycles|5 %|waited for all",
                                   "tpu · matrix multiply|idle|100 cycles|10 %|"));
  // 5e6 MAC in 1.25 ms; peak 196 MAC each 5625 ps; 2.5 MAC a byte on dram1: bound 32 GMAC/s.
  EXPECT_THAT(rows("Roofs and where"),
              testing::ElementsAre("dram1|12.8 GB/s|2,000,000 bytes|2.5 MAC/byte|32 GMAC/s|4 GMAC/s|this link",
                                   "bus|8 GB/s|2,500,000 bytes|2 MAC/byte|16 GMAC/s|4 GMAC/s|this link"));
  EXPECT_THAT(rows("Reached beside ideal")[0], HasSubstr("|4 GMAC/s|34.84 GMAC/s|11.48 %"));
  EXPECT_THAT(rows("Reached beside ideal")[1], HasSubstr("|30,000 cycles|25,000 cycles|120 %"));
  EXPECT_THAT(rows("Parameters"),
              testing::ElementsAre("tpu.matrix_width|14|rows and columns", "dram1.preset|fixed|kind of memory"));
  EXPECT_EQ(browser_.script("return document.querySelectorAll('#roofline svg .spot').length"), 2);
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
  EXPECT_EQ(browser_.script("return performance.getEntriesByType('resource').length"), 0);
  keep_screenshot("run-light");
}

TEST_F(Page, the_timeline_zooms_and_pans_by_button_key_wheel_and_mouse) {
  show_run();
  EXPECT_EQ(range(), "0 ps to 1.25 ms (1.25 ms of 1.25 ms)");
  browser_.click("button[aria-label='Zoom in']");
  EXPECT_EQ(range(), "312.5 µs to 937.5 µs (625 µs of 1.25 ms)");
  browser_.click("button[aria-label='Pan right']");
  EXPECT_EQ(range(), "468.75 µs to 1.09375 ms (625 µs of 1.25 ms)");
  browser_.keys("canvas.timeline", "+");
  EXPECT_THAT(range(), HasSubstr("(312.5 µs of 1.25 ms)"));
  const std::string before = range();
  browser_.keys("canvas.timeline", kRightKey);
  EXPECT_NE(range(), before);
  browser_.keys("canvas.timeline", kHomeKey);
  EXPECT_EQ(range(), "0 ps to 1.25 ms (1.25 ms of 1.25 ms)");
  browser_.wheel("canvas.timeline", -600);
  EXPECT_THAT(range(), Not(HasSubstr("(1.25 ms of")));
  const std::string zoomed = range();
  browser_.drag("canvas.timeline", -120);
  EXPECT_NE(range(), zoomed);
  for (int i = 0; i < 60; ++i) browser_.click("button[aria-label='Zoom in']");
  EXPECT_THAT(range(), HasSubstr("(100 ps of 1.25 ms)"));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, the_timeline_paints_states_where_they_were) {
  show_run();
  browser_.script("document.querySelector('canvas.timeline').scrollIntoView()");
  EXPECT_GT(share_of_colour("--state-0", 0.01, 0.39, 0), 0.99);  // busy until 0.5 of 1.25 ms
  EXPECT_GT(share_of_colour("--idle", 0.61, 0.99, 0), 0.95);     // the rest is idle but for grid lines
  EXPECT_LT(share_of_colour("--state-0", 0.41, 0.59, 0), 0.01);  // stalled
  EXPECT_LT(share_of_colour("--idle", 0.41, 0.59, 0), 0.01);
  // The bus is busy for 400 of each 1000 ns: 40 % of the height of each pixel column.
  EXPECT_NEAR(share_of_colour("--state-0", 0.1, 0.9, 1), 0.4, 0.12);
}

TEST_F(Page, a_sweep_shows_its_front_and_opens_the_point_that_is_clicked) {
  show_sweep();
  EXPECT_EQ(browser_.text("#title"), "Sweep my sweep");
  EXPECT_THAT(browser_.text("#figures"),
              AllOf(HasSubstr("5 of 6"), HasSubstr("1 without a result"), HasSubstr("timed")));
  EXPECT_EQ(browser_.script("return document.querySelectorAll('#pareto .dot').length"), 5);
  // Less peak is cheaper, less time is better: each width with ddr3-1600 is on the front.
  EXPECT_THAT(browser_.text("#pareto-count"), StartsWith("3 of 5 points are on the front"));
  EXPECT_THAT(rows("Points on the front"),
              testing::ElementsAre("show|8.711 GMAC/s|285.7 µs|7|ddr3-1600", "show|34.84 GMAC/s|142.9 µs|14|ddr3-1600",
                                   "show|182 GMAC/s|62.5 µs|32|ddr3-1600"));
  EXPECT_EQ(browser_.text("#point-settings"),
            "tpu.matrix_width=32 dram1.preset=ddr3-1600");  // the fastest is shown first
  browser_.click("#pareto .dot[data-point='1']");
  EXPECT_EQ(browser_.text("#point-settings"), "tpu.matrix_width=7 dram1.preset=ddr3-1600");
  EXPECT_EQ(browser_.text("#point-hash"), "0000000000000057");
  EXPECT_THAT(rows("Parameters"), testing::Contains("tpu.matrix_width|7|rows and columns"));
  EXPECT_THAT(browser_.text("#point pre"),
              HasSubstr("tinytpu-vp run --set tpu.matrix_width=7 --set dram1.preset=ddr3-1600 'digits 64.elf'"));
  EXPECT_THAT(rows("Points without a result"),
              testing::ElementsAre("tpu.matrix_width=32 dram1.preset=fixed|exit code 3: tinytpu-vp: bad access"));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
  browser_.script("window.scrollTo(0, 0)");
  keep_screenshot("sweep-light");
}

TEST_F(Page, the_heat_map_follows_its_selectors_and_opens_points) {
  show_sweep();
  EXPECT_EQ(browser_.script("return document.querySelectorAll('#heatmap .cell').length"), 5);
  EXPECT_THAT(rows("run.simulated_time in ps"),
              testing::ElementsAre("fixed|571,428,571|285,714,285|–", "ddr3-1600|285,714,285|142,857,142|62,500,000"));
  browser_.click("#heatmap .cell[data-point='2']");
  EXPECT_EQ(browser_.text("#point-settings"), "tpu.matrix_width=14 dram1.preset=fixed");
  browser_.script(R"(const list = document.querySelectorAll("#heatmap select")[0];
                     list.value = "dram1.preset"; list.dispatchEvent(new Event("change")))");
  EXPECT_THAT(rows("run.simulated_time in ps"),
              testing::ElementsAre("7|571,428,571|285,714,285", "14|285,714,285|142,857,142", "32|–|62,500,000"));
  browser_.script(R"(const list = document.querySelectorAll("#heatmap select")[2];
                     list.value = "ideal.peak_macs_per_second"; list.dispatchEvent(new Event("change")))");
  EXPECT_THAT(rows("ideal.peak_macs_per_second in MAC/s").size(), 3u);
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, changing_the_pareto_axes_changes_the_front) {
  show_sweep();
  browser_.script(R"(const list = document.querySelectorAll("#pareto select")[1];
                     list.value = "max"; list.dispatchEvent(new Event("change")))");
  EXPECT_THAT(browser_.text("#pareto-count"), StartsWith("1 of 5 points are on the front"));
  browser_.script(R"(const list = document.querySelectorAll("#pareto select")[0];
                     list.value = "tpu.matrix_width"; list.dispatchEvent(new Event("change")))");
  EXPECT_THAT(browser_.text("#pareto-count"), StartsWith("3 of 5 points are on the front"));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, the_user_chooses_the_axes_that_a_sweep_shows_first) {
  show_sweep();
  show({folder_.path("my sweep")}, {"tpu.matrix_width", "ideal.mapped_of_peak"});
  EXPECT_EQ(browser_.script("return [...document.querySelectorAll('#pareto select')].map((s) => s.value)"),
            Json({"tpu.matrix_width", "min", "ideal.mapped_of_peak", "max"}));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, light_and_dark_follow_the_user_and_the_button_and_stay_readable) {
  const auto background = [&] {
    return browser_.script("return getComputedStyle(document.body).backgroundColor").get<std::string>();
  };
  browser_.prefer_colours("dark");
  show_run();
  const std::string dark = background();
  EXPECT_GE(worst_contrast(), 4.5);
  browser_.script("window.scrollTo(0, 0)");
  keep_screenshot("run-dark");
  browser_.click("#theme");
  const std::string light = background();
  EXPECT_NE(light, dark);
  EXPECT_GE(worst_contrast(), 4.5);
  browser_.prefer_colours("light");
  show_sweep();
  EXPECT_EQ(background(), light);
  EXPECT_GE(worst_contrast(), 4.5);
  browser_.click("#theme");
  EXPECT_EQ(background(), dark);
  EXPECT_GE(worst_contrast(), 4.5);
  keep_screenshot("sweep-dark");
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, a_run_opens_on_the_region_that_took_longest_and_shows_the_others) {
  show({folder_.write("run.json", run_with_regions()), folder_.write("timeline.json", timeline_with_regions())});
  const auto choose = [&](const std::string& region) {
    browser_.script(R"(const list = document.querySelector("#region select");
                       list.value = arguments[0]; list.dispatchEvent(new Event("change")))",
                    {region});
  };
  EXPECT_EQ(browser_.script("return document.querySelector('#region select').value"), "inference");
  EXPECT_THAT(browser_.text("#figures"),
              AllOf(HasSubstr("Bounded byhost feedcpu executing instructions, 75.0 % of the time"),
                    HasSubstr("Simulated time400 µs")));
  EXPECT_EQ(range(), "492 µs to 908 µs (416 µs of 1.25 ms)");
  EXPECT_THAT(rows("Time by unit and cause")[0], StartsWith("cpu|busy|300,000,000 ps|75 %|"));
  choose("load");
  EXPECT_THAT(browser_.text("#figures"), HasSubstr("Simulated time300 µs"));
  EXPECT_EQ(range(), "94 µs to 406 µs (312 µs of 1.25 ms)");
  choose("");
  EXPECT_THAT(browser_.text("#figures"), HasSubstr("Simulated time1.25 ms"));
  EXPECT_EQ(range(), "0 ps to 1.25 ms (1.25 ms of 1.25 ms)");
  EXPECT_THAT(rows("Where these figures come from"),
              testing::Contains("command line|tinytpu-vp run '</script>' a.elf|as "
                                "tinytpu-vp was called"));
  EXPECT_EQ(browser_.text("#subtitle"), "tinytpu-vp 1.2.3, 2026-01-02");
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, the_timeline_tells_interrupts_instructions_and_hazards_when_they_are_pointed_at) {
  show({folder_.write("run.json", run_with_regions()), folder_.write("timeline.json", timeline_with_regions())});
  const auto pointed_at = [&](int track, double share) {
    return browser_
        .script(R"(const canvas = document.querySelector("canvas.timeline"), box = canvas.getBoundingClientRect();
                   const x = 190 + (canvas.clientWidth - 198) * arguments[1], y = 26 + 28 * arguments[0] + 10;
                   canvas.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + x, clientY: box.top + y}));
                   const tip = document.querySelector(".tip");
                   return tip.hidden ? "" : tip.textContent;)",
                {track, share})
        .get<std::string>();
  };
  // Regions, interrupts and hazards stand first; 492 to 908 µs are in view.
  EXPECT_THAT(pointed_at(0, 0.5), HasSubstr("inference: 500 µs to 900 µs"));
  EXPECT_THAT(pointed_at(1, 0.5), HasSubstr("\n700 µs: external interrupt at 0x80000010 (main+0x10)"));
  EXPECT_THAT(pointed_at(2, 0.38), HasSubstr("\n650 µs: <b>instruction 3</b> read too early"));
  EXPECT_EQ(pointed_at(1, 0.9), "");
  EXPECT_THAT(pointed_at(3, 0.3), HasSubstr("busy: 600 µs to 700 µs"));
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, names_of_units_are_readable_on_a_phone) {
  browser_.resize(420, 900);
  show_run();
  const Json cut = browser_.script(R"(
    return [...document.querySelectorAll("#stalls svg text.unit")].map((text) => {
      const box = text.getBBox();
      return [text.textContent, box.x >= 0 && box.x + box.width <= text.ownerSVGElement.clientWidth];
    });)");
  EXPECT_EQ(cut, Json::parse(R"([["tpu · matrix multiply", true]])"));
  keep_screenshot("run-phone");
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, a_narrow_window_needs_no_sideways_scrolling) {
  browser_.resize(520, 900);
  for (const bool is_sweep : {false, true}) {
    is_sweep ? show_sweep() : show_run();
    EXPECT_LE(browser_.script("return document.documentElement.scrollWidth - window.innerWidth").get<int>(), 0);
    keep_screenshot(is_sweep ? "sweep-narrow" : "run-narrow");
  }
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, a_run_without_units_bounds_or_timeline_says_so) {
  show({folder_.write("bare.json", R"({"values":{"x":{"value":null,"description":""}}})")});
  EXPECT_THAT(browser_.text("#figures"), HasSubstr("not stated"));
  EXPECT_THAT(browser_.text("#roofline"), HasSubstr("states no peaks"));
  EXPECT_THAT(browser_.text("#stalls"), HasSubstr("accounts for no unit"));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, a_file_of_another_version_is_told_what_it_lacks) {
  show_run();
  EXPECT_EQ(browser_.script("return document.querySelectorAll('#missing').length"), 0);
  Json run = Json::parse(run_statistics());
  run["groups"]["ideal"]["values"].erase("mapped_of_peak");
  show({folder_.write("old.json", run.dump())});
  EXPECT_THAT(browser_.text("#missing"), HasSubstr("the file lacks: ideal.mapped_of_peak"));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, useful_work_stands_before_mapped_work_and_tells_the_roofline) {
  Json run = Json::parse(run_statistics());
  Json& ideal = run["groups"]["ideal"];
  const auto figure = [](double value, const char* unit) {
    return Json{{"value", value}, {"unit", unit}, {"description", ""}};
  };
  ideal["values"]["useful_macs_per_second"] = figure(1e9, "MAC/s");
  ideal["values"]["useful_of_peak"] = figure(2.87, "%");
  ideal["values"]["mapping_efficiency"] = figure(25, "%");
  show({folder_.write("useful.json", run.dump())});
  EXPECT_THAT(browser_.text("#figures"),
              HasSubstr("Useful multiply-accumulates1 GMAC/s2.87 % of peak, mapping efficiency 25 %"));
  EXPECT_THAT(rows("Reached beside ideal")[0], AllOf(StartsWith("Useful multiply-accumulates"), HasSubstr("|2.87 %")));
  EXPECT_THAT(rows("Reached beside ideal")[1], AllOf(StartsWith("Mapped multiply-accumulates"), HasSubstr("|11.48 %")));
  EXPECT_THAT(rows("Roofs and where")[0], HasSubstr("|1 GMAC/s|"));
  show_run();
  EXPECT_THAT(browser_.text("#figures"), HasSubstr("Mapped multiply-accumulates4 GMAC/s11.48 % of peak, padding"));
  EXPECT_THAT(faulty_texts(), IsEmpty());
}

TEST_F(Page, hazards_stand_above_all_figures) {
  show_run();
  EXPECT_EQ(browser_.script("return document.querySelectorAll('.hazards').length"), 0);
  Json run = Json::parse(run_statistics());
  Json& hazards = run["groups"]["tpu"]["groups"]["hazards"]["values"];
  hazards["buffer_read_before_write"] = {{"value", 256}, {"unit", "1"}, {"description", "a multiply was early"}};
  hazards["extra_writes"] = {{"value", 0}, {"unit", "1"}, {"description", "none"}};
  show({folder_.write("hazards.json", run.dump())});
  EXPECT_THAT(browser_.text("#content > :first-child"),
              AllOf(HasSubstr("may be wrong"), HasSubstr("tpu: buffer read before write 256 (a multiply was early)"),
                    Not(HasSubstr("extra"))));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

TEST_F(Page, several_arrays_and_movers_have_rows_of_their_own) {
  Bounds bounds;
  bounds.timed_time = 1'000'000'000;
  bounds.computes = {{"tpu", 2e10, 4'000'000, 900, 1000, 5000}, {"tpu1", 1e10, 1'000'000, 500, 800, 5000}};
  bounds.memories = {{"dram0", 8e8}};
  bounds.buses = {{"bus", 8e8, true, {"cpu", "cdma0"}, {{"cpu", "dram0", 1000}, {"cdma0", "dram0", 3000}}}};
  bounds.movers = {{"cdma0", 8e8, 100'000, 250'000'000}};
  RunTree tree;
  tree.machine_run.emplace().simulated_time = bounds.time();
  tree.ideal = ideal_figures(bounds);
  Statistics root;
  write_figures(tree, root);
  std::ostringstream text;
  root.write_json(text);
  show({folder_.write("several.json", text.str())});
  const std::vector<std::string> table = rows("Reached beside ideal");
  ASSERT_EQ(table.size(), 9u);
  EXPECT_THAT(table[0], AllOf(StartsWith("Mapped multiply-accumulates"), HasSubstr("|5 GMAC/s|30 GMAC/s|16.67 %")));
  EXPECT_THAT(table[4],
              AllOf(StartsWith("Mapped multiply-accumulates of tpu1"), HasSubstr("|1 GMAC/s|10 GMAC/s|10 %")));
  EXPECT_THAT(table[5], AllOf(StartsWith("tinyTPU cycles of tpu1"), HasSubstr("|800 cycles|500 cycles|160 %")));
  EXPECT_THAT(table[8], AllOf(StartsWith("Transfers of cdma0"), HasSubstr("25 % of the run"),
                              HasSubstr("|400 MB/s|800 MB/s|50 %")));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
  browser_.script("document.querySelector('#bounds').scrollIntoView()");
  keep_screenshot("several");
}

TEST_F(Page, a_sweep_without_results_says_so) {
  SweepFolder out(folder_.path("empty"));
  out.create_and_lock();
  SweepJob job;
  job.plan.command = {"run"};
  job.plan.points = {{"0123", {{"a", "1"}}}};
  out.write_job(job);
  show({folder_.path("empty")});
  EXPECT_THAT(rows("Points without a result"), testing::ElementsAre("a=1|not run yet"));
  EXPECT_THAT(faulty_texts(), IsEmpty());
  EXPECT_THAT(browser_.console(), IsEmpty());
}

}  // namespace
}  // namespace vp
