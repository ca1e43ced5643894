#include "rank/rankers/evidence_lists.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kMarginsAtOnce = std::size_t{1} << 24;  // 64 MB
constexpr std::size_t kMostAtOnce = 1024;                     // queries
constexpr std::size_t kQueriesPerPiece = 8;

}  // namespace

EvidenceLists::EvidenceLists(const model::Decisions& decisions, const evidence::Sources& sources,
                             const evidence::ListOptions& options)
    : decisions_(decisions), near_(decisions.tables.entities), sources_(sources), options_(options) {
  sources_.near = [this](EntityId entity, std::vector<evidence::NearEntity>& near) {
    near_.find(entity, near);
  };
}

EvidenceLists::~EvidenceLists() = default;

Query EvidenceLists::query_for(const RankQuery& query) const {
  const auto known = graph().members(query.known, evidence::towards(query.relation, query.side));
  const bool has_fact = std::binary_search(known.begin(), known.end(), query.answer);
  return {query.known, query.relation, query.side, has_fact ? query.answer : kNoEntity};
}

std::unique_ptr<evidence::EvidenceReader> EvidenceLists::take_reader() const {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<evidence::EvidenceReader>(sources_, options_);
  auto reader = std::move(idle_.back());
  idle_.pop_back();
  return reader;
}

void EvidenceLists::give_back(std::unique_ptr<evidence::EvidenceReader> reader) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(reader));
}

void EvidenceLists::read_lone(const Query& query, EntityId extra, const Take& take,
                              const Context& context) const {
  std::vector<float> margins(graph().entity_count());
  auto reader = take_reader();
  model::score_rows(decisions_, {&query, 1}, margins, context, [&] { reader->ask(query); });
  take(0, margins, reader->list(margins, extra));
  give_back(std::move(reader));
}

void EvidenceLists::read(std::span<const Query> queries, const Take& take, const Context& context,
                         std::span<const EntityId> extras) const {
  const auto extra = [&](std::size_t i) { return extras.empty() ? kNoEntity : extras[i]; };
  Context quiet = context;  // the caller's progress stays
  quiet.progress = nullptr;
  if (queries.size() == 1) return read_lone(queries[0], extra(0), take, quiet);
  const std::size_t entities = graph().entity_count();
  const std::size_t at_once =
      std::clamp<std::size_t>(kMarginsAtOnce / std::max<std::size_t>(1, entities), 1, kMostAtOnce);
  std::vector<float> rows(std::min(at_once, queries.size()) * entities);
  for (std::size_t begin = 0; begin < queries.size(); begin += at_once) {
    const auto block = queries.subspan(begin, std::min(at_once, queries.size() - begin));
    model::score_rows(decisions_, block, rows, quiet);
    parallel_for(quiet, block.size(), kQueriesPerPiece, [&](std::size_t first, std::size_t last) {
      auto reader = take_reader();
      for (std::size_t i = first; i < last; ++i) {
        const auto margins = std::span<const float>(rows).subspan(i * entities, entities);
        reader->ask(block[i]);
        take(begin + i, margins, reader->list(margins, extra(begin + i)));
      }
      give_back(std::move(reader));
    });
  }
}

}  // namespace greenkgc::rank
