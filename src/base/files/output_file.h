#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/files.h"  // write_file, inherited_descriptor

namespace greenkgc {

// Whether the path names a device, a pipe or, as /dev/stdout does, what this process has open.
bool is_written_in_place(const std::filesystem::path& path);

// Makes the folders that `path` is to lie in, where they are missing. Throws kIo.
void make_parent_folders(const std::filesystem::path& path);

// A file that appears whole or not at all: bytes go to a file beside it, commit() syncs that and renames it.
// Without commit() (an error, Ctrl-C) the file beside is removed and an older file of the name stays as it
// was; a file that is replaced hands on its permissions. A name that ends in .gz or .zst is compressed. Links
// are followed. What is_written_in_place() is written directly, whatever it stands for, and standard output
// through the inherited descriptor. Missing parent folders are made. Every failure of the system throws kIo
// with the path and the reason; a folder in the place of the file throws kUsage.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() > kBuffer) {
      write_through(bytes);
    } else {
      buffer_.append(bytes);
    }
  }
  void commit();

  const std::filesystem::path& path() const { return path_; }

 private:
  class Encoder;
  class GzipEncoder;
  class ZstdEncoder;

  static constexpr std::size_t kBuffer = 256 << 10;
  void open_beside();
  void flush();
  void write_through(std::string_view bytes);
  void write_raw(std::string_view bytes);
  [[noreturn]] void fail(std::string_view what) const;

  std::filesystem::path path_;
  std::filesystem::path target_;  // path_ with its links followed
  std::filesystem::path beside_;  // empty: target_ is written directly
  int fd_ = -1;
  std::string buffer_;
  std::unique_ptr<Encoder> encoder_;  // null: not compressed
};

}  // namespace greenkgc
