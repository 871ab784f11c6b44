#include "models/matmul/loader.h"

namespace vp::matmul {

Loader::Action Loader::take(std::uint8_t byte) {
  if (state_ == State::command) {
    command_ = static_cast<Command>(byte >> kCommandShift);
    received_ = 0;
    if (command_ == Command::update) return {Command::update, byte, 0, 0};
    if (command_ != Command::none) state_ = State::address;
    return {};
  }
  std::uint32_t& target = state_ == State::address ? address_ : word_;
  const unsigned shift = 8 * (received_ % 4);
  target = (target & ~(std::uint32_t{0xff} << shift)) | std::uint32_t{byte} << shift;
  ++received_;
  if (received_ % 4 != 0) return {};
  if (state_ == State::address) {
    state_ = State::data;
    received_ = 0;
    return {};
  }
  if (command_ == Command::store_block) {
    block_[received_ / 4 - 1] = word_;
    if (received_ < 4 * block_.size()) return {};
  }
  state_ = State::command;
  return {command_, 0, address_, word_};
}

}  // namespace vp::matmul
