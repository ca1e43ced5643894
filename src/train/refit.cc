#include "train/refit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/progress.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "kge/chosen_dims.h"
#include "kge/similarity.h"
#include "kge/train/trainer.h"
#include "train/run/settings.h"
#include "train/validation.h"

namespace greenkgc {
namespace {

// As the embedding was trained, as far as its file says.
EmbedOptions recorded_options(const kge::Provenance& provenance) {
  EmbedOptions options;
  const auto recorded = provenance.find("options");
  if (recorded != provenance.end())
    apply_record(recorded->second, options, "the embedding's recorded option");
  return options;
}

// A file must not make us allocate without bound.
void check_size(const EmbedOptions& options, const graph::Dataset& data) {
  constexpr std::uint64_t kMostScores = std::uint64_t{1} << 30;  // of a step: 4 GiB
  const std::uint64_t entities = data.entities.size();
  const auto negatives = static_cast<std::uint64_t>(options.negatives);
  const std::uint64_t scores = std::min<std::uint64_t>(static_cast<std::uint64_t>(options.batch),
                                                       2 * data[Split::kTrain].triples.size()) *
                               (negatives == 0 ? entities : std::min(negatives, entities));
  if (scores > kMostScores) {
    throw Error(ErrorCode::kBadInput, fmt::format("the embedding's recorded options, batch {} and negatives "
                                                  "{}, make {} scores per batch; refit supports at most {}",
                                                  options.batch, options.negatives, scores, kMostScores));
  }
}

EmbedOptions training_options(const RefitPlan& plan, const graph::Dataset& data) {
  EmbedOptions options = recorded_options(plan.provenance);
  check_size(options, data);
  options.epochs = static_cast<std::int64_t>(plan.epochs);
  options.rate = plan.rate;
  options.optimiser = "adagrad";  // one state per number: groups that share a row do not share its state
  options.validate();
  return options;
}

// What is trained together: the facts of all groups that keep the same dimensions.
struct Part {
  std::vector<std::uint32_t> dims;  // of the union, ascending
  std::vector<Triple> facts;
};

std::vector<Part> parts_of(const features::Features& features, std::span<const Triple> facts) {
  std::vector<Part> parts;
  std::vector<std::size_t> part_of;  // by group
  for (const features::Features::Group& group : features.groups) {
    std::vector<std::uint32_t> dims = group.kept;
    std::sort(dims.begin(), dims.end());
    const auto same =
        std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.dims == dims; });
    part_of.push_back(static_cast<std::size_t>(same - parts.begin()));
    if (same == parts.end()) parts.push_back({std::move(dims), {}});
  }
  for (const Triple& fact : facts)
    parts[part_of[features.group_of[index(fact.relation)]]].facts.push_back(fact);
  std::erase_if(parts, [](const Part& part) { return part.facts.empty(); });
  return parts;
}

void multiply(std::vector<float>& values, double factor) {
  for (float& x : values) x = static_cast<float>(factor * static_cast<double>(x));
}

// Fewer dimensions make shorter distances and smaller products than the margin and the temperature of the
// loss were chosen for. Stretched so that scores are about as large as before pruning; no rank changes
// but by range dimensions of rotations, whose queries keep their length.
// Without this the first epochs do nothing but stretch, and lose what pruning left.
void stretch(kge::Embeddings& pruned, double source_dims, double kept_dims) {
  const double factor = source_dims / kept_dims;
  const double scale = kge::is_manhattan(pruned.similarity) ? factor : std::sqrt(factor);
  multiply(pruned.entities, scale);
  const bool translates = pruned.similarity != kge::Similarity::kDot && !(pruned.kge->relation_range() > 0);
  if (translates) multiply(pruned.relations, scale);
  // In a product with a range dimension only the answer is longer.
  if (pruned.similarity == kge::Similarity::kDot) {
    for (std::size_t row = 0; row < pruned.relation_rows(); ++row) {
      for (std::size_t v = 0; v < pruned.kge->relation_variables(); ++v) {
        for (const std::uint32_t dim : pruned.range_dims)
          pruned.relations[row * pruned.relation_width() + v * pruned.dims + dim] *=
              static_cast<float>(scale);
      }
    }
  }
}

class Refit {
 public:
  Refit(features::Features& features, const graph::Dataset& data, const graph::KnownFacts& known,
        const RefitPlan& plan, const EventLog& log, const Context& context)
      : features_(features),
        facts_(data[Split::kTrain].triples),
        known_(known),
        log_(log),
        context_(context),
        options_(training_options(plan, data)),
        epochs_(plan.epochs),
        validation_(data, static_cast<std::uint64_t>(options_.valid_sample), context),
        parts_(parts_of(features, facts_)),
        state_(features.pruned) {
    std::fill(state_.entities.begin(), state_.entities.end(), 0.0F);
    std::fill(state_.relations.begin(), state_.relations.end(), 0.0F);
  }

  RefitResult run() {
    if (validation_.possible()) {
      result_.mrr_before = result_.mrr_after = validation_.mrr(features_, context_);
      best_ = features_.pruned;
    }
    stretch(features_.pruned, features_.source_dim_count, static_cast<double>(features_.keep_dims()));
    ProgressTask task(context_, "training the pruned vectors", 2 * facts_.size() * epochs_, "queries");
    for (std::uint64_t epoch = 0; epoch < epochs_; ++epoch) {
      double loss = 0;
      for (const Part& part : parts_) loss += train(part, epoch, task);
      after_epoch(epoch + 1, loss / static_cast<double>(2 * facts_.size()));
    }
    if (validation_.possible())
      features_.pruned = std::move(best_);
    else
      result_.best_epoch = epochs_;
    return result_;
  }

 private:
  // One epoch on a part's facts; returns the sum of their losses. A trainer is made for each, so that only
  // one part is in memory besides the union.
  double train(const Part& part, std::uint64_t epoch, ProgressTask& task) {
    kge::Trainer trainer(part.facts, known_, options_, kge::with_dims(features_.pruned, part.dims),
                         context_.seed);
    kge::Embeddings state = kge::with_dims(state_, part.dims);
    trainer.state() = {std::move(state.entities), std::move(state.relations)};
    const auto trained = trainer.run_epoch(epoch, context_, [&](std::uint64_t n) { task.advance(n); });
    state.entities = std::move(trainer.state().entities);
    state.relations = std::move(trainer.state().relations);
    kge::put_dims(state, part.dims, state_);
    kge::put_dims(trainer.embeddings(), part.dims, features_.pruned);
    return trained.loss * static_cast<double>(trained.queries);
  }

  void after_epoch(std::uint64_t epoch, double loss) {
    check_not_diverged(features_.pruned);
    nlohmann::ordered_json event = {{"epoch", epoch}, {"loss", loss}};
    const bool due = epoch % static_cast<std::uint64_t>(options_.valid_every) == 0 || epoch == epochs_;
    if (validation_.possible() && due) {
      const double mrr = validation_.mrr(features_, context_);
      context_.say(LogLevel::kInfo, fmt::format("epoch {}: loss {:.4f}, valid MRR {:.4f}", epoch, loss, mrr));
      event["valid_mrr"] = mrr;
      if (mrr > result_.mrr_after) {
        result_.mrr_after = mrr;
        result_.best_epoch = epoch;
        best_ = features_.pruned;
      }
    }
    log_.add("prune.refit", event);
  }

  features::Features& features_;
  const std::span<const Triple> facts_;
  const graph::KnownFacts& known_;
  const EventLog& log_;
  const Context& context_;
  const EmbedOptions options_;
  const std::uint64_t epochs_;
  const Validation validation_;
  const std::vector<Part> parts_;
  kge::Embeddings state_;  // of the optimizer, number by number as in features_.pruned
  kge::Embeddings best_;
  RefitResult result_;
};

}  // namespace

RefitResult refit_features(features::Features& features, const graph::Dataset& data,
                           const graph::KnownFacts& known, const RefitPlan& plan, const EventLog& log,
                           const Context& context) {
  return Refit(features, data, known, plan, log, context).run();
}

}  // namespace greenkgc
