#include "base/files/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc {
namespace {

constexpr std::size_t kCompressedBuffer = 256 << 10;

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path) : ByteSource(path.string()) {
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) {
      const bool absent = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
      throw Error(absent ? ErrorCode::kBadInput : ErrorCode::kIo,
                  fmt::format("{}: cannot be opened: {}", name(), std::strerror(errno)));
    }
    struct stat status {};
    if (::fstat(fd_, &status) == 0) {
      if (S_ISDIR(status.st_mode)) {
        ::close(fd_);
        throw Error(ErrorCode::kBadInput, fmt::format("{}: is a folder, but a file was expected", name()));
      }
      if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
    }
    ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~FileSource() override { ::close(fd_); }

  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
      if (got >= 0) {
        position_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) {
        throw Error(ErrorCode::kIo, fmt::format("{}: byte {}: cannot be read: {}", name(),
                                                with_commas(position_), std::strerror(errno)));
      }
    }
  }
  std::uint64_t position() const override { return position_; }
  std::uint64_t size() const override { return size_; }

 private:
  int fd_ = -1;
  std::uint64_t position_ = 0;
  std::uint64_t size_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string_view bytes, std::string name) : ByteSource(std::move(name)), bytes_(bytes) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t n = bytes_.copy(buffer.data(), buffer.size(), position_);
    position_ += n;
    return n;
  }
  std::uint64_t position() const override { return position_; }
  std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

// Common to both decompressors: compressed bytes come in through `input_[begin_, end_)`.
class DecompressingSource : public ByteSource {
 public:
  explicit DecompressingSource(std::unique_ptr<ByteSource> source)
      : ByteSource(source->name()), source_(std::move(source)), input_(kCompressedBuffer) {}
  std::uint64_t position() const override { return source_->position(); }
  std::uint64_t size() const override { return source_->size(); }

 protected:
  // False at the end of the compressed bytes.
  bool refill() {
    begin_ = 0;
    end_ = source_->read(input_);
    return end_ > 0;
  }
  [[noreturn]] void damaged(std::string_view what) const {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: compressed byte {}: {}", name(),
                                                  with_commas(source_->position() - (end_ - begin_)), what));
  }

  std::unique_ptr<ByteSource> source_;
  std::vector<char> input_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

class GzipSource final : public DecompressingSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> source) : DecompressingSource(std::move(source)) {
    if (::inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { ::inflateEnd(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    if (buffer.empty()) return 0;
    for (;;) {
      if (begin_ == end_ && !refill()) {
        if (in_member_) damaged("the gzip data are incomplete; the file was probably truncated");
        return 0;
      }
      if (!in_member_) {
        ::inflateReset(&stream_);
        in_member_ = true;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data() + begin_);
      stream_.avail_in = static_cast<uInt>(end_ - begin_);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(buffer.size(), 1 << 30));
      const uInt wanted = stream_.avail_out;
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      begin_ = end_ - stream_.avail_in;
      if (result == Z_STREAM_END) {
        in_member_ = false;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        damaged(
            fmt::format("damaged gzip data ({})", stream_.msg != nullptr ? stream_.msg : "unknown reason"));
      }
      if (const uInt got = wanted - stream_.avail_out; got > 0) return got;
    }
  }

 private:
  z_stream stream_{};
  bool in_member_ = false;
};

class ZstdSource final : public DecompressingSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> source)
      : DecompressingSource(std::move(source)), stream_(::ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdSource() override { ::ZSTD_freeDStream(stream_); }

  std::size_t read(std::span<char> buffer) override {
    if (buffer.empty()) return 0;
    for (;;) {
      if (begin_ == end_ && !refill()) {
        if (in_frame_) damaged("the zstd data are incomplete; the file was probably truncated");
        return 0;
      }
      ZSTD_inBuffer in{input_.data() + begin_, end_ - begin_, 0};
      ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
      const std::size_t result = ::ZSTD_decompressStream(stream_, &out, &in);
      if (::ZSTD_isError(result) != 0) {
        damaged(fmt::format("damaged zstd data ({})", ::ZSTD_getErrorName(result)));
      }
      begin_ += in.pos;
      in_frame_ = result != 0;
      if (out.pos > 0) return out.pos;
    }
  }

 private:
  ZSTD_DStream* stream_;
  bool in_frame_ = false;
};

// A frame, or one to skip (RFC 8878, 3.1.2), which tools put before others.
bool is_zstd(std::string_view head) {
  const bool skippable = !head.empty() && (static_cast<unsigned char>(head[0]) & 0xF0U) == 0x50U &&
                         head.substr(1).starts_with("\x2a\x4d\x18");
  return skippable || head.starts_with("\x28\xb5\x2f\xfd");
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw) {
  auto source = std::make_unique<PeekSource>(std::move(raw), 4);
  if (source->head().starts_with("\x1f\x8b")) return std::make_unique<GzipSource>(std::move(source));
  if (is_zstd(source->head())) return std::make_unique<ZstdSource>(std::move(source));
  return source;
}

}  // namespace

PeekSource::PeekSource(std::unique_ptr<ByteSource> source, std::size_t peek_bytes)
    : ByteSource(source->name()), source_(std::move(source)), head_(peek_bytes, '\0') {
  head_.resize(read_fully(*source_, head_));
}

std::size_t PeekSource::read(std::span<char> buffer) {
  if (given_ == head_.size()) return source_->read(buffer);
  const std::size_t n = std::string_view(head_).copy(buffer.data(), buffer.size(), given_);
  given_ += n;
  return n;
}

std::unique_ptr<ByteSource> open_source(const std::filesystem::path& path) {
  return decompressed(std::make_unique<FileSource>(path));
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes, std::string name) {
  return decompressed(std::make_unique<MemorySource>(bytes, std::move(name)));
}

std::size_t read_fully(ByteSource& source, std::span<char> buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const std::size_t got = source.read(buffer.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::string read_small_file(const std::filesystem::path& path, std::size_t limit) {
  const auto source = open_source(path);
  std::string bytes;
  std::vector<char> piece(64 << 10);
  while (const std::size_t got = source->read(piece)) {
    if (bytes.size() + got > limit) {
      throw Error(ErrorCode::kBadInput, fmt::format("{}: is larger than {}, the limit for this file",
                                                    path.string(), count_of(limit, "byte")));
    }
    bytes.append(piece.data(), got);
  }
  return bytes;
}

}  // namespace greenkgc
