#include "models/common/figures.h"

#include <gtest/gtest.h>

#include <sstream>

#include "models/common/bounds.h"

namespace vp {
namespace {

struct PortFigures {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  template <typename List>
  void list(List& list) const {
    list.figure("reads", reads, "1", "read transactions");
    list.figure("writes", writes, "1", "write transactions");
  }
};

struct DeviceFigures {
  PortFigures port;  // at the same address as its first member
  std::string clock = "10ns";
  unsigned depth = 4;
  double share = 0.5;
  std::optional<double> offered;
  std::optional<PortFigures> second;
  double host_time = 1.5;
  std::uint64_t unlisted = 0;
  NamedGroups<PortFigures> links;

  template <typename List>
  void list(List& list) const {
    list.figure("clock", clock, "", "period");
    list.figure("depth", depth, "1", "entries");
    list.figure("share", share, "%", "of all");
    list.figure("offered", offered, "GB/s", "left out where there is none");
    list.figure("host_time", host_time, "s", "time of the host", Repeats::never);
    list.group("port", "its port", port);
    list.group("second", "another port", second);
    list.groups("a link", links);
  }
};

std::string json(const Statistics& tree) {
  std::ostringstream out;
  tree.write_json(out);
  return out.str();
}

TEST(Figures, are_written_in_the_order_of_the_list) {
  DeviceFigures figures;
  figures.port.writes = 7;
  figures.links = {{"a", {1, 2}}};
  Statistics written, expected;
  write_figures(figures, written);
  expected.add("clock", std::string("10ns"), "period");
  expected.add("depth", std::uint64_t{4}, "1", "entries");
  expected.add("share", 0.5, "%", "of all");
  expected.add("host_time", 1.5, "s", "time of the host", Repeats::never);
  for (const auto& [name, description, reads, writes] :
       {std::tuple("port", "its port", 0, 7), std::tuple("a", "a link", 1, 2)}) {
    Statistics& group = expected.group(name, description);
    group.add("reads", static_cast<std::uint64_t>(reads), "1", "read transactions");
    group.add("writes", static_cast<std::uint64_t>(writes), "1", "write transactions");
  }
  EXPECT_EQ(json(written), json(expected));
}

TEST(Figures, an_optional_with_a_value_is_written) {
  DeviceFigures figures;
  figures.offered = 2.5;
  figures.second = PortFigures{3, 4};
  Statistics tree;
  write_figures(figures, tree);
  EXPECT_NE(json(tree).find("\"offered\""), std::string::npos);
  EXPECT_NE(json(tree).find("\"second\""), std::string::npos);
}

TEST(Figures, a_member_knows_its_path) {
  EXPECT_EQ(figure_path(&DeviceFigures::share), "share");
  EXPECT_EQ(figure_path(&DeviceFigures::offered), "offered");
  EXPECT_EQ(figure_path(&DeviceFigures::port), "port");
  EXPECT_EQ(figure_path(&DeviceFigures::port, &PortFigures::reads), "port.reads");
}

TEST(Figures, a_member_that_is_not_listed_is_an_error) {
  EXPECT_THROW(figure_path(&DeviceFigures::unlisted), std::logic_error);
}

}  // namespace
}  // namespace vp
