#include "server/access_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "greenkgc/error.h"
#include "greenkgc/files.h"

namespace greenkgc::server {
namespace {

constexpr std::string_view kNoLog = "none";
constexpr std::string_view kStandardOutput = "-";
constexpr std::size_t kMostWaiting = 10'000;  // lines

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count > 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

AccessLog::AccessLog(std::string path) : path_(std::move(path)) {
  if (path_ == kNoLog) return;
  descriptor_ = open_file();
  if (descriptor_ < 0)
    throw Error(ErrorCode::kIo, fmt::format("{}: cannot be opened: {}", path_, std::strerror(errno)));
  writer_ = std::thread([this] { write_lines(); });
}

AccessLog::~AccessLog() {
  if (descriptor_ < 0) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  came_.notify_one();
  writer_.join();
  ::close(descriptor_);
}

int AccessLog::open_file() const {
  const int inherited = path_ == kStandardOutput ? STDOUT_FILENO : inherited_descriptor(path_);
  if (inherited >= 0) return ::fcntl(inherited, F_DUPFD_CLOEXEC, 0);
  return ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

void AccessLog::add(std::string line) {
  if (descriptor_ < 0) return;
  {
    const std::lock_guard lock(mutex_);
    if (lines_.size() >= kMostWaiting) {
      ++left_out_;
      return;
    }
    lines_.push_back(std::move(line));
  }
  came_.notify_one();
}

void AccessLog::reopen() {
  const std::lock_guard lock(mutex_);
  reopen_ = true;
}

void AccessLog::write_lines() {
  std::unique_lock lock(mutex_);
  for (;;) {
    came_.wait(lock, [&] { return stopping_ || !lines_.empty(); });
    if (lines_.empty()) return;
    std::vector<std::string> lines;
    lines.swap(lines_);
    const bool again = std::exchange(reopen_, false);
    lock.unlock();
    if (again) {
      // The old one stays if there is no new one.
      if (const int fresh = open_file(); fresh >= 0) ::close(std::exchange(descriptor_, fresh));
    }
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    if (!write_all(descriptor_, text)) left_out_ += lines.size();
    lock.lock();
  }
}

}  // namespace greenkgc::server
