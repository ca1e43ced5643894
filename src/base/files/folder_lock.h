#pragma once

#include <filesystem>

namespace greenkgc {

// Keeps a folder for this process while it lives: another process (or another lock in this one) that wants it
// gets kUsage. Nothing is left behind, even by kill -9. The folder is made where it is missing; throws kIo if
// that fails.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

}  // namespace greenkgc
