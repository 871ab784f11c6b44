#pragma once

namespace vp {

/// Takes those figures out of a run's statistics (the JSON tree of --stats, or a group of it) that may differ between
/// two runs of one machine and program, so that the rest can be compared. They are marked in the tree, from the place
/// where each is listed (Repeats::never): the host's speed, how often it was waited for, and where the report comes
/// from. Json: nlohmann's, ordered or not.
template <typename Json>
void remove_volatile_figures(Json& group) {
  if (!group.is_object()) return;
  if (const auto values = group.find("values"); values != group.end() && values->is_object())
    for (auto one = values->begin(); one != values->end();)
      one = one->is_object() && one->value("volatile", false) ? values->erase(one) : std::next(one);
  if (const auto groups = group.find("groups"); groups != group.end() && groups->is_object())
    for (auto& below : *groups) remove_volatile_figures(below);
}

}  // namespace vp
