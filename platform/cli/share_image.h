#pragma once

#include <string>

namespace vp {

/// A copy of a folder of the host as a disk image with an ext4 file system called "share", made by mke2fs in a
/// temporary file without a name, which is gone when the object is, however the program ends.
class ShareImage {
 public:
  /// Throws UserError: no such folder, something in it that cannot be read, no mke2fs, no space.
  explicit ShareImage(const std::string& folder);
  ~ShareImage();
  ShareImage(const ShareImage&) = delete;
  ShareImage& operator=(const ShareImage&) = delete;

  /// By which this process opens the image.
  std::string path() const;

 private:
  int file_ = -1;
};

}  // namespace vp
