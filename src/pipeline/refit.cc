#include "pipeline/refit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/text.h"
#include "embed/trainer.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "rank/feature_ranks.h"
#include "rank/metrics.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kSampleStream = 0x72656669;
constexpr std::uint64_t kSampledFacts = 2000;

// The value of a line `name = value` of TOML, as options_as_toml() writes it for a number, a truth value or a
// word.
std::string_view unquoted(std::string_view value) {
  return value.size() >= 2 && value.front() == '"' && value.back() == '"' ? value.substr(1, value.size() - 2)
                                                                          : value;
}

// As the embedding was trained, as far as its file says.
EmbedOptions recorded_options(const std::map<std::string, std::string>& provenance) {
  EmbedOptions options;
  const auto recorded = provenance.find("options");
  if (recorded == provenance.end()) return options;
  std::string_view text = recorded->second;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    for (const OptionSpec& spec : option_specs<EmbedOptions>()) {
      if (spec.name == line.substr(0, equals))
        set_option_text(&options, spec, unquoted(line.substr(equals + 3)),
                        fmt::format("the embedding's recorded option {}", spec.name));
    }
  }
  return options;
}

double valid_mrr(const model::Features& features, const graph::Dataset& data, const Context& context) {
  const auto& valid = data[Split::kValid].triples;
  if (valid.empty()) return -1;
  const graph::KnownFacts known(std::array<std::span<const Triple>, 2>{data[Split::kTrain].triples, valid},
                                data.entities.size(), context);
  std::vector<rank::RankQuery> queries;
  const Permutation order(valid.size(), CounterRandom(context.seed, kSampleStream), 0);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(valid.size(), kSampledFacts); ++i) {
    const Triple& fact = valid[order(i)];
    queries.push_back({fact.head, fact.relation, fact.tail, rank::Side::kTail});
    queries.push_back({fact.tail, fact.relation, fact.head, rank::Side::kHead});
  }
  rank::MetricSum sum;
  for (const rank::Ranks& ranks : rank_answers(features, queries, {.known = &known}, context))
    sum.add(ranks.all);
  return sum.mean().realistic.mrr;
}

}  // namespace

RefitResult refit_features(model::Features& features, const graph::Dataset& data,
                           const graph::KnownFacts& known, const RefitPlan& plan, const Context& context) {
  EmbedOptions options = recorded_options(plan.provenance);
  options.model = features.pruned.kge->name();
  options.dims = static_cast<std::int64_t>(features.pruned.dims);
  options.epochs = static_cast<std::int64_t>(plan.epochs);
  options.rate = plan.rate;
  RefitResult result;
  result.mrr_before = valid_mrr(features, data, context);
  const auto& facts = data[Split::kTrain].triples;
  embed::Trainer trainer(facts, known, options, features.pruned, context.seed);
  {
    ProgressTask task(context, "training the pruned vectors", 2 * facts.size() * plan.epochs, "queries");
    for (std::uint64_t epoch = 0; epoch < plan.epochs; ++epoch)
      trainer.run_epoch(epoch, context, [&](std::uint64_t n) { task.advance(n); });
  }
  features.pruned = trainer.embeddings();
  result.mrr_after = valid_mrr(features, data, context);
  return result;
}

}  // namespace greenkgc
