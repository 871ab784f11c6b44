// Where a disk's bytes are: a file of the host, or zeros, and the overlay over them.
#include "models/virtio/disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/error.h"
#include "tests/support/dice.h"
#include "tests/support/saved_state.h"
#include "tests/virtio/disk_image.h"

namespace vp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using virtio::BlockConfig;
using virtio::Disk;
using virtio::DiskWrites;

BlockConfig with_file(const std::string& name, DiskWrites write = DiskWrites::overlay) {
  BlockConfig config;
  config.file = name;
  config.write = write;
  return config;
}

/// Random reads and writes beside a plain copy of the same bytes.
void expect_as_a_copy(const BlockConfig& config, std::vector<std::uint8_t> copy) {
  Disk disk(config);
  ASSERT_EQ(disk.size(), copy.size());
  Dice dice(5);
  for (int i = 0; i < 4'000; ++i) {
    const auto first = dice.from_to(0, static_cast<unsigned>(copy.size()) - 1);
    std::vector<std::uint8_t> bytes(
        std::min<std::size_t>(dice.from_to(1, dice.one_in(8) ? 20'000 : 700), copy.size() - first));
    if (dice.one_in(3)) {
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(dice.from_to(0, 255));
      ASSERT_TRUE(disk.write(first, bytes.data(), bytes.size()));
      std::copy(bytes.begin(), bytes.end(), copy.begin() + first);
    } else {
      ASSERT_TRUE(disk.read(first, bytes.data(), bytes.size()));
      ASSERT_EQ(std::memcmp(bytes.data(), copy.data() + first, bytes.size()), 0) << first << '+' << bytes.size();
    }
  }
}

TEST(Disk, without_a_file_is_zeros_and_what_was_written) {
  BlockConfig config;
  config.size = 300'032;
  expect_as_a_copy(config, std::vector<std::uint8_t>(300'032));
}

TEST(Disk, with_an_overlay_is_the_file_and_what_was_written) {
  const DiskImage image(200'192);  // its last block is no whole one
  expect_as_a_copy(with_file(image.name()), image.bytes(0, 200'192));
}

TEST(Disk, that_writes_to_the_file_is_the_file) {
  const DiskImage image(200'192);
  expect_as_a_copy(with_file(image.name(), DiskWrites::file), image.bytes(0, 200'192));
}

TEST(Disk, cannot_be_a_file_that_is_none) {
  const DiskImage odd(1000), empty(0);
  EXPECT_THAT([] { Disk(with_file("/no/such/image")); },
              ThrowsMessage<UserError>("the disk image '/no/such/image' cannot be used: No such file or directory."));
  EXPECT_THAT([] { Disk(with_file("/dev/null")); }, ThrowsMessage<UserError>(HasSubstr("neither a file nor a disk")));
  EXPECT_THAT([&] { Disk(with_file(odd.name())); }, ThrowsMessage<UserError>(HasSubstr("its size is 1000 bytes")));
  EXPECT_THAT([&] { Disk(with_file(empty.name())); }, ThrowsMessage<UserError>(HasSubstr("its size is 0 bytes")));
}

TEST(Disk, is_shared_by_those_who_only_read) {
  const DiskImage image(4096);
  const Disk first(with_file(image.name())), second(with_file(image.name(), DiskWrites::none));
  EXPECT_THAT([&] { Disk(with_file(image.name(), DiskWrites::file)); },
              ThrowsMessage<UserError>(HasSubstr("another run has it")));
}

TEST(Disk, has_nobody_beside_one_who_writes_to_the_file) {
  const DiskImage image(4096);
  const Disk first(with_file(image.name(), DiskWrites::file));
  EXPECT_THROW(Disk(with_file(image.name())), UserError);
}

TEST(Disk, saves_its_overlay) {
  const DiskImage image(16'384);
  Disk disk(with_file(image.name())), other(with_file(image.name()));
  const std::vector<std::uint8_t> bytes(700, 0x5A);
  disk.write(4000, bytes.data(), bytes.size());
  other.write(12'000, bytes.data(), bytes.size());
  load_state(other, save_state(disk));
  std::vector<std::uint8_t> one(16'384), two(16'384);
  disk.read(0, one.data(), one.size());
  other.read(0, two.data(), two.size());
  EXPECT_EQ(one, two);
}

TEST(Disk, does_not_load_a_state_over_an_image_that_has_changed) {
  const DiskImage image(16'384);
  Disk disk(with_file(image.name()));
  const std::string state = save_state(disk);
  std::filesystem::last_write_time(image.name(),
                                   std::filesystem::last_write_time(image.name()) + std::chrono::hours(1));
  Disk later(with_file(image.name()));
  EXPECT_THAT([&] { load_state(later, state); }, ThrowsMessage<UserError>(HasSubstr("changed")));
}

TEST(Disk, has_no_state_when_it_writes_to_the_file) {
  const DiskImage image(4096);
  Disk disk(with_file(image.name(), DiskWrites::file));
  EXPECT_THAT([&] { save_state(disk); },
              ThrowsMessage<UserError>(AllOf(HasSubstr("is in the file"), HasSubstr("overlay"))));
}

}  // namespace
}  // namespace vp
