// ask RUN HEAD RELATION: what completes (head, relation, ?)? The model is that of the folder RUN, where it is
// learnt from the graph `world` if it is not there yet.
#include <greenkgc/greenkgc.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

namespace {

std::atomic<bool> stop_asked{false};

// One line for each task of the library. Nothing is printed unless you do it.
class Lines final : public greenkgc::ProgressSink {
 public:
  void begin(std::string_view task, std::uint64_t, std::string_view) override {
    std::printf("%.*s ...\n", static_cast<int>(task.size()), task.data());
  }
  void update(std::uint64_t) override {}
  void end() override {}
};

// Options are plain structs. Those of the stages that you choose are named in `given`; the preset has the
// others.
greenkgc::TrainOptions small_options() {
  greenkgc::TrainOptions options;
  options.embed.options.dims = 16;
  options.embed.options.epochs = 4;
  options.embed.given = {"dims", "epochs"};
  options.second_stage = "no";
  return options;
}

void learn(const std::string& folder, const greenkgc::Context& context) {
  const auto graph = greenkgc::Dataset::load("world", {}, context);
  const auto plan = greenkgc::plan_training(graph, small_options());
  const auto result = greenkgc::train(graph, plan, {.out = folder, .resume = true, .data = "world"}, context);
  for (const greenkgc::TrainMetrics& measured : result.metrics) {
    if (measured.of == "model.gkgc")
      std::printf("%s, %s: MRR %.3f\n", measured.split.c_str(), measured.protocol.c_str(),
                  measured.metrics.mrr);
  }
}

void ask(const std::string& file, const char* head, const char* relation, const greenkgc::Context& context) {
  const auto model = greenkgc::Model::open(file);
  const auto answers =
      model.predict_tails(model.entity(head), model.relation(relation), {.top_k = 5}, context);
  std::printf("%s %s\n", head, relation);
  for (const greenkgc::Answer& answer : answers)
    std::printf("%6.3f  %s\n", answer.probability, std::string(model.label(answer.fact.tail)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: ask RUN HEAD RELATION\n");
    return 2;
  }
  std::signal(SIGINT, [](int) { stop_asked = true; });  // the library stops soon after, with kInterrupted
  Lines progress;
  const greenkgc::Context context{.progress = &progress, .cancel = &stop_asked};
  try {
    const std::string file = std::string(argv[1]) + "/model.gkgc";
    if (!std::filesystem::exists(file)) learn(argv[1], context);
    ask(file, argv[2], argv[3], context);
    return 0;
  } catch (const greenkgc::Error& error) {  // the library's only exception: one sentence, and a code
    std::fprintf(stderr, "ask: %s\n", error.what());
    return error.code() == greenkgc::ErrorCode::kInterrupted ? 130 : 2;
  }
}
