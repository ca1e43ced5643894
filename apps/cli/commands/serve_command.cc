#include <fmt/format.h>
#include <csignal>

#include <atomic>
#include <memory>

#include "cli/command.h"
#include "greenkgc/error.h"
#include "server/serve.h"
#include "server/token.h"

namespace greenkgc::cli {

namespace {

struct ServeArguments {
  std::string model;
  server::ServeOptions serve;

  static void declare(OptionList<ServeArguments>& o) {
    o.add("model", &ServeArguments::model,
          "model from `greenkgc train`: a model file, or a run folder, which contains model.gkgc");
  }
};

std::atomic<bool> reload_asked{false};

// Other commands end by SIGHUP, as by Ctrl-C; a service opens its files again, under nohup too.
class ReloadOnHangup {
 public:
  ReloadOnHangup() {
    struct sigaction ours {};
    ours.sa_handler = [](int) { reload_asked = true; };
    ours.sa_flags = SA_RESTART;
    ::sigaction(SIGHUP, &ours, &before_);
  }
  ~ReloadOnHangup() { ::sigaction(SIGHUP, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

Result run(const ServeArguments& arguments, const Context& context) {
  const std::string token = server::configured_token(arguments.serve.token_file);
  const ReloadOnHangup reloads;
  const auto listening = [&](const std::string& address) {
    context.say(LogLevel::kInfo, fmt::format("serving {} at {}{}", arguments.model, address,
                                             token.empty() ? "" : ", token required"));
  };
  server::serve(
      {.model = arguments.model, .token = token, .reload_asked = &reload_asked, .listening = listening},
      arguments.serve, context);
  return {.streamed = true};
}

}  // namespace

Command serve_command() {
  auto arguments = std::make_shared<ServeArguments>();
  return {.name = "serve",
          .summary = "answer queries over HTTP, with a web page",
          .example = "greenkgc serve --model world.gkgc --port 8080",
          .positionals = {},
          .options = {group_of(*arguments), group_of(arguments->serve)},
          .required = {"model"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
