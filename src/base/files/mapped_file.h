#pragma once

#include <filesystem>
#include <span>

namespace greenkgc {

// A file's bytes in memory without reading them all: pages come when they are touched. The file must not be
// shortened while it is mapped; ours never are, since new versions are renamed into place.
class MappedFile {
 public:
  // Throws kBadInput if there is no such file or it is a folder, kIo if it may not be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;  // starts at a page
};

}  // namespace greenkgc
