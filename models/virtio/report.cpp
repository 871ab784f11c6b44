// What the transport tells of itself.
#include <algorithm>

#include "models/common/wording.h"
#include "models/virtio/core.h"

namespace vp::virtio {

Figures Core::figures() const {
  Figures figures = done_;
  figures.latency = latency_.summary("from the head in the available ring to the index of the used ring");
  return figures;
}

std::vector<std::string> Core::work() const {
  std::vector<std::string> lines;
  for (const Queue& queue : queues_) lines.push_back("queue " + std::to_string(queue.number()) + ": " + queue.work());
  if (registers_.needs_reset) lines.emplace_back("it needs a reset");
  return lines;
}

std::vector<Finding> Core::findings(const OriginText& origin) const {
  struct Sentence {
    const char *before, *after;
  };
  static constexpr std::array<Sentence, static_cast<std::size_t>(Wrong::number)> kSentences = {{
      {"A queue that the device does not have was selected or notified ", ": nothing was done."},
      {"A queue was notified ", " before QueueReady was 1: nothing was done."},
      {"A queue was notified ", " before DRIVER_OK: nothing was done, and the buffers wait for the next notification."},
      {"FEATURES_OK was refused ", ": VIRTIO_F_VERSION_1 was missing, or a feature that is not offered was accepted."},
      {"DriverFeatures was written ", " after FEATURES_OK: nothing was changed."},
      {"Bits of Status were cleared ", " by other than a write of 0, which alone resets the device."},
  }};
  std::vector<Finding> all;
  if (fault_.number != 0) {
    const std::string times = fault_.number > 1 ? " " + counted(fault_.number, "time") + ", at first" : "";
    all.push_back({"The device needed a reset" + times + ", since " + fault_.why +
                       words(" (by ", fault_.origin, origin, ")") + ".",
                   fault_.time, "needs_reset"});
  }
  for (std::size_t i = 0; i < mistakes_.size(); ++i) {
    const Mistake& one = mistakes_[i];
    if (one.number == 0) continue;
    const std::string by = words(one.number > 1 ? " (first by " : " (by ", one.origin, origin, ")");
    all.push_back({kSentences[i].before + counted(one.number, "time") + by + kSentences[i].after, one.time});
  }
  for (const Finding& finding : device_.findings()) all.push_back(finding);
  return all;
}

std::string Core::broken_conservation() const {
  const std::uint64_t under_way = static_cast<std::uint64_t>(
      std::count_if(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.has_request(); }));
  if (begun_ != done_.requests + done_.dropped + under_way) return "it has lost a request of its queues";
  if (under_way != active_) return "it does not know how many requests are under way";
  return "";
}

}  // namespace vp::virtio
