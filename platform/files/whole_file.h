#pragma once

#include <string>

namespace vp {

/// Checks that `path` can be written later, so that a long run does not fail at its end. "-" is standard output. Throws
/// UserError with the system's reason. Leaves no file behind and an existing file untouched.
void check_writable(const std::string& path);

/// Writes a whole file at once: into a temporary file beside it that is renamed when complete, so that nobody ever sees
/// a part.
/// "-" is standard output; what is no regular file (a device, a pipe) is written in place. Throws UserError with the
/// system's reason (full disk, no such folder …) and then leaves no partial file.
void write_file(const std::string& path, const std::string& content);

/// The same by way of a file that is in the way anyhow: `part`, on the same file system, gets the content and becomes
/// `path`. Making and removing files is what many short runs of the simulator would spend much of their time on.
void write_file_as(const std::string& part, const std::string& path, const std::string& content);

/// The whole content of a regular file. Throws UserError: missing, unreadable, a folder, larger than `limit` bytes.
std::string read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

}  // namespace vp
