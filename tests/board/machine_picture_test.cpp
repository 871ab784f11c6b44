#include "platform/board/machine_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "platform/files/whole_file.h"

namespace vp {
namespace {

struct Box {
  std::string style;
  int x, y, w, h;
};

std::string picture(const std::vector<std::string>& assignments) {
  MachineSources sources;
  sources.assignments = assignments;
  std::ostringstream text;
  draw_machine(MachineSettings(sources), text);
  return text.str();
}

/// The boxes of parts and of what is at the end of their lines.
std::vector<Box> boxes(const std::string& svg) {
  std::vector<Box> found;
  std::istringstream lines(svg);
  for (std::string line; std::getline(lines, line);) {
    Box box;
    char style[32];
    if (std::sscanf(line.c_str(), "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\" class=\"%31[a-z]\"",
                    &box.x, &box.y, &box.w, &box.h, style) != 5)
      continue;
    box.style = style;
    found.push_back(box);
  }
  return found;
}

TEST(MachinePicture, the_one_of_the_default_machine_stands_in_the_readme) {
  EXPECT_TRUE(picture({}) == read_file(VP_SOURCE_DIR "/docs/machine.svg"))
      << "draw it again: tinytpu-vp machine --svg docs/machine.svg";
}

TEST(MachinePicture, boxes_do_not_overlap_however_many_there_are) {
  std::vector<std::string> more;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "part" + std::to_string(i);
    const char* const kinds[] = {"tinytpu", "uart", "memory", "plic", "traffic"};
    more.push_back(name + ".kind=" + kinds[i % 5]);
    more.push_back(name + ".base=" + std::to_string(0x1'0000'0000 + i * 0x1000'0000ll));
  }
  more.insert(more.end(), {"matmul1.kind=matmul", "matmul1.serial=part1"});
  const std::vector<Box> all = boxes(picture(more));
  EXPECT_EQ(all.size(), 1u + 10 + 20 + 3);  // bus, default parts, more, ends of serial lines
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(all[i].x < all[j].x + all[j].w && all[j].x < all[i].x + all[i].w && all[i].y < all[j].y + all[j].h &&
                   all[j].y < all[i].y + all[i].h)
          << i << ' ' << j;
}

TEST(MachinePicture, it_names_every_part_and_interrupt) {
  const std::string svg = picture({"tpu1.kind=tinytpu", "tpu1.base=0x46000000", "tpu1.interrupt=20", "bus.width=128"});
  for (const char* words :
       {">tpu1<", ">cpu<", ">dram1<", ">20 edge<", ">10<", "128 bit, 100 MHz, crossbar", ">matmul (matmul)<"})
    EXPECT_THAT(svg, testing::HasSubstr(words));
}

}  // namespace
}  // namespace vp
