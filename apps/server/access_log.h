#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace greenkgc::server {

// Lines for a file, written by a thread of its own: a disk or a pipe that is slow delays no request. Lines
// that come while too many wait are left out and counted.
class AccessLog {
 public:
  // "-" is standard output, "none" no log; a path that names a descriptor of this process (/dev/stdout,
  // /dev/fd/N) means that descriptor. Throws kIo if the file cannot be opened.
  explicit AccessLog(std::string path);
  ~AccessLog();  // writes what waits

  void add(std::string line);  // without its newline
  void reopen();               // the path may be another file by now; soon, not at once
  std::uint64_t left_out() const { return left_out_; }

 private:
  int open_file() const;
  void write_lines();

  const std::string path_;
  int descriptor_ = -1;
  std::atomic<std::uint64_t> left_out_{0};
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::string> lines_;
  bool reopen_ = false;
  bool stopping_ = false;
  std::thread writer_;
};

}  // namespace greenkgc::server
