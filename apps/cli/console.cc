#include "cli/console.h"

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/display.h"
#include "greenkgc/error.h"

namespace greenkgc::cli {

namespace {

using std::chrono::milliseconds;
constexpr auto kPatienceOnTerminal = milliseconds(500);
constexpr auto kRedrawEvery = milliseconds(100);
constexpr auto kPatienceElsewhere = milliseconds(2'000);
constexpr auto kLineEvery = milliseconds(10'000);
constexpr std::string_view kEraseLine = "\r\x1b[K";

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool terminal_can_redraw() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // someone else made the terminal or pipe non-blocking
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
  }
  return spdlog::level::info;
}

// "reading train.txt  ████▌       37%  310 MB of 840 MB  120 MB/s  4.4 s left", in at most `columns`;
// without the bar if `columns` is 0.
std::string progress_line(std::string_view task, std::string_view unit, std::uint64_t done,
                          std::uint64_t total, double seconds, std::size_t columns) {
  const auto amount = static_cast<double>(done);
  const double rate = amount / std::max(seconds, 1e-3);
  if (total == 0) {
    return printable(fmt::format("{}  {}  {}/s", task, short_amount(amount, unit), short_amount(rate, unit)),
                     columns == 0 ? std::string::npos : columns - 1);
  }
  const double share = std::min(1.0, amount / static_cast<double>(total));
  std::string figures = fmt::format("{:3.0f}%  {} of {}  {}/s", 100 * share, short_amount(amount, unit),
                                    short_amount(static_cast<double>(total), unit), short_amount(rate, unit));
  if (done > 0) figures += fmt::format("  {} left", short_seconds(seconds * (1 - share) / share));
  constexpr std::size_t kBar = 20;
  const std::size_t room = display_width(task) + display_width(figures) + kBar + 5;
  if (columns == 0) return fmt::format("{}  {}", task, figures);
  if (room > columns) return printable(fmt::format("{}  {}", task, figures), columns - 1);
  const std::string filled = bar(share, kBar);
  return fmt::format("{}  {}{}  {}", task, filled, std::string(kBar - display_width(filled), ' '), figures);
}

}  // namespace

class Console::LogSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit LogSink(Console& console) : console_(console) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    const bool warning = message.level >= spdlog::level::warn;
    console_.print(!warning            ? text
                   : console_.colours_ ? fmt::format("\x1b[33mwarning:\x1b[0m {}", text)
                                       : fmt::format("warning: {}", text));
  }
  void flush_() override {}

 private:
  Console& console_;
};

Console::Console()
    : redraws_(terminal_can_redraw()),
      colours_(redraws_ && !is_set("NO_COLOR")),
      logger_(std::make_shared<spdlog::logger>("greenkgc", std::make_shared<LogSink>(*this))) {}

Console::~Console() = default;

void Console::set_verbosity(Verbosity verbosity) {
  quiet_ = verbosity == Verbosity::kQuiet;
  logger_->set_level(quiet_                             ? spdlog::level::warn
                     : verbosity == Verbosity::kVerbose ? spdlog::level::debug
                                                        : spdlog::level::info);
}

std::function<void(LogLevel, std::string_view)> Console::log() {
  return [logger = logger_](LogLevel level, std::string_view message) {
    logger->log(spdlog_level(level), spdlog::string_view_t(message.data(), message.size()));
  };
}

void Console::error(std::string_view message) {
  print(fmt::format("{} {}", colours_ ? "\x1b[31mgreenkgc:\x1b[0m" : "greenkgc:", printable(message)));
}

void Console::begin(std::string_view task, std::uint64_t total, std::string_view unit) {
  if (quiet_) return;
  const std::scoped_lock lock(mutex_);
  running_ = true;
  task_ = printable(task);
  unit_ = unit;
  total_ = total;
  began_ = Clock::now();
  next_report_ = began_ + (redraws_ ? kPatienceOnTerminal : kPatienceElsewhere);
}

void Console::update(std::uint64_t done) {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (!running_ || now < next_report_) return;
  next_report_ = now + (redraws_ ? kRedrawEvery : kLineEvery);
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const std::size_t columns = redraws_ ? terminal_columns(STDERR_FILENO) : 0;
  const std::string line = progress_line(task_, unit_, done, total_, seconds, columns);
  if (redraws_) {
    shown_ = line;
    write_all(STDERR_FILENO, fmt::format("{}{}", kEraseLine, line));
  } else {
    write_all(STDERR_FILENO, line + '\n');
  }
}

void Console::end() {
  const std::scoped_lock lock(mutex_);
  running_ = false;
  if (!shown_.empty()) write_all(STDERR_FILENO, kEraseLine);
  shown_.clear();
}

void Console::print(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  write_all(STDERR_FILENO, fmt::format("{}{}\n{}", shown_.empty() ? "" : kEraseLine, text, shown_));
}

void write_stdout(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ReaderGone{};
  if (error != 0)
    throw Error(ErrorCode::kIo, fmt::format("cannot write to standard output: {}", std::strerror(error)));
}

}  // namespace greenkgc::cli
