#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/drra/config.h"
#include "models/drra/program.h"

namespace vp::drra_check {

/// The file is a recorded or derived program of the DRRA fabric ("drra-golden-1").
bool is_program(const nlohmann::json& file);
/// The fabric that the file names, on top of `config`: columns, rows of DiMArch, decoder profile. Throws UserError.
drra::DrraConfig fabric_of(const nlohmann::json& file, drra::DrraConfig config);
/// Instructions and contents to begin with. Throws UserError for what is malformed or missing.
drra::Program program_of(const nlohmann::json& file);
/// "row,column". Throws UserError.
drra::Place place_of(const std::string& text);
/// 16 words. Throws UserError.
drra::Row row_of(const nlohmann::json& words);
/// A number in decimal digits. Throws UserError.
unsigned number_of(const std::string& text, const char* what);

}  // namespace vp::drra_check
