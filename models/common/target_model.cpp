#include "models/common/target_model.h"

namespace vp {
namespace {

/// Calls access(first, count) for each run of enabled bytes until one fails.
template <typename Part>
AccessResult for_each_run(const std::uint8_t* enabled, unsigned size, Part access) {
  for (unsigned first = 0; first < size;) {
    if (enabled[first] == 0) {
      ++first;
      continue;
    }
    unsigned end = first + 1;
    while (end < size && enabled[end] != 0) ++end;
    const AccessResult result = access(first, end - first);
    if (result != AccessResult::ok) return result;
    first = end;
  }
  return AccessResult::ok;
}

}  // namespace

AccessResult TargetModel::read_masked(std::uint64_t offset, std::uint8_t* data, const std::uint8_t* enabled,
                                      unsigned size, Picoseconds& now) {
  return for_each_run(enabled, size,
                      [&](unsigned first, unsigned count) { return read(offset + first, data + first, count, now); });
}

AccessResult TargetModel::write_masked(std::uint64_t offset, const std::uint8_t* data, const std::uint8_t* enabled,
                                       unsigned size, Picoseconds& now) {
  return for_each_run(enabled, size,
                      [&](unsigned first, unsigned count) { return write(offset + first, data + first, count, now); });
}

Answer TargetModel::access(const Access& access) {
  Answer answer;
  Picoseconds now = access.time;
  if (access.data == nullptr)
    answer.result = AccessResult::command_error;
  else if (access.strobes != nullptr)
    answer.result = access.write ? write_masked(access.address, access.data, access.strobes, access.size, now)
                                 : read_masked(access.address, access.data, access.strobes, access.size, now);
  else
    answer.result = access.write ? write(access.address, access.data, access.size, now)
                                 : read(access.address, access.data, access.size, now);
  answer.completion = now;
  answer.moved = access.write || reads_ != Reads::move_nothing;
  if (answer.result == AccessResult::no_answer) answer.why = "the target never answers.";
  return answer;
}

unsigned TargetModel::debug_read(std::uint64_t, std::uint8_t*, unsigned) { return 0; }

unsigned TargetModel::debug_write(std::uint64_t, const std::uint8_t*, unsigned) { return 0; }

std::optional<DmiRegion> TargetModel::dmi(std::uint64_t) { return std::nullopt; }

std::string TargetModel::describe(std::uint64_t) const { return ""; }

std::string TargetModel::refusal(std::uint64_t, unsigned, bool) const { return ""; }

}  // namespace vp
