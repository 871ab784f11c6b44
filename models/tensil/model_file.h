#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/tensil/architecture.h"

namespace vp::tensil {

/// A `.tmodel` file: what Tensil's compiler made of a network. Sizes and places in DRAM are in vectors.
struct Model {
  struct Constants {  ///< a `.tdata` file, for DRAM1
    std::string file;
    std::uint64_t base = 0;
    std::uint64_t size = 0;
  };
  struct Tensor {  ///< in DRAM0
    std::string name;
    std::uint64_t base = 0;
    std::uint64_t size = 0;
  };

  std::string name;
  std::string program_file;  ///< a `.tprog` file
  std::uint64_t program_bytes = 0;
  std::vector<Constants> constants;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  Architecture architecture;
  bool load_constants_to_local = false;  ///< they are expected in local memory, too, at the same vectors

  /// Vectors of all inputs of one frame.
  std::uint64_t input_vectors() const;
};

/// The text of a `.tmodel` file (JSON). Throws UserError, beginning with `source`, for anything that is missing, of the
/// wrong type, out of range or outside its memory.
Model parse_model(const std::string& text, const std::string& source);

/// Inputs of whole frames, a frame being `vectors` vectors: bytes as they lie in DRAM.
using Frames = std::vector<std::vector<std::uint8_t>>;

/// Raw little-endian scalars, `lanes` of each vector; the lanes above are zero. Throws UserError unless it is a whole
/// number of frames, at least one.
Frames split_raw_frames(const std::string& content, const Architecture& architecture, std::uint64_t vectors,
                        unsigned lanes, const std::string& source);
/// Text with one vector a line, its lanes as decimals with commas between; missing lanes are zero. They are quantised
/// and saturated. Throws likewise, with the line.
Frames parse_csv_frames(const std::string& text, const Architecture& architecture, std::uint64_t vectors,
                        const std::string& source);

}  // namespace vp::tensil
