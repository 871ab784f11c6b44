#include "models/common/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "models/common/register_bank.h"

namespace vp {
namespace {

using testing::HasSubstr;

enum class Phase : std::uint8_t { idle, run, done };

struct Word {
  std::uint32_t word = 0;
  bool last = false;
  void persist(Archive& archive) { archive("word", word)("last", last); }
};

/// Something of every kind.
struct Everything {
  bool flag = false;
  std::int16_t small = 0;
  std::uint64_t large = 0;
  double fraction = 0;
  Phase phase = Phase::idle;
  std::string name;
  std::array<std::uint32_t, 3> numbers{};
  std::array<bool, 2> flags{};
  std::uint64_t plain[2] = {};
  std::vector<std::uint8_t> bytes;
  std::vector<Word> words;
  std::deque<Word> fifo;
  std::map<std::uint64_t, std::string> names;
  std::optional<Word> maybe;
  std::variant<std::uint64_t, double, std::string> one_of;
  std::vector<std::vector<std::int32_t>> rows;
  std::mt19937_64 dice{7};
  std::minstd_rand small_dice{7};
  std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(3 * 4096 + 100);

  void persist(Archive& archive) {
    archive("flag", flag)("small", small)("large", large)("fraction", fraction)("phase", phase, Phase::done);
    archive("name", name)("numbers", numbers)("flags", flags)("plain", plain)("bytes", bytes)("words", words);
    archive("fifo", fifo)("names", names)("maybe", maybe)("one_of", one_of)("rows", rows);
    archive("dice", dice)("small_dice", small_dice).sparse("memory", memory.data(), memory.size());
  }
};

Everything filled() {
  Everything e;
  e.flag = e.flags[1] = true;
  e.small = -3;
  e.large = ~std::uint64_t{5};
  e.fraction = 0.1;
  e.phase = Phase::run;
  e.name = "tpu";
  e.numbers = {1, 2, 3};
  e.plain[1] = 9;
  e.bytes = {4, 5};
  e.words = {{6, true}, {7, false}};
  e.fifo = {{8, true}, {9, false}, {10, true}};
  e.names = {{1, "one"}, {2, "two"}};
  e.maybe = Word{11, true};
  e.one_of = std::string("text");
  e.rows = {{1, -2}, {}, {3}};
  e.dice.discard(100);
  e.small_dice.discard(100);
  e.memory[5000] = 12;
  e.memory.back() = 13;
  return e;
}

template <typename Root>
std::string load_error(Root& root, const std::string& state) {
  try {
    load_state(root, state);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Archive, what_was_saved_is_loaded) {
  Everything from = filled(), to;
  to.maybe.reset();
  to.memory[0] = 99;  // a page that is zero in the saved state
  const std::string state = save_state(from);
  load_state(to, state);
  EXPECT_EQ(save_state(to), state);
  EXPECT_EQ(to.small, -3);
  EXPECT_EQ(to.fifo[2].word, 10u);
  EXPECT_EQ(to.names[2], "two");
  EXPECT_EQ(std::get<std::string>(to.one_of), "text");
  EXPECT_EQ(to.rows[0][1], -2);
  EXPECT_EQ(to.memory[0], 0);
  EXPECT_EQ(to.memory[5000], 12);
  EXPECT_EQ(to.dice(), from.dice());
  EXPECT_EQ(to.small_dice(), from.small_dice());
}

TEST(Archive, compare_names_the_first_difference_and_both_values) {
  Everything saved = filled();
  const std::string state = save_state(saved);
  EXPECT_EQ(state_difference(saved, state), "");
  const auto difference_with = [&](auto change) {
    Everything live = filled();
    change(live);
    return state_difference(live, state);
  };
  EXPECT_EQ(difference_with([](auto& e) { e.fifo[1].word = 5; }), "fifo[1].word: 5, saved 9");
  EXPECT_EQ(difference_with([](auto& e) { e.small = -4; }), "small: -4, saved -3");
  EXPECT_EQ(difference_with([](auto& e) { e.fraction = 0.5; }), "fraction: 0.500000, saved 0.100000");
  EXPECT_EQ(difference_with([](auto& e) { e.flags[0] = true; }), "flags[0]: true, saved false");
  EXPECT_EQ(difference_with([](auto& e) { e.numbers[2] = 4; }), "numbers[2]: 4, saved 3");
  EXPECT_EQ(difference_with([](auto& e) { e.rows[0][1] = 0; }), "rows[0][1]: 0, saved 4294967294");
  EXPECT_EQ(difference_with([](auto& e) { e.words.pop_back(); }), "words: 1 elements, saved 2");
  EXPECT_EQ(difference_with([](auto& e) { e.names[2] = "deux"; }), "names[1].second: 4 elements, saved 3");
  EXPECT_EQ(difference_with([](auto& e) { e.maybe.reset(); }), "maybe: false, saved true");
  EXPECT_EQ(difference_with([](auto& e) { e.one_of = 0.5; }), "one_of: 1, saved 2");
  EXPECT_EQ(difference_with([](auto& e) { e.memory[4097] = 1; }), "memory[4097]: 1, saved 0");
  EXPECT_EQ(difference_with([](auto& e) { e.memory.back() = 1; }), "memory[12387]: 1, saved 13");
}

TEST(Archive, zero_pages_take_no_room) {
  std::vector<std::uint8_t> memory(1 << 24);
  memory[1 << 20] = 1;
  Archive archive;
  archive.sparse("memory", memory.data(), memory.size());
  EXPECT_LT(archive.finish().size(), 4300u);
}

TEST(Archive, foreign_truncated_and_damaged_states_are_the_users_error) {
  Everything from = filled(), to;
  const std::string state = save_state(from);
  EXPECT_EQ(load_error(to, "something else"), "this is no saved state of tinytpu-vp");
  EXPECT_EQ(load_error(to, ""), "this is no saved state of tinytpu-vp");
  EXPECT_EQ(load_error(to, state.substr(0, 20)), "the saved state is truncated within its first bytes");
  EXPECT_THAT(load_error(to, state.substr(0, state.size() - 1)), HasSubstr("not whole"));
  EXPECT_THAT(load_error(to, state + "x"), HasSubstr("not whole"));
  std::string damaged = state;
  damaged[100] = static_cast<char>(damaged[100] ^ 1);
  EXPECT_EQ(load_error(to, damaged), "the saved state is damaged: its checksum is wrong");
}

struct Renamed {
  std::uint32_t word = 0;
  bool last = false;
  void persist(Archive& archive) { archive("word", word)("final", last); }
};
struct Holder {
  std::vector<Word> fifo = {{1, true}};
  void persist(Archive& archive) { archive("fifo", fifo); }
};
struct RenamedHolder {
  std::vector<Renamed> fifo;
  void persist(Archive& archive) { archive("fifo", fifo); }
};

TEST(Archive, another_list_of_members_is_told_by_its_place) {
  Holder from;
  RenamedHolder to;
  EXPECT_EQ(load_error(to, save_state(from)),
            "the saved state does not fit this machine: at fifo[0].final it has another member");
}

struct Sized {
  std::vector<std::uint32_t> words;
  unsigned width;
  unsigned head = 0;
  void persist(Archive& archive) {
    archive.same("width", width).fixed("words", words).below("head", head, words.size());
  }
};

TEST(Archive, settings_sizes_and_indices_that_do_not_fit_are_told) {
  Sized from{{1, 2, 3}, 8, 2};
  const std::string state = save_state(from);
  Sized wider{{0, 0, 0}, 9};
  EXPECT_EQ(load_error(wider, state),
            "the saved state does not fit this machine: width is set differently in this machine");
  Sized longer{{0, 0, 0, 0}, 8};
  EXPECT_EQ(load_error(longer, state),
            "the saved state does not fit this machine: words has another size in this machine");
  from.head = 3;
  Sized same{{0, 0, 0}, 8};
  EXPECT_EQ(load_error(same, save_state(from)), "the saved state does not fit this machine: head is out of range");
}

struct First {
  std::uint32_t count = 4;
  void persist(Archive& archive) { archive("count", count); }
};
struct Second {
  static constexpr unsigned kStateVersion = 2;
  std::uint32_t count = 0, limit = 6;
  void persist(Archive& archive) {
    archive("count", count);
    if (archive.version() >= 2) archive("limit", limit);
  }
};

TEST(Archive, a_newer_class_reads_the_state_of_an_older_and_not_the_other_way) {
  First old;
  Second now;
  load_state(now, save_state(old));
  EXPECT_EQ(now.count, 4u);
  EXPECT_EQ(now.limit, 6u);
  EXPECT_THAT(load_error(old, save_state(now)), HasSubstr("version 2, this program knows up to 1"));
}

TEST(Archive, no_change_of_its_bytes_makes_the_loader_crash) {
  Everything from = filled();
  const std::string state = save_state(from);
  std::mt19937 dice(1);
  unsigned refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string changed = state;
    for (unsigned change = 1 + dice() % 3; change > 0; --change) {
      // Most of the state is memory; look at the members before it more often.
      const std::size_t members = changed.size() - Archive::kHeader;
      const std::size_t at =
          Archive::kHeader + dice() % (dice() % 4 == 0 ? members : std::min<std::size_t>(members, 700));
      switch (dice() % 4) {
        case 0:
          changed[at] = static_cast<char>(dice());
          break;
        case 1:
          changed[at] = static_cast<char>(changed[at] ^ (1 << dice() % 8));
          break;
        case 2:
          changed.erase(at, 1 + dice() % 8);
          break;
        default:
          changed.insert(at, 1 + dice() % 8, static_cast<char>(dice()));
      }
    }
    Archive::seal(changed);
    Everything to;
    refused += !load_error(to, changed).empty();
  }
  EXPECT_GT(refused, 10'000u);
}

TEST(Archive, registers_are_saved_with_their_bank) {
  RegisterBank bank;
  Register<std::uint8_t> control(bank, {"CTRL", 0});
  RegisterArray<std::uint32_t> level(bank, {"LEVEL", 4}, {2}, 3);
  control.value = 1;
  level.values[1] = 7;
  const std::string state = save_state(bank);
  bank.reset();
  EXPECT_EQ(state_difference(bank, state), "CTRL: 0, saved 1");
  load_state(bank, state);
  EXPECT_EQ(control.value, 1);
  EXPECT_THAT(level.values, testing::ElementsAre(3, 7));
}

}  // namespace
}  // namespace vp
