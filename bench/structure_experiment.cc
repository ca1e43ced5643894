// structure_experiment DATA EMBEDDINGS OUT [split=valid] [sample=0] [links=1] [near=1] [size=200]: the lists of candidates of
// a split's questions and their features, for experiments. Writes OUT.npy (one row per candidate), OUT.rows.npy (0: false,
// 1: the answer, 2: another answer of train or valid, 3: of test, which labels must not see), OUT.lists.npy (per question: candidates, first-stage candidates outside
// the list that beat the answer, side, relation) and OUT.names; prints one line of JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "base/random.h"
#include "graph/dataset_reader.h"
#include "graph/known_facts.h"
#include "kernels/gemm.h"
#include "measure.h"
#include "model/embedding_file.h"
#include "model/npy.h"
#include "structure/candidates.h"
#include "structure/mine_rules.h"

using namespace greenkgc;
using namespace greenkgc::structure;
using greenkgc::bench::cpu_seconds;

namespace {

constexpr std::size_t kBlock = 64;

struct Asked {
  Question question;
  RelationId relation;
  model::Side side;
  EntityId answer;
};

class Scorer {
 public:
  explicit Scorer(model::Embeddings embeddings) : e_(std::move(embeddings)) {
    norms_.resize(e_.entity_count);
    for (std::uint32_t i = 0; i < e_.entity_count; ++i)
      for (const float v : e_.entity(EntityId{i})) norms_[i] += v * v;
  }
  void block(std::span<const Asked> asked, std::vector<float>& scores) const {
    const std::size_t width = e_.entity_width();
    std::vector<float> q(asked.size() * width);
    for (std::size_t i = 0; i < asked.size(); ++i)
      e_.query<float>(asked[i].question.known, asked[i].relation, asked[i].side, {q.data() + i * width, width});
    product(q, asked.size(), scores);
    if (e_.similarity == model::Similarity::kDot) return;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const float own = std::inner_product(q.begin() + i * width, q.begin() + (i + 1) * width, q.begin() + i * width, 0.0F);
      for (std::size_t c = 0; c < e_.entity_count; ++c) {
        float& s = scores[i * e_.entity_count + c];
        s = -std::sqrt(std::max(0.0F, own + norms_[c] - 2 * s));
      }
    }
  }
  // Cosines of entities.
  void near(std::span<const EntityId> entities, std::size_t most, std::map<EntityId, std::vector<NearEntity>>& out) const {
    const std::size_t width = e_.entity_width();
    std::vector<float> q;
    for (const EntityId e : entities) q.insert(q.end(), e_.entity(e).begin(), e_.entity(e).end());
    std::vector<float> dots;
    product(q, entities.size(), dots);
    (void)width;
    std::vector<NearEntity> all(e_.entity_count);
    for (std::size_t i = 0; i < entities.size(); ++i) {
      for (std::uint32_t c = 0; c < e_.entity_count; ++c)
        all[c] = {EntityId{c}, dots[i * e_.entity_count + c] / std::sqrt(norms_[c] * norms_[index(entities[i])] + 1e-20F)};
      all[index(entities[i])].weight = -2;
      std::partial_sort(all.begin(), all.begin() + most, all.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
      auto& list = out[entities[i]];
      for (std::size_t k = 0; k < most && all[k].weight > 0.05F; ++k) list.push_back(all[k]);
    }
  }
  std::uint32_t entity_count() const { return e_.entity_count; }

 private:
  void product(const std::vector<float>& q, std::size_t rows, std::vector<float>& out) const {
    const std::size_t width = e_.entity_width();
    out.resize(rows * e_.entity_count);
    gemm({q.data(), rows, width, width}, {e_.entities.data(), e_.entity_count, width, width},
         {out.data(), rows, e_.entity_count, e_.entity_count}, {.transpose_b = Transpose::kYes});
  }
  model::Embeddings e_;
  std::vector<float> norms_;
};

struct Npy {  // grows row by row
  Npy(const std::string& p, std::size_t c) : path(p), cols(c), raw(p + ".raw", std::ios::binary) {}
  void add(std::span<const float> v) { raw.write(reinterpret_cast<const char*>(v.data()), v.size() * 4); n += v.size() / cols; }
  ~Npy() {
    raw.close();
    std::ofstream out(path, std::ios::binary);
    std::string head = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", n, cols);
    head.resize((head.size() + 11 + 63) / 64 * 64 - 11, ' ');
    head += '\n';
    const std::uint16_t len = head.size();
    out.write("\x93NUMPY\x01\x00", 8).write(reinterpret_cast<const char*>(&len), 2) << head;
    std::ifstream in(path + ".raw", std::ios::binary);
    if (n) out << in.rdbuf();
    std::remove((path + ".raw").c_str());
  }
  std::string path; std::size_t cols; std::ofstream raw; std::size_t n = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argv[1], emb = argv[2], out = argv[3];
  std::map<std::string, std::string> o{{"split", "valid"}, {"sample", "0"}, {"links", "1"}, {"near", "1"}, {"size", "200"},
                                       {"first", "140"}, {"rules", "50"}, {"prior", "0.25"}};
  for (int i = 4; i < argc; ++i) { std::string a = argv[i]; o[a.substr(0, a.find('='))] = a.substr(a.find('=') + 1); }
  Context context; context.threads = 1;
  auto d = graph::read_dataset(data, {}, context);
  const bool test = o["split"] == "test";
  const auto& train = (*d)[Split::kTrain].triples;
  const auto& valid = (*d)[Split::kValid].triples;
  const auto& testt = (*d)[Split::kTest].triples;
  const std::uint32_t E = d->entities.size(), R = d->relations.size();
  const graph::KnownFacts facts(std::vector<std::span<const Triple>>{train}, E, context);
  const graph::KnownFacts filter(std::vector<std::span<const Triple>>{train, valid, testt}, E, context);
  const graph::KnownFacts seen(std::vector<std::span<const Triple>>{train, valid}, E, context);

  double t0 = cpu_seconds();
  const EvidenceGraph graph(facts, E, R, context);
  const double graph_s = (cpu_seconds() - t0);
  t0 = cpu_seconds();
  MiningOptions mining; mining.rules = std::stoul(o["rules"]);
  const RuleSet rules = mine_rules(graph, mining, context);
  const double mine_s = (cpu_seconds() - t0);

  // Embedding rows of entities that it does not know (held-out folders keep all in train, test may not).
  auto named = model::read_embeddings(emb);
  const Scorer scorer(model::arranged(std::move(named), d->entities, d->relations));

  std::vector<Asked> asked;
  std::vector<Triple> triples = test ? testt : o["split"] == "train" ? train : valid;
  const CounterRandom random(42, 77);
  const std::size_t sample = std::stoul(o["sample"]);
  if (sample && sample < triples.size()) {
    for (std::size_t i = 0; i < sample; ++i) std::swap(triples[i], triples[i + random.below(triples.size() - i, i)]);
    triples.resize(sample);
  }
  for (const Triple& t : triples)
    for (const auto side : {model::Side::kTail, model::Side::kHead}) {
      const bool tail = side == model::Side::kTail;
      const EntityId known = tail ? t.head : t.tail, answer = tail ? t.tail : t.head;
      const Question q{known, towards(t.relation, side), o["split"] == "train" ? answer : kNoEntity};
      asked.push_back({q, t.relation, side, answer});
    }
  std::stable_sort(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) { return a.question.relation < b.question.relation; });

  std::map<EntityId, std::vector<NearEntity>> near;
  Sources sources{&graph, &rules, {}};
  t0 = cpu_seconds();
  if (o["near"] == "1") {
    std::vector<EntityId> known;
    for (const auto& a : asked) known.push_back(a.question.known);
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (std::size_t b = 0; b < known.size(); b += kBlock)
      scorer.near(std::span(known).subspan(b, std::min(kBlock, known.size() - b)), 50, near);
    sources.near = [&](EntityId e) { return std::span<const NearEntity>(near.at(e)); };
  }
  const double near_s = (cpu_seconds() - t0);
  const auto seen_by_training = [&](const Asked& a, EntityId c) {
    const bool tail = a.side == model::Side::kTail;
    return seen.contains({tail ? a.question.known : c, a.relation, tail ? c : a.question.known});
  };
  ListOptions options; options.links = o["links"] == "1"; options.size = std::stoul(o["size"]); options.first_stage = std::stoul(o["first"]);
  EvidenceReader reader(sources, options);
  const auto names = EvidenceReader::feature_names(options);
  { std::ofstream f(out + ".names"); for (auto& n : names) f << n << "\n"; }
  double read_s = 0, mrr_first = 0, found = 0, reached = 0;
  const float prior = std::stof(o["prior"]);
  {
    Npy rows(out + ".npy", names.size()), labels(out + ".rows.npy", 1), lists(out + ".lists.npy", 6);
    std::vector<float> scores;
    std::vector<float> label;
    for (std::size_t b = 0; b < asked.size(); b += kBlock) {
      const auto block = std::span<const Asked>(asked).subspan(b, std::min(kBlock, asked.size() - b));
      scorer.block(block, scores);
      for (std::size_t i = 0; i < block.size(); ++i) {
        const Asked& a = block[i];
        std::span<float> first(scores.data() + i * E, E);
        // The count prior.
        for (const Slot s : graph.slots_of(inverse(a.question.relation)))
          first[index(graph.owner(s))] += prior * std::log1p(static_cast<float>(graph.size(s)) - (graph.owner(s) == a.question.left_out));
        t0 = cpu_seconds();
        const auto& list = reader.read(a.question, first);
        read_s += (cpu_seconds() - t0);
        const auto trues = a.side == model::Side::kTail ? filter.tails(a.question.known, a.relation) : filter.heads(a.relation, a.question.known);
        label.assign(list.entities.size(), 0);
        std::vector<char> in_list(E, 0);
        bool has = false;
        for (std::size_t k = 0; k < list.entities.size(); ++k) {
          in_list[index(list.entities[k])] = 1;
          if (list.entities[k] == a.answer) { label[k] = 1; has = true; }
          else if (std::binary_search(trues.begin(), trues.end(), list.entities[k])) label[k] = seen_by_training(a, list.entities[k]) ? 2 : 3;
        }
        float outside = 0, better = 0;
        const float own = first[index(a.answer)];
        for (std::uint32_t c = 0; c < E; ++c) {
          if (first[c] <= own || std::binary_search(trues.begin(), trues.end(), EntityId{c})) continue;
          ++better;
          if (!in_list[c]) ++outside;
        }
        mrr_first += 1 / (1 + better);
        found += has;
        reached += list.entities.size();
        rows.add(list.rows);
        labels.add(label);
        const float line[6] = {float(list.entities.size()), outside, float(a.side == model::Side::kTail), float(index(a.relation)), better, float(index(a.question.known))};
        lists.add(line);
      }
    }
  }
  const double n = asked.size();
  fmt::print("{{\"questions\":{},\"graph_s\":{:.3f},\"bytes_per_fact\":{:.1f},\"mine_s\":{:.2f},\"rules\":{},\"near_s\":{:.1f},\"ms_per_question\":{:.3f},"
             "\"first_mrr\":{:.4f},\"recall\":{:.4f},\"list\":{:.1f},\"peak_mb\":{:.0f}}}\n",
             asked.size(), graph_s, double(graph.bytes()) / facts.size(), mine_s, rules.all().size(), near_s, 1e3 * read_s / n, mrr_first / n,
             found / n, reached / n, bench::peak_megabytes());
}
