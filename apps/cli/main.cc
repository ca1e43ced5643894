#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <clocale>
#include <csignal>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/man_page.h"
#include "greenkgc/error.h"
#include "greenkgc/files.h"
#include "greenkgc/version.h"

namespace greenkgc::cli {

namespace {

enum ExitCode { kDone = 0, kFailed = 1, kWrongUsage = 2, kStopped = 130 };

ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kIo:
      return kFailed;
    case ErrorCode::kInterrupted:
      return kStopped;
    default:
      return kWrongUsage;
  }
}

std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set by a signal handler");

// The first signal asks the library to stop and clean up, the second does not wait for it.
void on_signal(int) {
  if (stop_asked.exchange(true)) ::_exit(kStopped);
}

void install_signal_handlers() {
  struct sigaction ours {};
  ours.sa_handler = on_signal;
  ours.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &ours, nullptr);  // nohup and `&` ignore some
  }
  // A closed pipe and a file beyond `ulimit -f` are errors of write() instead.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// A file opened later must not take the place of a closed standard stream. Reading the substitute of
// standard input gives nothing; writing that of standard output fails, as it should.
void occupy_closed_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

Result version_result() {
  const BuildInfo info = build_info();
  return {fmt::format("greenkgc {}\nkernels   {}{}\nBLAS      {}\ncompiler  {}\n", info.version, info.kernels,
                      info.kernels_forced ? " (forced by GREENKGC_KERNELS)" : "", info.blas, info.compiler),
          {{"version", info.version},
           {"kernels", info.kernels},
           {"kernels_forced", info.kernels_forced},
           {"blas", info.blas},
           {"compiler", info.compiler}}};
}

void print(const Result& result, const GlobalOptions& global, Console& console) {
  // Labels are bytes; what is not UTF-8 in them becomes U+FFFD, since JSON has no other bytes.
  const auto json = [&] { return result.json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; };
  const auto write = [&](const std::string& lines) {
    if (result.on_stderr) {
      console.print(lines.substr(0, lines.size() - 1));
    } else {
      write_stdout(lines);
    }
  };
  if (result.streamed) return;
  if (global.json == kJsonToStdout) return write(json());
  if (!global.json.empty()) write_file(global.json, json());
  if (!result.on_stderr || !global.quiet) write(result.text);
}

ExitCode run(std::span<const std::string> arguments, Console& console) {
  const std::vector<Command> commands = {
      stats_command(),     convert_command(),  generate_command(), train_command(),     embed_command(),
      prune_command(),     decide_command(),   rerank_command(),   evaluate_command(),  predict_command(),
      score_command(),     complete_command(), explain_command(),  neighbors_command(), report_command(),
      reproduce_command(), serve_command()};
  GlobalOptions global;
  if (arguments.empty()) {
    console.print(program_help(commands, global));
    return kWrongUsage;
  }
  const CommandLine line = parse_command_line(arguments, commands, global);
  if (line.man) {
    write_stdout(man_page(commands, global));
    return kDone;
  }
  if (line.help) {
    write_stdout(line.command == nullptr ? program_help(commands, global)
                                         : command_help(*line.command, global));
    return kDone;
  }
  const std::vector<std::string> notes = obey(line, commands, global);
  if (line.version) {
    print(version_result(), global, console);
    return kDone;
  }
  if (line.command == nullptr)
    throw Error(ErrorCode::kUsage, "no command given (run greenkgc --help for a list)");

  console.set_verbosity(global.quiet     ? Console::Verbosity::kQuiet
                        : global.verbose ? Console::Verbosity::kVerbose
                                         : Console::Verbosity::kNormal);
  const Context context{.threads = global.threads,
                        .seed = global.seed,
                        .progress = &console,
                        .log = console.log(),
                        .cancel = &stop_asked};
  const BuildInfo info = build_info();  // first of all: it refuses a wrong GREENKGC_KERNELS
  context.say(LogLevel::kDebug,
              fmt::format("greenkgc {}, kernels {}, {}", info.version, info.kernels, info.blas));
  for (const std::string& note : notes) context.say(LogLevel::kInfo, note);
  print(line.command->run(context), global, console);
  return kDone;
}

}  // namespace

}  // namespace greenkgc::cli

int main(int argc, char** argv) {
  using namespace greenkgc::cli;
  occupy_closed_streams();
  install_signal_handlers();
  std::setlocale(LC_CTYPE, "C.UTF-8");  // for the widths of characters; numbers stay as they are
  Console console;
  try {
    return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), console);
  } catch (const ReaderGone&) {
    return kFailed;
  } catch (const greenkgc::Error& error) {
    console.error(error.what());
    return exit_code(error.code());
  } catch (const std::bad_alloc&) {
    console.error("not enough memory: use a smaller graph or a machine with more memory");
  } catch (const std::exception& error) {
    console.error(fmt::format("unexpected error: {}", error.what()));
  }
  return kFailed;
}
