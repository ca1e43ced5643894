#include "base/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

#include "greenkgc/error.h"

namespace greenkgc {

// Turns plain bytes into compressed ones and hands them on.
class OutputFile::Encoder {
 public:
  using Next = std::function<void(std::string_view)>;
  explicit Encoder(Next next) : next_(std::move(next)), out_(kBuffer) {}
  virtual ~Encoder() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void finish() = 0;

 protected:
  Next next_;
  std::vector<char> out_;
};

class OutputFile::GzipEncoder final : public Encoder {
 public:
  explicit GzipEncoder(Next next) : Encoder(std::move(next)) {
    if (::deflateInit2(&stream_, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipEncoder() override { ::deflateEnd(&stream_); }
  void write(std::string_view bytes) override {
    constexpr std::size_t kPiece = 1 << 30;  // zlib counts in 32 bits
    for (; bytes.size() > kPiece; bytes.remove_prefix(kPiece)) run(bytes.substr(0, kPiece), Z_NO_FLUSH);
    run(bytes, Z_NO_FLUSH);
  }
  void finish() override { run({}, Z_FINISH); }

 private:
  void run(std::string_view bytes, int mode) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      ::deflate(&stream_, mode);
      next_({out_.data(), out_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }
  z_stream stream_{};
};

class OutputFile::ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder(Next next, const std::filesystem::path& path)
      : Encoder(std::move(next)), path_(path), stream_(::ZSTD_createCCtx()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ::ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdEncoder() override { ::ZSTD_freeCCtx(stream_); }
  void write(std::string_view bytes) override { run(bytes, ZSTD_e_continue); }
  void finish() override { run({}, ZSTD_e_end); }

 private:
  void run(std::string_view bytes, ZSTD_EndDirective mode) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      const std::size_t left = ::ZSTD_compressStream2(stream_, &out, &in, mode);
      if (::ZSTD_isError(left) != 0) {
        throw Error(ErrorCode::kIo,
                    fmt::format("{}: cannot be compressed: {}", path_.string(), ::ZSTD_getErrorName(left)));
      }
      next_({out_.data(), out.pos});
      done = mode == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
  }
  const std::filesystem::path& path_;  // for messages
  ZSTD_CCtx* stream_;
};

namespace {

namespace fs = std::filesystem;

// A number without sign, as folders of descriptors name their entries; -1 for anything else.
int descriptor_number(std::string_view digits) {
  int number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? number : -1;
}

// Such names may lead to a regular file that the shell has redirected us to, which must never be replaced.
bool is_open_file(const fs::path& path) {
  return inherited_descriptor(path) >= 0 || path.native().starts_with("/proc/");
}

// Also if the last link leads to nothing yet.
fs::path follow_links(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks && !is_open_file(path) && fs::is_symlink(path, error); ++i) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

}  // namespace

int inherited_descriptor(const fs::path& path) {
  const std::string_view name = path.native();
  if (name == "/dev/stdin") return STDIN_FILENO;
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (name.starts_with(folder)) return descriptor_number(name.substr(folder.size()));
  }
  return -1;
}

bool is_written_in_place(const fs::path& path) {
  const fs::path target = follow_links(path);
  struct stat status {};
  return is_open_file(target) ||
         (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

OutputFile::OutputFile(const fs::path& path) : path_(path), target_(follow_links(path)) {
  const auto next = [this](std::string_view bytes) { write_raw(bytes); };
  if (path.extension() == ".gz") encoder_ = std::make_unique<GzipEncoder>(next);
  if (path.extension() == ".zst") encoder_ = std::make_unique<ZstdEncoder>(next, path_);
  buffer_.reserve(kBuffer);

  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: is a folder, but the output must be a file", path.string()));
  }
  if (is_written_in_place(target_)) {
    const int inherited = inherited_descriptor(target_);
    fd_ = inherited >= 0 ? ::fcntl(inherited, F_DUPFD_CLOEXEC, 0)
                         : ::open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd_ < 0) fail("cannot be written");
    return;
  }
  open_beside();
  if (exists) ::fchmod(fd_, status.st_mode & 07777);
}

void make_parent_folders(const fs::path& path) {
  const fs::path parent = path.parent_path();
  std::error_code error;
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) {
    throw Error(ErrorCode::kIo,
                fmt::format("{}: cannot create the folder: {}", parent.string(), error.message()));
  }
}

void OutputFile::open_beside() {
  make_parent_folders(target_);
  const fs::path parent = target_.parent_path();
  static std::atomic<unsigned> serial{0};
  const fs::path beside =
      parent / fmt::format(".{}.tmp-{}-{}", target_.filename().string(), ::getpid(), serial.fetch_add(1));
  fd_ = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) fail("cannot be written");
  beside_ = beside;
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

void OutputFile::commit() {
  flush();
  if (encoder_) encoder_->finish();
  if (!beside_.empty() && ::fsync(fd_) != 0) fail("cannot be written");
  if (::close(std::exchange(fd_, -1)) != 0) fail("cannot be written");
  if (beside_.empty()) return;
  if (::rename(beside_.c_str(), target_.c_str()) != 0) fail("cannot be renamed to its final name");
  beside_.clear();
}

void OutputFile::flush() {
  write_through(buffer_);
  buffer_.clear();
}

void OutputFile::write_through(std::string_view bytes) {
  if (bytes.empty()) return;
  if (encoder_) {
    encoder_->write(bytes);
  } else {
    write_raw(bytes);
  }
}

void OutputFile::write_raw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot be written");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::fail(std::string_view what) const {
  throw Error(ErrorCode::kIo, fmt::format("{}: {}: {}", path_.string(), what, std::strerror(errno)));
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace greenkgc
