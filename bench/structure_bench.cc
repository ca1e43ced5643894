// structure_bench DATA [EMBEDDINGS] [QUESTIONS]: reads evidence from train for questions of valid (both
// sides), on one thread. Prints one line of JSON: what the graph and the rules cost, milliseconds of
// processor time per question (questions grouped by relation, and each alone), and how many answers are in
// their lists (recall), by the first stage alone and with all proposals. The first stage is the embedding's
// score and the count prior, or without an embedding the count prior alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "evidence/candidates.h"
#include "evidence/mine_rules.h"
#include "graph/io/dataset_reader.h"
#include "graph/known_facts.h"
#include "kge/embedding_file.h"
#include "measure.h"

using namespace greenkgc;
using namespace greenkgc::evidence;
using greenkgc::bench::cpu_seconds;
using greenkgc::bench::peak_megabytes;

namespace {

constexpr float kPrior = 0.25F;  // of log(1 + count in range)

struct Asked {
  Query query;
  EntityId answer;
};

template <class Work>
double cost_of(const Work& work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

class FirstStage {
 public:
  FirstStage(const EvidenceGraph& graph, std::optional<kge::Embeddings> embeddings)
      : graph_(graph), embeddings_(std::move(embeddings)) {}

  const std::vector<float>& scores(const Query& query) {
    scores_.assign(graph_.entity_count(), 0.0F);
    if (embeddings_) add_embedding(query);
    for (const Slot slot : graph_.slots_of(inverse(direction_of(query))))
      scores_[index(graph_.owner(slot))] += kPrior * std::log1p(static_cast<float>(graph_.size(slot)));
    return scores_;
  }

 private:
  void add_embedding(const Query& query) {
    std::vector<float> q(embeddings_->entity_width());
    embeddings_->query<float>(query.known, query.relation, query.side, q);
    for (std::uint32_t e = 0; e < scores_.size(); ++e) {
      const auto row = embeddings_->entity(EntityId{e});
      float dot = 0;
      float squares = 0;
      for (std::size_t i = 0; i < q.size(); ++i) {
        dot += q[i] * row[i];
        squares += (q[i] - row[i]) * (q[i] - row[i]);
      }
      scores_[e] = embeddings_->similarity == kge::Similarity::kDot ? dot : -std::sqrt(squares);
    }
  }

  const EvidenceGraph& graph_;
  std::optional<kge::Embeddings> embeddings_;
  std::vector<float> scores_;
};

std::vector<Asked> questions_of(std::vector<Triple> facts, std::size_t most) {
  const CounterRandom random(1, 1);
  for (std::size_t i = 0; i < facts.size(); ++i)
    std::swap(facts[i], facts[i + random.below(facts.size() - i, i)]);
  std::vector<Asked> asked;
  for (const Triple& fact : facts) {
    if (asked.size() >= most) break;
    asked.push_back({{fact.head, fact.relation, Side::kTail}, fact.tail});
    asked.push_back({{fact.tail, fact.relation, Side::kHead}, fact.head});
  }
  return asked;
}

struct Read {
  double milliseconds = 0;
  double recall = 0;
};

Read read_all(const Sources& sources, const ListOptions& options, const std::vector<Asked>& asked,
              FirstStage& first_stage) {
  EvidenceReader reader(sources, options);
  Read read;
  for (const Asked& a : asked) {
    const auto& scores = first_stage.scores(a.query);
    const EvidenceReader::List* list = nullptr;
    read.milliseconds += 1e3 * cost_of([&] { list = &reader.read(a.query, scores); });
    read.recall += std::ranges::count(list->entities, a.answer) > 0 ? 1 : 0;
  }
  const auto n = static_cast<double>(std::max<std::size_t>(1, asked.size()));
  return {read.milliseconds / n, read.recall / n};
}

int run(const std::vector<std::string>& arguments) {
  Context context;
  context.threads = 1;
  const auto dataset = graph::read_dataset(arguments.at(0), {}, context);
  std::optional<kge::Embeddings> embeddings;
  if (arguments.size() > 1)
    embeddings = kge::arranged(kge::read_embeddings(arguments[1]), dataset->entities, dataset->relations);
  const std::vector<std::span<const Triple>> parts = {(*dataset)[Split::kTrain].triples};
  const auto entities = static_cast<std::uint32_t>(dataset->entities.size());
  const auto relations = static_cast<std::uint32_t>(dataset->relations.size());
  const graph::KnownFacts facts(parts, entities, context);

  std::optional<EvidenceGraph> graph;
  const double graph_seconds = cost_of([&] { graph.emplace(facts, entities, relations, context); });
  RuleSet rules;
  const double mining_seconds = cost_of([&] { rules = mine_rules(*graph, {}, context); });

  const std::size_t most = arguments.size() > 2 ? std::stoul(arguments[2]) : 2000;
  std::vector<Asked> asked = questions_of((*dataset)[Split::kValid].triples, most);
  FirstStage first_stage(*graph, std::move(embeddings));
  const Sources sources{.graph = &*graph, .rules = &rules};
  ListOptions options;
  const Read alone = read_all(sources, options, asked, first_stage);
  std::ranges::stable_sort(asked, {}, [](const Asked& a) { return direction_of(a.query); });
  const Read grouped = read_all(sources, options, asked, first_stage);
  options.first_stage = options.size;
  const Read first_only = read_all(sources, options, asked, first_stage);
  fmt::print(
      "{{\"facts\":{},\"bytes_per_fact\":{:.1f},\"graph_seconds\":{:.3f},\"rules\":{},\"mining_seconds\":{:."
      "2f},"
      "\"questions\":{},\"ms_grouped\":{:.3f},\"ms_alone\":{:.3f},\"recall\":{:.4f},\"recall_first_stage\":{:"
      ".4f},"
      "\"peak_mb\":{:.0f}}}\n",
      facts.size(), static_cast<double>(graph->bytes()) / static_cast<double>(facts.size()), graph_seconds,
      rules.all().size(), mining_seconds, asked.size(), grouped.milliseconds, alone.milliseconds,
      grouped.recall, first_only.recall, peak_megabytes());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "structure_bench DATA [EMBEDDINGS] [QUESTIONS]\n");
    return 2;
  }
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
