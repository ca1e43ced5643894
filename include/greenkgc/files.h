#pragma once

#include <filesystem>
#include <string_view>

#include "greenkgc/export.h"

namespace greenkgc {

// Writes a whole file, which appears complete or not at all; a name that ends in .gz or .zst is compressed,
// missing folders are made. Throws kIo with the path and the reason, kUsage if it is a folder.
GREENKGC_API void write_file(const std::filesystem::path& path, std::string_view bytes);

// The descriptor that the path names: 1 for /dev/stdout, N for /dev/fd/N and /proc/self/fd/N; -1 for any
// other path. Opening such a path would start at an offset of its own, and what others write to the
// descriptor later (`{ greenkgc ...; echo b; } > f`) would overwrite ours.
GREENKGC_API int inherited_descriptor(const std::filesystem::path& path);

}  // namespace greenkgc
