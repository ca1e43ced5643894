#include "graph/synthetic/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/output_file.h"
#include "base/parallel.h"
#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "graph/io/dataset_layout.h"
#include "graph/synthetic/planted_facts.h"
#include "graph/synthetic/planted_rules.h"
#include "greenkgc/dataset.h"
#include "greenkgc/error.h"

namespace greenkgc {

void GenerateOptions::validate() const {
  GenerateOptions checked;
  for (const OptionSpec& spec : option_specs<GenerateOptions>())
    set_option(&checked, spec, spec.get(this), spec.name);
  const double rules = symmetric_share + inverse_share + composition_share;
  if (rules > 1 + 1e-9) {
    throw Error(ErrorCode::kUsage, fmt::format("--symmetric-share, --inverse-share and --composition-share "
                                               "add up to {:g}; their sum must not exceed 1",
                                               rules));
  }
  const graph::RelationCounts counts = graph::count_relations(*this);
  if (counts.composition > 0 && counts.plain < graph::kPlainForCompositions) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format(
            "--composition-share {:g} makes {} of {} relations compositions, but only {} are left that "
            "follow no rule, and {} are needed: lower the shares of rules, or use more relations",
            composition_share, counts.composition, relations, counts.plain, graph::kPlainForCompositions));
  }
}

namespace graph {

namespace {

constexpr std::uint32_t kOrderStream = 0x67656E06;
constexpr std::uint32_t kLabelStream = 0x67656E07;
constexpr std::uint64_t kLinesPerBlock = 1 << 15;
constexpr std::array kWrittenSplits = {Split::kTrain, Split::kValid, Split::kTest};

// Which fact is on which line of which split: covering facts are all in train, the others anywhere.
class FactLines {
 public:
  FactLines(const GenerateOptions& options, const PlantedFacts& facts, std::uint64_t seed)
      : facts_(facts),
        sizes_(split_sizes(options)),
        random_(seed, kOrderStream),
        train_order_(sizes_.train, random_, 0),
        free_order_(std::max<std::uint64_t>(1, facts.free_count()), random_, 1) {}

  std::uint64_t count(Split split) const {
    return split == Split::kValid ? sizes_.valid : split == Split::kTest ? sizes_.test : sizes_.train;
  }

  Triple operator()(Split split, std::uint64_t line) const {
    if (split == Split::kValid) return facts_.free(free_order_(line));
    if (split == Split::kTest) return facts_.free(free_order_(sizes_.valid + line));
    const std::uint64_t i = train_order_(line);
    if (i < facts_.covering_count()) return facts_.covering(i);
    return facts_.free(free_order_(sizes_.valid + sizes_.test + i - facts_.covering_count()));
  }

 private:
  const PlantedFacts& facts_;
  SplitSizes sizes_;
  CounterRandom random_;
  Permutation train_order_;
  Permutation free_order_;
};

// Numbers like those of Wikidata, Q and P; that of an entity says nothing about its type.
class Labels {
 public:
  Labels(const PlantedRules& rules, std::uint64_t seed)
      : random_(seed, kLabelStream),
        entity_numbers_(rules.entity_count(), random_, 0),
        relation_numbers_(rules.relations().size(), random_, 1) {}

  void append_line(const Triple& fact, std::string& text) const {
    std::array<char, 40> line;  // three numbers of up to ten digits
    char* at = line.data();
    at = put(at, 'Q', entity_numbers_(index(fact.head)), '\t');
    at = put(at, 'P', relation_numbers_(index(fact.relation)), '\t');
    at = put(at, 'Q', entity_numbers_(index(fact.tail)), '\n');
    text.append(line.data(), at);
  }

 private:
  static char* put(char* at, char letter, std::uint64_t number, char end) {
    *at++ = letter;
    at = std::to_chars(at, at + 10, number + 1).ptr;
    *at++ = end;
    return at;
  }

  CounterRandom random_;
  Permutation entity_numbers_;
  Permutation relation_numbers_;
};

struct TextBlock final : PipelineItem {
  std::uint64_t begin;  // lines
  std::uint64_t end;
  std::string text;
};

void write_split(Split split, const FactLines& lines, const Labels& labels, OutputFile& file,
                 ProgressTask& progress, const Context& context) {
  std::uint64_t next = 0;
  const auto produce = [&]() -> std::unique_ptr<PipelineItem> {
    if (next == lines.count(split)) return nullptr;
    auto block = std::make_unique<TextBlock>();
    block->begin = next;
    next = std::min(next + kLinesPerBlock, lines.count(split));
    block->end = next;
    return block;
  };
  const auto format = [&](PipelineItem& item) {
    auto& block = static_cast<TextBlock&>(item);
    block.text.reserve((block.end - block.begin) * 24);
    for (std::uint64_t line = block.begin; line < block.end; ++line)
      labels.append_line(lines(split, line), block.text);
  };
  const auto write = [&](PipelineItem& item) {
    const auto& block = static_cast<const TextBlock&>(item);
    file.write(block.text);
    progress.advance(block.end - block.begin);
  };
  const auto in_flight = 2 * static_cast<std::size_t>(context.thread_count());
  ordered_pipeline(context, in_flight, {.produce = produce, .transform = format, .consume = write});
}

std::string file_name(Split split, std::string_view compress) {
  const bool plain = compress == "none";
  return fmt::format("{}.txt{}{}", split_name(split), plain ? "" : ".", plain ? "" : compress);
}

}  // namespace

std::vector<std::filesystem::path> generate(const GenerateOptions& options, const std::filesystem::path& out,
                                            const Context& context) {
  options.validate();
  const PlantedFacts facts(options, context.seed);
  const FactLines lines(options, facts, context.seed);
  const Labels labels(facts.rules(), context.seed);

  std::vector<Split> splits;
  std::vector<std::filesystem::path> paths;
  for (const Split split : kWrittenSplits) {
    if (lines.count(split) == 0) continue;
    splits.push_back(split);
    paths.push_back(out / file_name(split, options.compress));
  }
  refuse_leftovers(out, paths);

  std::vector<std::unique_ptr<OutputFile>> files;
  ProgressTask progress(context, "generate", static_cast<std::uint64_t>(options.triples), "triples");
  for (std::size_t i = 0; i < splits.size(); ++i) {
    files.push_back(std::make_unique<OutputFile>(paths[i]));
    write_split(splits[i], lines, labels, *files.back(), progress, context);
  }
  for (const auto& file : files) file->commit();
  paths.push_back(out / "config.toml");
  write_file(paths.back(), options_as_toml(&options, option_specs<GenerateOptions>()) +
                               fmt::format("seed = {}\n", context.seed));
  return paths;
}

}  // namespace graph

}  // namespace greenkgc
