#include "train/rerank/candidate_pairs.h"

#include <algorithm>

#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "rank/candidate_counts.h"

namespace greenkgc {
namespace {

using features::CandidatePairs;
using graph::Query;
using List = evidence::EvidenceReader::List;

constexpr std::size_t kMaxPairQuestions = 4000;
constexpr std::size_t kMostOfRelation = 50;
constexpr std::size_t kMostPairs = 16;  // of a question
constexpr std::uint32_t kPairQuestionStream = 0x72657204;
constexpr std::uint32_t kAnswerStream = 0x72657205;
constexpr std::uint32_t kFalseStream = 0x72657206;

// So many of them, drawn at `counter`.
template <class Item>
std::vector<Item> drawn(std::span<const Item> items, std::size_t most, const CounterRandom& random,
                        std::uint64_t counter) {
  if (items.size() <= most) return {items.begin(), items.end()};
  const Permutation order(items.size(), random, counter);
  std::vector<Item> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(items[order(i)]);
  return some;
}

std::vector<std::span<const Query>> by_relation(std::span<const Query> questions) {
  std::vector<std::span<const Query>> parts;
  while (!questions.empty()) {
    const RelationId relation = questions.front().relation;
    const auto end = std::find_if(questions.begin(), questions.end(),
                                  [&](const Query& q) { return q.relation != relation; });
    const auto size = static_cast<std::size_t>(end - questions.begin());
    parts.push_back(questions.first(size));
    questions = questions.subspan(size);
  }
  return parts;
}

std::vector<Query> sample_questions(std::span<const Query> questions, const Context& context) {
  auto parts = by_relation(questions);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  const CounterRandom random(context.seed, kPairQuestionStream);
  std::vector<Query> chosen;
  for (const auto& part : parts) {
    const std::size_t most = std::min(kMostOfRelation, kMaxPairQuestions - chosen.size());
    const auto some = drawn(part, most, random, index(part.front().relation));
    chosen.insert(chosen.end(), some.begin(), some.end());
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

struct QuestionPairs {
  CandidatePairs pairs;
  PairCounts counts;
};

class QuestionReader {
 public:
  QuestionReader(const LabelQuestions& labels, std::size_t features, const Context& context)
      : labels_(labels),
        features_(features),
        answer_random_(context.seed, kAnswerStream),
        false_random_(context.seed, kFalseStream) {}

  // Of the i-th question; none if its list has no answer or nothing else.
  QuestionPairs pairs(std::size_t i, const List& list) const {
    const Query& query = labels_.questions[i];
    const auto known = rank::known_answers(labels_.answers, query);
    std::vector<std::size_t> answers;  // places in the list
    std::vector<std::size_t> others;
    for (std::size_t place = 0; place < list.entities.size(); ++place) {
      const bool is_answer = std::binary_search(known.begin(), known.end(), list.entities[place]);
      (is_answer ? answers : others).push_back(place);
    }
    QuestionPairs result;
    if (answers.empty() || others.empty()) return result;
    answers = drawn<std::size_t>(answers, kMostPairs, answer_random_, i);
    others = drawn<std::size_t>(others, kMostPairs, false_random_, i);
    for (std::size_t k = 0; k < std::max(answers.size(), others.size()); ++k) {
      add_row(query, list, answers[k % answers.size()], result.pairs);
      add_row(query, list, others[k % others.size()], result.pairs);
    }
    result.counts = {1, answers.size(), others.size()};
    return result;
  }

 private:
  void add_row(const Query& query, const List& list, std::size_t place, CandidatePairs& pairs) const {
    const EntityId entity = list.entities[place];
    pairs.facts.push_back(query.fact(entity));
    const auto row = std::span<const float>(list.rows).subspan(place * features_, features_);
    pairs.evidence.insert(pairs.evidence.end(), row.begin(), row.end());
  }

  const LabelQuestions& labels_;
  const std::size_t features_;
  const CounterRandom answer_random_;
  const CounterRandom false_random_;
};

void append(const QuestionPairs& question, RelationId relation, SampledPairs& all) {
  if (question.pairs.size() == 0) return;
  if (all.relations.empty() || all.relations.back().relation != relation)
    all.relations.push_back({relation, {all.pairs.size(), all.pairs.size()}, {}});
  auto& [facts, features, evidence] = all.pairs;
  facts.insert(facts.end(), question.pairs.facts.begin(), question.pairs.facts.end());
  evidence.insert(evidence.end(), question.pairs.evidence.begin(), question.pairs.evidence.end());
  SampledPairs::Relation& last = all.relations.back();
  last.range.end = all.pairs.size();
  last.counts.questions += question.counts.questions;
  last.counts.answers += question.counts.answers;
  last.counts.false_candidates += question.counts.false_candidates;
}

}  // namespace

SampledPairs sample_pairs(const rank::EvidenceLists& source, const LabelQuestions& labels,
                          std::size_t features, const Context& context) {
  const std::vector<Query> questions = sample_questions(labels.questions, context);
  const LabelQuestions sampled{questions, labels.answers};
  const QuestionReader reader(sampled, features, context);
  std::vector<QuestionPairs> parts(questions.size());
  ProgressTask progress(context, "reading candidates", questions.size(), "questions");
  source.read(
      questions,
      [&](std::size_t i, std::span<const float>, const List& list) {
        parts[i] = reader.pairs(i, list);
        progress.advance(1);
      },
      context);
  SampledPairs all;
  all.pairs.features = features;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    append(parts[i], questions[i].relation, all);
    parts[i] = {};
  }
  return all;
}

}  // namespace greenkgc
