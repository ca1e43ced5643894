#pragma once

#include <filesystem>
#include <string_view>

#include "greenkgc/export.h"

namespace greenkgc {

// Writes a whole file, which appears complete or not at all; a name that ends in .gz or .zst is compressed,
// missing folders are made. Throws kIo with the path and the reason, kUsage if it is a folder.
GREENKGC_API void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace greenkgc
