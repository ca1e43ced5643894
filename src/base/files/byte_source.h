#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace greenkgc {

// A stream of bytes to read once, from a file or from memory. Not thread-safe.
class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Fills the front of `buffer` and returns how many bytes; 0 only at the end or for an empty buffer.
  // Throws kIo where the system refuses, kBadInput where compressed data are damaged or cut off.
  virtual std::size_t read(std::span<char> buffer) = 0;

  // How far it is, for progress: bytes of the file (compressed, if it is) of all its bytes (0: not known).
  virtual std::uint64_t position() const = 0;
  virtual std::uint64_t size() const = 0;

  const std::string& name() const { return name_; }  // the path, for messages

 private:
  std::string name_;
};

// Opens a file; gzip (also of several members) and zstd are decompressed, recognized by their first bytes.
// Throws kBadInput if there is no such file or it is a folder, kIo if it may not be read.
std::unique_ptr<ByteSource> open_source(const std::filesystem::path& path);

// The bytes must outlive the source. Compressed bytes are decompressed as by open_source.
std::unique_ptr<ByteSource> memory_source(std::string_view bytes, std::string name);

// Reads until the buffer is full or the source ends.
std::size_t read_fully(ByteSource& source, std::span<char> buffer);

// All bytes of a file that should be small; throws kBadInput if it has more than `limit`.
std::string read_small_file(const std::filesystem::path& path, std::size_t limit);

// A source whose first bytes can be looked at before they are read.
class PeekSource final : public ByteSource {
 public:
  PeekSource(std::unique_ptr<ByteSource> source, std::size_t peek_bytes);
  std::string_view head() const { return head_; }
  std::size_t read(std::span<char> buffer) override;
  std::uint64_t position() const override { return source_->position(); }
  std::uint64_t size() const override { return source_->size(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string head_;
  std::size_t given_ = 0;  // bytes of head_ that read() has handed out
};

}  // namespace greenkgc
