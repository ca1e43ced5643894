#include "base/files/event_log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files/output_file.h"
#include "greenkgc/error.h"

namespace greenkgc {

void EventLog::add(std::string_view event, const nlohmann::ordered_json& fields) const {
  nlohmann::ordered_json line = {{"time", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))},
                                 {"event", event}};
  line.update(fields);
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  make_parent_folders(path_);
  const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (!written)
    throw Error(ErrorCode::kIo,
                fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(error)));
}

}  // namespace greenkgc
