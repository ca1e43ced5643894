#include "train/rerank/label_lists.h"

#include <algorithm>

#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "rank/candidate_counts.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kQuestionStream = 0x72657201;
constexpr std::uint32_t kCutStream = 0x72657202;
constexpr std::size_t kCutQuestions = 1000;
constexpr std::size_t kQuestionsAtOnce = 1024;

using graph::Query;

// So many of them, in their order.
std::vector<Query> sample(std::vector<Query> all, std::uint64_t most, std::uint32_t stream,
                          const Context& context) {
  if (most == 0 || all.size() <= most) return all;
  const Permutation order(all.size(), CounterRandom(context.seed, stream), 0);
  std::vector<Query> chosen;
  for (std::uint64_t i = 0; i < most; ++i) chosen.push_back(all[order(i)]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::span<const EntityId> answers_of(const Query& question, const graph::KnownFacts& labels) {
  return rank::known_answers(labels, question);
}

}  // namespace

std::vector<Query> label_questions(std::span<const Triple> labels, const rank::EvidenceLists& lists,
                                   std::uint64_t most, const Context& context) {
  std::vector<Query> all;
  for (const Triple& fact : labels) {
    all.push_back(lists.query_for(rank::tail_query(fact)));
    all.push_back(lists.query_for(rank::head_query(fact)));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return sample(std::move(all), most, kQuestionStream, context);
}

LabelledLists read_label_lists(const rank::EvidenceLists& source, std::span<const Query> questions,
                               const graph::KnownFacts& labels, const trees::FeatureCuts& cuts,
                               const Context& context) {
  LabelledLists result;
  ProgressTask progress(context, "reading evidence", questions.size(), "questions");
  for (std::size_t begin = 0; begin < questions.size(); begin += kQuestionsAtOnce) {
    const auto block = questions.subspan(begin, std::min(kQuestionsAtOnce, questions.size() - begin));
    std::vector<trees::Lists> parts(block.size());
    source.read(
        block,
        [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
          const auto answers = answers_of(block[i], labels);
          std::vector<std::uint8_t> is_answer;
          for (const EntityId entity : list.entities)
            is_answer.push_back(std::binary_search(answers.begin(), answers.end(), entity) ? 1 : 0);
          parts[i].add(cuts, list.rows, is_answer, list.first);
        },
        context);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      // Of answers that are evidence, only the one that is left out can be listed.
      result.answers += block[i].left_out != kNoEntity ? 1 : answers_of(block[i], labels).size();
      result.listed +=
          static_cast<std::uint64_t>(std::count(parts[i].labels.begin(), parts[i].labels.end(), 1));
      result.lists.append(parts[i]);
    }
    progress.advance(block.size());
  }
  return result;
}

trees::FeatureCuts label_cuts(const rank::EvidenceLists& source, std::span<const Query> questions,
                              std::size_t features, std::size_t most_bins, const Context& context) {
  const auto some = sample({questions.begin(), questions.end()}, kCutQuestions, kCutStream, context);
  std::vector<std::vector<float>> parts(some.size());
  source.read(
      some,
      [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
        parts[i] = list.rows;
      },
      context);
  std::vector<float> rows;
  for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
  return trees::cuts_of_rows(rows, features, most_bins, context);
}

}  // namespace greenkgc
