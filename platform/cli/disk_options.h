#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <memory>
#include <string>

#include "platform/board/machine_settings.h"
#include "platform/cli/share_image.h"

namespace vp {

// The part of `run` that gives the machine disks.

/// Adds --disk and --share.
void add_disk_options(boost::program_options::options_description& options);
/// Throws UserError: one of them without a program of the CPU, or --share where its image would be missing later.
void check_disk_options(const boost::program_options::variables_map& values, bool runs_program_of_cpu);
/// The image of --share's folder; nothing if it is not given. Throws UserError.
std::unique_ptr<ShareImage> make_share_image(const boost::program_options::variables_map& values);
/// The file of a --disk, without what follows it.
std::string file_of_disk(const std::string& text);
/// Whether the guest's writes go to the file of a --disk.
bool writes_file_of_disk(const std::string& text);
/// Adds a part for each disk, weaker than --set: "blk0", or the next name that is free, where windows and interrupts
/// are. Throws UserError: no more room.
void add_disks(const boost::program_options::variables_map& values, const ShareImage* share, MachineSources& sources);

}  // namespace vp
