#include "greenkgc/embed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/files/event_log.h"
#include "base/files/step.h"
#include "base/progress.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "graph/identity.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "kge/embedding_file.h"
#include "kge/train/checkpoint.h"
#include "kge/train/trainer.h"
#include "train/validation.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

constexpr auto kCheckpointEvery = std::chrono::seconds(30);

class EmbedStage {
 public:
  EmbedStage(const graph::Dataset& data, const EmbedOptions& options, const EmbedRun& run,
             const Context& context)
      : data_(data),
        options_(options),
        run_(run),
        context_(context),
        checkpoint_(run.out.string() + ".checkpoint"),
        log_(run.out.parent_path() / "log.jsonl"),
        identity_{{"options", options_as_toml(&options, option_specs<EmbedOptions>())},
                  {"seed", std::to_string(context.seed)},
                  {"data", graph::data_hash(data)}},
        known_(std::array<std::span<const Triple>, 1>{data[Split::kTrain].triples}, data.entities.size(),
               context),
        validation_(data, static_cast<std::uint64_t>(options.valid_sample), context),
        trainer_(data[Split::kTrain].triples, known_, options_,
                 kge::initial_embeddings(options_, data.entities.size(), data.relations.size(), context.seed),
                 context.seed) {}

  EmbedResult train() {
    start();
    const std::uint64_t queries = 2 * data_[Split::kTrain].triples.size();
    const auto epochs = static_cast<std::uint64_t>(options_.epochs);
    {
      ProgressTask task(context_, fmt::format("embedding, {} {}", options_.model, options_.dims),
                        (epochs - progress_.epochs) * queries, "queries");
      while (progress_.epochs < epochs && !result_.stopped_early) {
        result_.loss =
            trainer_.run_epoch(progress_.epochs, context_, [&](std::uint64_t n) { task.advance(n); }).loss;
        ++progress_.epochs;
        after_epoch();
      }
    }
    finish();
    return result_;
  }

 private:
  void start() {
    if (fs::is_directory(run_.out))
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} is a folder, but the output must be a file", run_.out.string()));
    if (run_.resume && fs::exists(checkpoint_)) {
      progress_ = kge::read_checkpoint(checkpoint_, trainer_.embeddings(), trainer_.state(), identity_);
      result_.resumed_epochs = progress_.epochs;
      context_.say(LogLevel::kInfo, fmt::format("resuming after epoch {} of {} ({})", progress_.epochs,
                                                options_.epochs, checkpoint_.string()));
    } else if (run_.resume) {
      context_.say(LogLevel::kInfo,
                   fmt::format("no checkpoint at {}; starting from scratch", checkpoint_.string()));
    }
    log_.add("embed.start", {{"model", options_.model},
                             {"dims", options_.dims},
                             {"epochs", options_.epochs},
                             {"resumed_epochs", progress_.epochs},
                             {"seed", context_.seed},
                             {"threads", context_.thread_count()}});
  }

  bool validates_now() const {
    const bool due = progress_.epochs % static_cast<std::uint64_t>(options_.valid_every) == 0;
    return validation_.possible() && (due || progress_.epochs == static_cast<std::uint64_t>(options_.epochs));
  }

  void after_epoch() {
    nlohmann::ordered_json event = {
        {"epoch", progress_.epochs}, {"loss", result_.loss}, {"seconds", seconds_since(began_)}};
    if (validates_now()) event["valid_mrr"] = validate();
    log_.add("embed.epoch", event);
    if (validates_now() || Clock::now() - saved_ > kCheckpointEvery) save();
  }

  double validate() {
    const double mrr = validation_.mrr(trainer_.embeddings(), context_);
    const bool better = mrr > progress_.best_mrr;
    context_.say(LogLevel::kInfo,
                 fmt::format("epoch {}: loss {:.4f}, valid MRR {:.4f}{}", progress_.epochs, result_.loss, mrr,
                             better ? "" : fmt::format(" (best {:.4f})", progress_.best_mrr)));
    if (better) {
      progress_.best_mrr = mrr;
      progress_.best_epoch = progress_.epochs;
      progress_.stale = 0;
      write();
    } else {
      ++progress_.stale;
      result_.stopped_early =
          options_.patience > 0 && progress_.stale >= static_cast<std::uint64_t>(options_.patience);
    }
    return mrr;
  }

  void save() {
    kge::write_checkpoint(checkpoint_, trainer_.embeddings(), trainer_.state(), progress_, identity_);
    saved_ = Clock::now();
  }

  void write() {
    check_not_diverged(trainer_.embeddings());
    auto provenance = identity_;
    provenance["epoch"] = std::to_string(progress_.epochs);
    if (!run_.recipe.empty()) provenance["recipe"] = run_.recipe;
    kge::write_embeddings(run_.out, trainer_.embeddings(), data_.entities, data_.relations, provenance);
  }

  void finish() {
    if (progress_.best_epoch == 0) {  // no validation: the last is the best there is
      write();
      progress_.best_epoch = progress_.epochs;
    }
    std::error_code ignored;
    fs::remove(checkpoint_, ignored);
    result_.epochs = progress_.epochs;
    result_.best_epoch = progress_.best_epoch;
    result_.best_mrr = progress_.best_mrr;
    result_.seconds = seconds_since(began_);
    result_.bytes = fs::file_size(run_.out);
    log_.add("embed.done", {{"epochs", result_.epochs},
                            {"best_epoch", result_.best_epoch},
                            {"best_valid_mrr", result_.best_mrr},
                            {"seconds", result_.seconds},
                            {"bytes", result_.bytes}});
  }

  const graph::Dataset& data_;
  const EmbedOptions options_;
  const EmbedRun& run_;
  const Context& context_;
  const fs::path checkpoint_;
  const EventLog log_;
  const kge::Identity identity_;
  const graph::KnownFacts known_;
  const Validation validation_;
  kge::Trainer trainer_;
  kge::Progress progress_;
  EmbedResult result_;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point saved_ = began_;
};

}  // namespace

void EmbedOptions::validate() const {
  if (loss == "softmax" && subsampling) {
    throw Error(ErrorCode::kUsage,
                "--subsampling needs --loss self-adversarial; use --subsampling=false with softmax");
  }
}

EmbedResult train_embedding(const Dataset& dataset, const EmbedOptions& options, const EmbedRun& run,
                            const Context& context) {
  options.validate();
  if (dataset.triples(Split::kTrain).empty())
    throw Error(ErrorCode::kBadInput, "there are no training facts");
  return EmbedStage(dataset.impl(), options, run, context).train();
}

}  // namespace greenkgc
