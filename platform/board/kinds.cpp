#include "platform/board/kinds.h"

#include "models/common/error.h"
#include "platform/board/plugin.h"

namespace vp {

#define VP_KIND(name) const PartKind& name##_kind();
#include "platform/board/kinds.def"
#undef VP_KIND

Kinds::Kinds(const std::vector<std::string>& plugins) {
#define VP_KIND(name) kinds_.push_back(&name##_kind());
#include "platform/board/kinds.def"
#undef VP_KIND
  for (const std::string& path : plugins)
    for (const PartKind* kind : load_plugin(path)) add(*kind, path);
}

void Kinds::add(const PartKind& kind, const std::string& plugin) {
  if (find(kind.name))
    throw UserError("--plugin " + plugin + ": it brings the kind '" + kind.name + "', which there is already");
  kinds_.push_back(&kind);
}

const PartKind* Kinds::find(const std::string& name) const {
  for (const PartKind* kind : kinds_)
    if (name == kind->name) return kind;
  return nullptr;
}

std::string Kinds::nearest(const std::string& name) const {
  std::vector<std::string> names;
  for (const PartKind* kind : kinds_) names.emplace_back(kind->name);
  return nearest_word(name, names);
}

}  // namespace vp
