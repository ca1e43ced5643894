#include "greenkgc/score.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "answers/check_prior.h"
#include "answers/decide_facts.h"
#include "base/files/byte_source.h"
#include "base/files/output_file.h"
#include "base/progress.h"
#include "base/text.h"
#include "graph/io/line_blocks.h"
#include "rank/binary_metrics.h"
#include "rank/calibration/prior_shift.h"

namespace greenkgc {
namespace {

constexpr std::size_t kBlockLines = 1 << 16;

enum class Label : std::uint8_t { kNone, kFalse, kFact };

struct LabelledTriple {
  Triple triple;
  Label label;
};

// Triples with optional labels, line by line; blank lines are passed over.
class TripleLines {
 public:
  TripleLines(ByteSource& source, const Model& model, bool skip_unknown)
      : lines_(source), model_(model), skip_unknown_(skip_unknown) {}

  // False at the end.
  bool next(LabelledTriple& out) {
    std::string_view line;
    while (lines_.next(line)) {
      if (line.empty()) continue;
      const Fields fields = split(line);
      out.label = fields.count == 4 ? label_of(fields.text[3]) : Label::kNone;
      const auto head = known(model_.find_entity(fields.text[0]), "entity", fields.text[0]);
      const auto relation = known(model_.find_relation(fields.text[1]), "relation", fields.text[1]);
      const auto tail = known(model_.find_entity(fields.text[2]), "entity", fields.text[2]);
      if (head && relation && tail) {
        out.triple = {*head, *relation, *tail};
        return true;
      }
      ++skipped_;
    }
    return false;
  }
  std::uint64_t skipped() const { return skipped_; }

 private:
  struct Fields {
    std::array<std::string_view, 4> text;
    std::size_t count = 0;
  };

  Fields split(std::string_view line) const {
    Fields fields;
    for (;;) {
      if (fields.count == fields.text.size())
        lines_.fail("has more than 4 columns: head, relation, tail, label");
      const std::size_t tab = line.find('\t');
      fields.text[fields.count++] = line.substr(0, tab);
      if (tab == std::string_view::npos) break;
      line.remove_prefix(tab + 1);
    }
    if (fields.count < 3)
      lines_.fail(fmt::format("must be head, relation and tail, separated by tabs, but has {}",
                              count_of(fields.count, "column")));
    return fields;
  }

  Label label_of(std::string_view text) const {
    if (text == "1") return Label::kFact;
    if (text == "0" || text == "-1") return Label::kFalse;
    lines_.fail(fmt::format("the label must be 1, 0 or -1, not {}", in_quotes(text)));
  }

  template <class Id>
  std::optional<Id> known(std::optional<Id> id, std::string_view what, std::string_view label) const {
    if (!id && !skip_unknown_)
      lines_.fail(fmt::format("the model does not know the {} {} (--skip-unknown skips such lines)", what,
                              in_quotes(label)));
    return id;
  }

  graph::Lines lines_;
  const Model& model_;
  const bool skip_unknown_;
  std::uint64_t skipped_ = 0;
};

std::string tsv_line(const Model& model, const Triple& triple, const Score& score) {
  return fmt::format("{}\t{}\t{}\t{:.7g}\n", model.label(triple.head), model.label(triple.relation),
                     model.label(triple.tail), score.probability);
}

std::string json_line(const Model& model, const LabelledTriple& line, const Score& score) {
  nlohmann::ordered_json json = {{"head", model.label(line.triple.head)},
                                 {"relation", model.label(line.triple.relation)},
                                 {"tail", model.label(line.triple.tail)},
                                 {"probability", score.probability},
                                 {"margin", score.margin}};
  if (line.label != Label::kNone) json["label"] = line.label == Label::kFact ? 1 : 0;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

class FileScorer {
 public:
  FileScorer(const Model& model, const ScoreRun& run, const ScoreOptions& options, const Context& context)
      : model_(model),
        json_(options.lines == "jsonl"),
        prior_(options.prior),
        has_thresholds_(run.thresholds != nullptr),
        decide_(run.thresholds),
        context_(context),
        out_(run.out) {}

  void add(std::span<const LabelledTriple> block) {
    std::vector<Triple> triples;
    for (const LabelledTriple& line : block) triples.push_back(line.triple);
    Context quiet = context_;
    quiet.progress = nullptr;  // bytes of the file are shown
    const std::vector<Score> scores = model_.score(triples, quiet);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto& [triple, label] = block[i];
      if (prior_ > 0) {
        hold(block[i], scores[i]);
      } else {
        write(block[i], scores[i]);
      }
      if (label != Label::kNone)
        judged_.push_back(
            {scores[i].probability, label == Label::kFact, decide_(triple.relation, scores[i])});
    }
    scored_ += block.size();
  }

  ScoreReport finish() {
    write_shifted();
    out_.commit();
    ScoreReport report;
    report.scored = scored_;
    if (!judged_.empty()) report.metrics = rank::binary_metrics(judged_);
    return report;
  }

 private:
  void write(const LabelledTriple& line, const Score& score) {
    out_.write(json_ ? json_line(model_, line, score) : tsv_line(model_, line.triple, score));
  }

  void hold(const LabelledTriple& line, const Score& score) {
    held_.push_back(line);
    margins_.push_back(score.margin);
    probabilities_.push_back(score.probability);
  }

  // The lines that were held, with probabilities whose mean is the prior. Thresholds are for those of the
  // model, so what they decided stays.
  void write_shifted() {
    rank::shift_to_prior(probabilities_, prior_);
    auto judged = judged_.begin();
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Score score{margins_[i], probabilities_[i]};
      write(held_[i], score);
      if (held_[i].label == Label::kNone) continue;
      judged->probability = score.probability;
      if (!has_thresholds_) judged->decided = decide_(held_[i].triple.relation, score);
      ++judged;
    }
  }

  const Model& model_;
  const bool json_;
  const double prior_;  // 0: probabilities are not shifted
  const bool has_thresholds_;
  const FactDecider decide_;
  const Context& context_;
  OutputFile out_;
  std::vector<rank::JudgedTriple> judged_;  // the lines with a label
  std::uint64_t scored_ = 0;
  // All lines and what they got, where probabilities are shifted.
  std::vector<LabelledTriple> held_;
  std::vector<float> margins_;
  std::vector<double> probabilities_;
};

}  // namespace

ScoreReport score_file(const Model& model, const ScoreRun& run, const ScoreOptions& options,
                       const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  check_prior(options);
  const auto source = open_source(run.triples);
  TripleLines lines(*source, model, options.skip_unknown);
  FileScorer scorer(model, run, options, context);
  ProgressTask progress(context, "scoring", source->size(), "bytes");
  std::vector<LabelledTriple> block;
  LabelledTriple line;
  for (bool more = true; more;) {
    block.clear();
    while (block.size() < kBlockLines && (more = lines.next(line))) block.push_back(line);
    scorer.add(block);
    progress.set(source->position());
  }
  ScoreReport report = scorer.finish();
  report.skipped = lines.skipped();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace greenkgc
