#pragma once

#include <string>
#include <vector>

#include "models/common/part.h"

namespace vp {

/// The kinds of parts that a machine can be made of.
class Kinds {
 public:
  /// The built-in ones (kinds.def), and those of these shared libraries. Throws UserError as load_plugin() does, and
  /// for a kind that there is already.
  explicit Kinds(const std::vector<std::string>& plugins = {});

  const std::vector<const PartKind*>& all() const { return kinds_; }
  /// The kind of that name, or nullptr.
  const PartKind* find(const std::string& name) const;
  /// The name most like `name`, empty if none is near.
  std::string nearest(const std::string& name) const;

 private:
  void add(const PartKind& kind, const std::string& plugin);

  std::vector<const PartKind*> kinds_;  // none is ever given back: a library stays loaded
};

}  // namespace vp
