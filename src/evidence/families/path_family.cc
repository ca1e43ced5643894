#include <algorithm>
#include <array>

#include "evidence/families/families.h"
#include "evidence/families/votes.h"
#include "evidence/path_walk.h"

namespace greenkgc::evidence {
namespace {

constexpr WalkLimits kLimits{.members = 64, .on_way = 64, .steps = 1000};
constexpr std::size_t kFeatures = 6;

// The candidates that paths of one length lead to, by the confidence of their rules: strongest, best three,
// any; the strongest by the confidence from the answers' side; how many rules; and their sum.
class PathVotes {
 public:
  PathVotes(const EvidenceGraph& graph, std::uint32_t length)
      : length_(length), walk_(graph, kLimits), votes_(graph.entity_count()) {}

  void ask(const QuestionView& view, const RuleSet* rules) {
    votes_.clear();
    if (rules == nullptr) return;
    walk_.begin(view.known(), view.relation(), view.query().left_out);
    for (const DirectedRule& rule : rules->of(view.relation(), length_)) follow(view, rule);
  }
  void add_scored(const QuestionView& view, BestEntities& best) const {
    for (const std::uint32_t c : votes_.touched()) {
      if (!view.is_answer(EntityId{c})) best.add({EntityId{c}, votes_.find(c)->sum});
    }
  }
  void fill(EntityId candidate, float* row) const {
    const Cell* found = votes_.find(index(candidate));
    const Cell cell = found == nullptr ? Cell() : *found;
    row[0] = cell.from_known.strongest();
    row[1] = cell.from_known.best_three();
    row[2] = cell.from_known.any();
    row[3] = cell.from_answer;
    row[4] = static_cast<float>(cell.from_known.count());
    row[5] = cell.sum;
  }

 private:
  struct Cell {
    Votes from_known;
    float from_answer = 0;
    float sum = 0;
  };

  void follow(const QuestionView& view, const DirectedRule& rule) {
    const auto ends = walk_.ends({rule.body.data(), length_});
    if (ends.empty()) return;
    const EntityId left_out = view.query().left_out;
    const bool explains_left_out =
        left_out != kNoEntity && std::ranges::find(ends, index(left_out)) != ends.end();
    const float vote = confidence(without(rule.from_known, explains_left_out));
    const float from_answer = confidence(without(rule.from_answer, explains_left_out));
    for (const std::uint32_t end : ends) {
      Cell& cell = votes_[end];
      cell.from_known.add(vote);
      cell.sum += vote;
      cell.from_answer = std::max(cell.from_answer, from_answer);
    }
  }
  // A rule may owe one of its facts to the one that is left out.
  static RuleCounts without(RuleCounts counts, bool explains_left_out) {
    if (explains_left_out && counts.facts > 0) --counts.facts;
    return counts;
  }

  std::uint32_t length_;
  PathWalk walk_;
  StampedArray<Cell> votes_;  // by candidate
};

class PathReader : public FamilyReader {
 public:
  explicit PathReader(const Sources& sources)
      : rules_(sources.rules), lengths_{PathVotes(*sources.graph, 2), PathVotes(*sources.graph, 3)} {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    for (PathVotes& votes : lengths_) votes.ask(view, rules_);
  }
  // By either length in turn.
  void propose(std::size_t most, std::vector<EntityId>& out) const override {
    std::array<std::vector<EntityId>, 2> best;
    for (std::size_t l = 0; l < 2; ++l) {
      BestEntities scored(most);
      lengths_[l].add_scored(*view_, scored);
      append_best(scored, best[l]);
    }
    const std::size_t end = out.size() + most;
    for (std::size_t i = 0; i < std::max(best[0].size(), best[1].size()); ++i) {
      for (const auto& entities : best) {
        if (i < entities.size() && out.size() < end) out.push_back(entities[i]);
      }
    }
  }
  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      lengths_[0].fill(candidates.entities[i], out.row(i));
      lengths_[1].fill(candidates.entities[i], out.row(i) + kFeatures);
    }
  }

 private:
  const RuleSet* rules_;
  const QuestionView* view_ = nullptr;
  std::array<PathVotes, 2> lengths_;
};

}  // namespace

Family path_family() {
  return {"path",
          {"path2_best", "path2_three", "path2_any", "path2_back", "path2_count", "path2_sum", "path3_best",
           "path3_three", "path3_any", "path3_back", "path3_count", "path3_sum"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<PathReader>(sources);
          },
          {"path2_any", "path3_any", "path2_sum", "path3_sum"}};
}

}  // namespace greenkgc::evidence
