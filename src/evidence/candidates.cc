#include "evidence/candidates.h"

#include <algorithm>
#include <limits>

#include "evidence/families/families.h"

namespace greenkgc::evidence {
namespace {

bool reads(const ListOptions& options, const Family& family) {
  if (family.over_links && !options.links) return false;
  const auto& wanted = options.features;
  return wanted.empty() || std::ranges::find(wanted, family.features[0]) != wanted.end();
}

std::vector<const Family*> families_of(const ListOptions& options) {
  std::vector<const Family*> families;
  for (const Family& family : all_families()) {
    if (reads(options, family)) families.push_back(&family);
  }
  return families;
}

}  // namespace

struct EvidenceReader::Compared {
  std::size_t from;
  std::size_t to;
};

struct EvidenceReader::Part {
  std::unique_ptr<FamilyReader> reader;
  std::size_t first_column;
};

EvidenceReader::EvidenceReader(const Sources& sources, const ListOptions& options)
    : options_(options),
      view_(*sources.graph),
      listed_(sources.graph->entity_count()),
      first_best_(options.size) {
  for (const Family* family : families_of(options)) {
    parts_.push_back({family->make(sources), feature_count_});
    feature_count_ += family->features.size();
  }
  std::size_t first_column = 0;
  for (const Family* family : families_of(options)) {
    for (const std::string_view name : family->compared) {
      const auto place = std::ranges::find(family->features, name) - family->features.begin();
      compared_.push_back({first_column + static_cast<std::size_t>(place), feature_count_++});
    }
    first_column += family->features.size();
  }
  proposals_.resize(parts_.size() + 1);
}

EvidenceReader::~EvidenceReader() = default;

std::vector<std::string> EvidenceReader::feature_names(const ListOptions& options) {
  std::vector<std::string> names;
  for (const Family* family : families_of(options))
    names.insert(names.end(), family->features.begin(), family->features.end());
  for (const Family* family : families_of(options)) {
    for (const std::string_view name : family->compared) names.push_back(std::string(name) + "_compared");
  }
  return names;
}

void EvidenceReader::ask(const Query& query) {
  view_.set(query);
  for (auto& proposal : proposals_) proposal.clear();
  const std::size_t most = options_.size - std::min(options_.first_stage, options_.size);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].reader->ask(view_);
    parts_[p].reader->propose(most, proposals_[p]);
  }
}

const EvidenceReader::List& EvidenceReader::list(std::span<const float> first_scores, EntityId extra) {
  propose_best(first_scores);
  choose(extra);
  fill(first_scores);
  return list_;
}

void EvidenceReader::propose_best(std::span<const float> first_scores) {
  first_best_.clear();
  // Lower ids come first, so of equal scores those that are here already are better: the loop over all
  // entities needs to look at scores only.
  float least = -std::numeric_limits<float>::infinity();
  auto next_answer = view_.answers().begin();
  for (std::uint32_t e = 0; e < first_scores.size(); ++e) {
    if (next_answer != view_.answers().end() && *next_answer == EntityId{e}) {
      ++next_answer;
    } else if (first_scores[e] > least) {
      first_best_.add({EntityId{e}, first_scores[e]});
      if (const auto* worst = first_best_.threshold()) least = worst->score;
    }
  }
  append_best(first_best_, proposals_.back());
}

void EvidenceReader::choose(EntityId extra) {
  list_.entities.clear();
  listed_.clear();
  std::vector<std::size_t> next(proposals_.size(), 0);
  // Takes the next proposal that is new; whether there was one.
  const auto take = [&](std::size_t p) {
    while (next[p] < proposals_[p].size()) {
      const EntityId entity = proposals_[p][next[p]++];
      if (listed_.contains(index(entity))) continue;
      listed_[index(entity)] = 1;
      list_.entities.push_back(entity);
      return true;
    }
    return false;
  };
  while (list_.entities.size() < std::min(options_.first_stage, options_.size) &&
         take(proposals_.size() - 1)) {
  }
  for (bool more = true; more;) {
    more = false;
    for (std::size_t p = 0; p < proposals_.size() && list_.entities.size() < options_.size; ++p)
      more = take(p) || more;
  }
  if (extra != kNoEntity && !listed_.contains(index(extra))) list_.entities.push_back(extra);
}

void EvidenceReader::fill(std::span<const float> first_scores) {
  list_.first.clear();
  for (const EntityId entity : list_.entities) list_.first.push_back(first_scores[index(entity)]);
  list_.rows.assign(list_.entities.size() * feature_count_, 0.0F);
  const CandidateList candidates{list_.entities, list_.first};
  for (Part& part : parts_)
    part.reader->fill(candidates, {list_.rows.data() + part.first_column, feature_count_});
  for (const Compared& column : compared_) compare(column);
}

void EvidenceReader::compare(const Compared& column) {
  float largest = 0;
  for (std::size_t at = 0; at < list_.rows.size(); at += feature_count_)
    largest = std::max(largest, list_.rows[at + column.from]);
  if (largest == 0) return;
  for (std::size_t at = 0; at < list_.rows.size(); at += feature_count_)
    list_.rows[at + column.to] = list_.rows[at + column.from] / largest;
}

}  // namespace greenkgc::evidence
