#include "platform/report/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

namespace vp {
namespace {

nlohmann::json written(const Timeline& timeline) {
  std::ostringstream out;
  timeline.write_json(out);
  return nlohmann::json::parse(out.str());
}

TEST(Timeline, marks_are_kept_up_to_a_limit_and_counted_beyond) {
  Timeline timeline(16, 2);
  const auto interrupts = timeline.add_track("interrupts");
  timeline.mark(interrupts, 5, "timer interrupt at \"main\"");
  timeline.mark(interrupts, 7, "b\xff");
  timeline.mark(interrupts, 9, "c");
  timeline.mark(interrupts, 11, "d");
  const nlohmann::json json = written(timeline);
  EXPECT_EQ(json["end_ps"], 11);
  const nlohmann::json& marks = json["tracks"][0]["marks"];
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0], nlohmann::json::array({5, "timer interrupt at \"main\""}));
  EXPECT_EQ(marks[1][1], "b\xEF\xBF\xBD") << "what is no UTF-8 becomes a replacement character";
  EXPECT_EQ(json["tracks"][0]["more_marks"], 2);
}

TEST(Timeline, spans_are_written_by_track_with_their_states) {
  Timeline timeline;
  const auto multiply = timeline.add_track("tpu.matrix_multiply");
  const auto bus = timeline.add_track("bus \"main\"");
  timeline.add(multiply, 10, 20, "busy");
  timeline.add(multiply, 25, 30, "weights_busy");
  timeline.add(bus, 0, 5, "busy");
  timeline.set_end(100);
  EXPECT_EQ(written(timeline), nlohmann::json::parse(R"({"schema":"tinytpu-vp-timeline-1","end_ps":100,"tracks":[
    {"name":"tpu.matrix_multiply","resolution_ps":0,"spans":[[10,20,"busy"],[25,30,"weights_busy"]]},
    {"name":"bus \"main\"","resolution_ps":0,"spans":[[0,5,"busy"]]}]})"));
}

TEST(Timeline, neighbours_of_one_state_become_one_span) {
  Timeline timeline;
  const auto track = timeline.add_track("t");
  timeline.add(track, 0, 5, "busy");
  timeline.add(track, 5, 9, "busy");
  timeline.add(track, 9, 12, "stall");
  ASSERT_EQ(timeline.spans(track).size(), 2u);
  EXPECT_EQ(timeline.spans(track)[0].end, 9u);
}

TEST(Timeline, overlap_with_the_past_is_cut_away) {
  Timeline timeline;
  const auto track = timeline.add_track("t");
  timeline.add(track, 0, 10, "busy");
  timeline.add(track, 5, 8, "stall");
  timeline.add(track, 8, 14, "stall");
  ASSERT_EQ(timeline.spans(track).size(), 2u);
  EXPECT_EQ(timeline.spans(track)[1].start, 10u);
  EXPECT_EQ(timeline.spans(track)[1].end, 14u);
}

TEST(Timeline, an_empty_span_is_no_span) {
  Timeline timeline;
  const auto track = timeline.add_track("t");
  timeline.add(track, 7, 7, "busy");
  EXPECT_TRUE(timeline.spans(track).empty());
}

TEST(Timeline, the_end_covers_every_span) {
  Timeline timeline;
  timeline.add(timeline.add_track("t"), 7, 50, "busy");
  timeline.set_end(20);
  EXPECT_EQ(written(timeline)["end_ps"], 50);
}

TEST(Timeline, a_slice_keeps_the_time_in_each_state) {
  Timeline timeline(16);
  const auto track = timeline.add_track("t");
  // Mostly idle, over and over.
  for (Picoseconds t = 0; t < 4096; t += 16) {
    timeline.add(track, t, t + 3, "busy");
    timeline.add(track, t + 3, t + 4, "stall");
  }
  EXPECT_GT(timeline.resolution(track), 0u);
  EXPECT_LE(timeline.spans(track).size(), 17u);
  std::map<std::string, Picoseconds> shown;
  for (const Timeline::Span& span : timeline.spans(track))
    shown[timeline.state_name(span.state)] += span.end - span.start;
  EXPECT_EQ(shown, (std::map<std::string, Picoseconds>{{"busy", 768}, {"stall", 256}}));
}

TEST(Timeline, long_runs_stay_bounded_ordered_and_right) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    constexpr std::size_t kLimit = 400;
    Timeline timeline(kLimit);
    const auto track = timeline.add_track("t");
    const char* states[] = {"busy", "stall_a", "stall_b"};
    std::map<std::string, Picoseconds> exact, shown;
    Picoseconds time = 0;
    for (int phase = 0; phase < 6; ++phase) {
      const char* main = states[random() % 3];
      for (int i = 0; i < 5000; ++i) {
        const Picoseconds length = 20 + random() % 20;
        timeline.add(track, time, time + length, main);
        exact[main] += length;
        time += length + random() % 4;
        ASSERT_LE(timeline.spans(track).size(), kLimit + 1);
      }
    }
    Picoseconds last = 0;
    for (const Timeline::Span& span : timeline.spans(track)) {
      ASSERT_GE(span.start, last);
      ASSERT_GT(span.end, span.start);
      last = span.end;
      shown[timeline.state_name(span.state)] += span.end - span.start;
    }
    EXPECT_LE(last, time);
    EXPECT_EQ(shown, exact);
  }
}

TEST(Timeline, times_of_days_do_not_overflow) {
  Timeline timeline(16);
  const auto track = timeline.add_track("t");
  const Picoseconds day = 86'400'000'000'000'000;
  for (int i = 0; i < 100; ++i) timeline.add(track, i * day, i * day + day / 2 + 1, i % 2 ? "busy" : "stall");
  EXPECT_LE(timeline.spans(track).size(), 17u);
  EXPECT_EQ(written(timeline)["end_ps"], 99 * day + day / 2 + 1);
  Picoseconds shown = 0;
  for (const Timeline::Span& span : timeline.spans(track)) shown += span.end - span.start;
  EXPECT_EQ(shown, 100 * (day / 2 + 1));
}

}  // namespace
}  // namespace vp
