#include "base/files/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "greenkgc/error.h"

namespace greenkgc {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, ErrorCode code, std::string_view why) {
  throw Error(code, fmt::format("{}: cannot be opened: {}", path.string(), why));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    const bool absent = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
    fail(path, absent ? ErrorCode::kBadInput : ErrorCode::kIo, std::strerror(errno));
  }
  struct stat status {};
  void* address = nullptr;
  const bool regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (regular && size > 0) address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int error = errno;
  ::close(fd);
  if (!regular) fail(path, ErrorCode::kBadInput, "it is not a regular file");
  if (address == MAP_FAILED) fail(path, ErrorCode::kIo, std::strerror(error));
  if (address != nullptr) bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace greenkgc
