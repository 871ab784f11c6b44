#include "platform/report/report_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "models/common/error.h"
#include "models/common/statistics.h"
#include "platform/report/comparison.h"
#include "platform/report/report_page.h"
#include "platform/sweep/sweep.h"
#include "tests/sweep/stand_in.h"

namespace vp {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

std::string error_of(const std::vector<std::string>& inputs) {
  try {
    read_report_data(inputs);
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "no error";
}

const char* const kRun = R"({"values":{"t":{"value":5,"unit":"ns","description":"d"}},
  "groups":{"a":{"description":"g","values":{"x":{"value":"</script><b>","description":"d"}}}}})";
const char* const kTimeline = R"({"schema":"tinytpu-vp-timeline-1","end_ps":100,"tracks":[
  {"name":"t","resolution_ps":0,"spans":[[0,10,"busy"],[10,20,"stall"],[30,40,"busy"]]}]})";

class ReportData : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(ReportData, a_run_keeps_its_statistics) {
  const Json data = Json::parse(read_report_data({folder_.write("run.json", kRun)}));
  EXPECT_EQ(data["kind"], "run");
  EXPECT_EQ(data["source"], "run.json");
  EXPECT_EQ(data["statistics"], Json::parse(kRun));
  EXPECT_TRUE(data["timeline"].is_null());
}

TEST_F(ReportData, a_timeline_joins_the_run_in_any_order) {
  const std::string run = folder_.write("run.json", kRun);
  const std::string timeline = folder_.write("timeline.json", kTimeline);
  const Json data = Json::parse(read_report_data({timeline, run}));
  EXPECT_EQ(data["timeline"]["states"], Json::parse(R"(["busy","stall"])"));
  EXPECT_EQ(data["timeline"]["tracks"][0]["spans"], Json::parse("[0,10,0,10,20,1,30,40,0]"));
  EXPECT_EQ(data, Json::parse(read_report_data({run, timeline})));
}

TEST_F(ReportData, data_cannot_end_the_script_they_stand_in) {
  const std::string page = report_page(read_report_data({folder_.write("run.json", kRun)}));
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cb>"));
}

TEST_F(ReportData, the_page_loads_nothing) {
  const std::string page = report_page(read_report_data({folder_.write("run.json", kRun)}));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* mark : {"src=", "@import", "url(http", "fetch(", "XMLHttpRequest"})
    EXPECT_EQ(page.find(mark), std::string::npos) << mark;
}

TEST_F(ReportData, wrong_files_are_one_sentence_each) {
  const std::string run = folder_.write("run.json", kRun);
  const std::string timeline = folder_.write("timeline.json", kTimeline);
  EXPECT_THAT(error_of({}), HasSubstr("no statistics file"));
  EXPECT_THAT(error_of({folder_.path("none.json")}), HasSubstr("No such file"));
  EXPECT_THAT(error_of({folder_.write("cut.json", std::string(kRun).substr(0, 60))}), HasSubstr("is not valid JSON"));
  EXPECT_THAT(error_of({folder_.write("empty.json", "")}), HasSubstr("is not valid JSON"));
  EXPECT_THAT(error_of({folder_.write("list.json", "[]")}), HasSubstr("neither a statistics file nor a timeline"));
  EXPECT_THAT(error_of({folder_.write("other.json", R"({"schema":"x"})")}), HasSubstr("neither a statistics file"));
  EXPECT_THAT(error_of({timeline}), HasSubstr("give the run's statistics file, too"));
  EXPECT_THAT(error_of({run, run, run}), HasSubstr("second statistics file"));
  EXPECT_THAT(error_of({run, timeline, timeline}), HasSubstr("second timeline"));
  EXPECT_THAT(error_of({folder_.write("deep.json", std::string(100000, '['))}), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of({folder_.path()}), HasSubstr("sweep.json"));
}

TEST_F(ReportData, faults_in_a_statistics_tree_are_named) {
  const std::pair<const char*, const char*> faults[] = {
      {R"({"groups":{"a":{"groups":{"b":5}}}})", "'a.b' is no group"},
      {R"({"groups":[]})", "'groups' is no object"},
      {R"({"values":{"x":3}})", "'x' is no quantity"},
      {R"({"groups":{"a":{"values":{"x":{"value":[]}}}}})", "'a.x' is neither a number nor text"},
      {R"({"values":{"x":{"value":1,"unit":2}}})", "'x' is no quantity"},
      {R"({"values":{},"description":[]})", "description that is no text"}};
  for (const auto& [text, part] : faults) EXPECT_THAT(error_of({folder_.write("x.json", text)}), HasSubstr(part));
}

TEST_F(ReportData, faults_in_a_timeline_are_named) {
  const std::string run = folder_.write("run.json", kRun);
  for (const char* spans :
       {"[[5,3,\"busy\"]]", "[[0,5,\"a\"],[3,9,\"b\"]]", "[[0,1]]", "[[-1,1,\"a\"]]", "[[0.5,1,\"a\"]]", "[7]"}) {
    const std::string text =
        std::string(R"({"schema":"tinytpu-vp-timeline-1","end_ps":9,"tracks":[{"name":"t","spans":)") + spans + "}]}";
    EXPECT_THAT(error_of({run, folder_.write("t.json", text)}), HasSubstr("instead of [start_ps, end_ps"));
  }
}

TEST_F(ReportData, marks_of_a_timeline_are_taken_over_and_broken_ones_refused) {
  const std::string run = folder_.write("run.json", kRun);
  const auto timeline = [&](const std::string& marks) {
    return folder_.write(
        "t.json",
        R"({"schema":"tinytpu-vp-timeline-1","end_ps":9,"tracks":[{"name":"t","spans":[],"marks":)" + marks + "}]}");
  };
  const Json data = Json::parse(read_report_data({run, timeline(R"([[3,"</script>"],[3,"b"]],"more_marks":7)")}));
  EXPECT_EQ(data["timeline"]["tracks"][0]["marks"], Json::parse(R"([[3,"</script>"],[3,"b"]])"));
  EXPECT_EQ(data["timeline"]["tracks"][0]["more_marks"], 7);
  for (const char* marks :
       {"7", "[7]", "[[3]]", "[[3,4]]", "[[-1,\"a\"]]", "[[5,\"a\"],[3,\"b\"]]", "[[3,\"a\"]],\"more_marks\":-1"})
    EXPECT_THAT(error_of({run, timeline(marks)}), HasSubstr("is not a timeline: track 't' ")) << marks;
}

TEST_F(ReportData, mutated_files_give_a_document_or_one_sentence) {
  std::mt19937 random(5);
  const std::string timeline = folder_.write("t.json", kTimeline);
  const std::string run = folder_.write("r.json", kRun);
  for (int round = 0; round < 600; ++round) {
    std::string text = round % 2 ? kRun : kTimeline;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 9);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
        default:
          text.resize(at + 1);
      }
      if (text.empty()) text = "{";
    }
    const std::string mutated = folder_.write("m.json", text);
    const std::string other = round % 2 ? timeline : run;
    try {
      EXPECT_TRUE(Json::accept(read_report_data({mutated, round % 4 == 1 ? run : other})));
      if (round % 2) {
        EXPECT_FALSE(Comparison(run, mutated).summary().empty());
      }
      std::istringstream lines(round % 2 ? Comparison(mutated, run).table().json_lines() : "");
      for (std::string line; std::getline(lines, line);) EXPECT_TRUE(Json::accept(line));
    } catch (const UserError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_LT(std::string(error.what()).size(), 600u);
    }
  }
}

TEST_F(ReportData, a_sweep_becomes_columns_with_constants_apart) {
  SweepRequest request;
  request.command = {"run", "x.elf"};
  request.axes = {parse_axis("a=1,2,3"), parse_axis("b=x,fail")};
  const auto resolve = [](const Settings& settings) { return ResolvedPoint{settings, {}}; };
  const SweepJob job{write_stand_in(folder_), folder_.path(), {}, {}, {}, make_plan(request, {}, resolve), {}};
  {
    SweepFolder out(folder_.path("out"));
    out.create_and_lock();
    std::ostringstream text;
    testing::internal::CaptureStderr();
    run_sweep(job, out, *make_local_engine(2), text);
    testing::internal::GetCapturedStderr();
  }
  const Json data = Json::parse(read_report_data({folder_.path("out") + "/"}));
  EXPECT_EQ(data["kind"], "sweep");
  EXPECT_EQ(data["source"], "out");
  EXPECT_EQ(data["points"].size(), 3u);
  EXPECT_EQ(data["unfinished"].size(), 3u);
  EXPECT_THAT(data["unfinished"][0]["message"].get<std::string>(), HasSubstr("the guest fell over"));
  for (const Json& column : data["columns"]) {
    if (column["path"] == "area") {
      EXPECT_EQ(column["values"], Json::parse("[1,4,9]"));
      EXPECT_EQ(column["unit"], "mm2");
    }
    if (column["path"] == "configuration.c") {
      EXPECT_EQ(column["value"], "7");
    }
  }
  EXPECT_THAT(error_of({folder_.path("out"), folder_.write("r.json", kRun)}), HasSubstr("cannot be added"));
}

/// The sentence about an axis of a sweep of two points.
std::string axis_error(const TemporaryFolder& folder, const std::string& name) {
  SweepJob job;
  job.plan.command = {"run"};
  SweepFolder out(folder.path("axes"));
  out.create_and_lock();
  for (const int width : {7, 14}) {
    const SweepPoint point{"000000000000000" + std::to_string(width % 10),
                           {{"tpu.matrix_width", std::to_string(width)}, {"dram0.preset", width == 7 ? "a" : "b"}}};
    Json statistics = Json::parse(kRun);
    statistics["values"]["t"]["value"] = width;
    statistics["values"]["same"] = {{"value", 3}};
    out.write_result(point.hash, Json{{"schema", "tinytpu-vp-sweep-point-1"}, {"statistics", statistics}}.dump());
    job.plan.points.push_back(point);
  }
  out.write_job(job);
  try {
    read_report_data({folder.path("axes")}, {"", name});
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(ReportData, the_axes_of_a_sweep_are_numbers_that_its_points_have) {
  EXPECT_EQ(axis_error(folder_, "t"), "no error");
}
TEST_F(ReportData, a_swept_parameter_can_be_an_axis) { EXPECT_EQ(axis_error(folder_, "tpu.matrix_width"), "no error"); }
TEST_F(ReportData, an_unknown_axis_is_answered_with_the_nearest) {
  EXPECT_EQ(axis_error(folder_, "tpu.matrix_with"),
            "--up: 'tpu.matrix_with' is neither a figure of the points nor a swept parameter; did you mean "
            "'tpu.matrix_width'?");
}
TEST_F(ReportData, a_figure_that_is_text_is_no_axis) {
  EXPECT_EQ(axis_error(folder_, "a.x"), "--up: 'a.x' is no number");
}
TEST_F(ReportData, a_figure_that_is_the_same_at_every_point_is_no_axis) {
  EXPECT_EQ(axis_error(folder_, "same"), "--up: 'same' is the same at every point");
}
TEST_F(ReportData, a_swept_parameter_that_is_text_is_no_axis) {
  EXPECT_EQ(axis_error(folder_, "dram0.preset"), "--up: 'dram0.preset' has values that are no numbers");
}
TEST_F(ReportData, a_run_has_no_axes) {
  try {
    read_report_data({folder_.write("run.json", kRun)}, {"t", ""});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is no sweep"));
  }
}

}  // namespace
}  // namespace vp
