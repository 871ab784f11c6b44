#include "models/common/register.h"

#include <stdexcept>

#include "models/common/register_bank.h"

namespace vp {

RegisterBase::RegisterBase(RegisterBank& bank, Place place, unsigned width)
    : RegisterBase(bank, std::move(place), width, Extent{}, false) {}

RegisterBase::RegisterBase(RegisterBank& bank, Place place, unsigned width, Extent extent)
    : RegisterBase(bank, std::move(place), width, extent, true) {}

RegisterBase::RegisterBase(RegisterBank& bank, Place place, unsigned width, Extent extent, bool array)
    : place_(std::move(place)), extent_(extent), array_(array), width_(width) {
  if (extent_.stride == 0) extent_.stride = width_;
  bank.add(*this);
}

std::string RegisterBase::name(unsigned index) const {
  return array_ ? place_.name + "[" + std::to_string(extent_.first + index) + "]" : place_.name;
}

std::uint64_t RegisterBase::add_field(FieldPlace field) {
  if (field.width == 0 || field.lowest + field.width > 8 * width_)
    throw std::logic_error("field " + place_.name + "." + field.name + " is not inside its register");
  for (const FieldPlace& other : fields_)
    if ((field.mask() & other.mask()) != 0)
      throw std::logic_error("field " + place_.name + "." + field.name + " overlaps " + other.name);
  if (field.access == FieldAccess::read_write) writes_ |= field.mask();
  if (field.access == FieldAccess::write_1_to_clear) clears_ |= field.mask();
  fields_.push_back(std::move(field));
  return writes_;
}

}  // namespace vp
