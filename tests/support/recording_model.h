#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "models/common/target_model.h"

namespace vp {

/// A target for tests: bytes in memory, a fixed time an access, and a list of every access as text ("r4@10 t=100").
class RecordingModel : public TargetModel {
 public:
  explicit RecordingModel(unsigned size, Picoseconds latency = 0) : bytes(size), latency_(latency) {}

  AccessResult read(std::uint64_t offset, std::uint8_t* data, unsigned size, Picoseconds& now) override {
    note('r', offset, size, now);
    if (result == AccessResult::ok) std::memcpy(data, &bytes[offset], size);
    return result;
  }
  AccessResult write(std::uint64_t offset, const std::uint8_t* data, unsigned size, Picoseconds& now) override {
    note('w', offset, size, now);
    if (result == AccessResult::ok) std::memcpy(&bytes[offset], data, size);
    return result;
  }
  unsigned debug_read(std::uint64_t offset, std::uint8_t* data, unsigned size) override {
    std::memcpy(data, &bytes[offset], size);
    return size;
  }
  unsigned debug_write(std::uint64_t offset, const std::uint8_t* data, unsigned size) override {
    std::memcpy(&bytes[offset], data, size);
    return size;
  }
  std::optional<DmiRegion> dmi(std::uint64_t) override {
    if (!grants_dmi()) return std::nullopt;
    DmiRegion region;
    region.host = bytes.data();
    region.last = bytes.size() - 1;
    region.readable = true;
    region.writable = writable;
    region.read_latency = latency_;
    region.write_latency = latency_;
    region.wide_extra = wide_extra;
    return region;
  }
  bool grants_dmi() const override { return with_dmi; }
  Answer access(const Access& access) override {
    Answer answer = TargetModel::access(access);
    answer.streamed = streams;
    if (!answer.why.empty()) answer.why = "lane 2 is full.";
    seen = access;
    return answer;
  }
  std::string describe(std::uint64_t) const override { return "REGISTER"; }

  std::vector<std::uint8_t> bytes;
  std::vector<std::string> accesses;
  Access seen;  ///< the last one
  AccessResult result = AccessResult::ok;
  bool with_dmi = false;
  bool writable = true;
  Picoseconds wide_extra = 0;
  Picoseconds streams = 0;

 private:
  void note(char what, std::uint64_t offset, unsigned size, Picoseconds& now) {
    accesses.push_back(what + std::to_string(size) + "@" + std::to_string(offset) + " t=" + std::to_string(now));
    now += latency_;
  }
  Picoseconds latency_;
};

}  // namespace vp
