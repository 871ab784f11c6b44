#pragma once

#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace vp {

/// What built parts offer each other and the platform, by interface: a part that needs "a hart" or "a memory that can
/// be loaded" finds it here, whatever kind of part it is. See machine_roles.h for the interfaces.
class Roles {
 public:
  /// `role` must live as long as the machine.
  template <typename Role>
  void offer(const std::string& part, Role& role) {
    offers_.push_back({part, typeid(Role), &role});
  }
  /// `role` takes the place of the first part's.
  template <typename Role>
  void replace(Role& role) {
    for (Offer& offer : offers_)
      if (offer.type == typeid(Role)) {
        offer.role = &role;
        return;
      }
  }
  /// The first part's, in the order of the machine's description; nullptr if there is none.
  template <typename Role>
  Role* find() const {
    for (const Offer& offer : offers_)
      if (offer.type == typeid(Role)) return static_cast<Role*>(offer.role);
    return nullptr;
  }
  /// That of the part of this name; nullptr if there is none.
  template <typename Role>
  Role* find(const std::string& part) const {
    for (const Offer& offer : offers_)
      if (offer.type == typeid(Role) && offer.part == part) return static_cast<Role*>(offer.role);
    return nullptr;
  }
  /// Every part's with its name, in the order of the description.
  template <typename Role>
  std::vector<std::pair<std::string, Role*>> all() const {
    std::vector<std::pair<std::string, Role*>> found;
    for (const Offer& offer : offers_)
      if (offer.type == typeid(Role)) found.emplace_back(offer.part, static_cast<Role*>(offer.role));
    return found;
  }

 private:
  struct Offer {
    std::string part;
    std::type_index type;
    void* role;  // not owned
  };
  std::vector<Offer> offers_;
};

}  // namespace vp
