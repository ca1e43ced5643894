#include "base/files/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/files/output_file.h"
#include "greenkgc/error.h"

namespace greenkgc {

FolderLock::FolderLock(const std::filesystem::path& folder) : fd_(-1) {
  make_parent_folders(folder / "run.json");
  fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ < 0)
    throw Error(ErrorCode::kIo, fmt::format("{}: cannot open: {}", folder.string(), std::strerror(errno)));
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(fd_);
  if (reason == EWOULDBLOCK)
    throw Error(ErrorCode::kUsage, fmt::format("{}: another greenkgc process is using this folder; wait "
                                               "until it has finished, or choose another folder",
                                               folder.string()));
  throw Error(ErrorCode::kIo, fmt::format("{}: cannot lock: {}", folder.string(), std::strerror(reason)));
}

FolderLock::~FolderLock() {
  ::close(fd_);
}

}  // namespace greenkgc
