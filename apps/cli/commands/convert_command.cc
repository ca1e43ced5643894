#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/display.h"
#include "cli/written_files.h"
#include "greenkgc/dataset.h"
#include "greenkgc/decide.h"
#include "greenkgc/embeddings.h"
#include "greenkgc/error.h"

namespace greenkgc::cli {

namespace {

constexpr double kNoShare = 0;  // a single file stays whole

struct ConvertArguments {
  std::string in;
  std::string out;
  ConvertOptions convert;
  LoadOptions load{.valid_share = kNoShare, .test_share = kNoShare};
  ImportOptions import;

  static void declare(OptionList<ConvertArguments>& o) {
    o.add("out", &ConvertArguments::out,
          "output folder or file; - is standard output; a name that ends in .gz or .zst is compressed");
  }
};

// Options of the other kind of input are refused rather than ignored.
template <class Options>
void refuse_given(const Options& options, const Options& defaults,
                  std::initializer_list<std::string_view> but, const std::string& why) {
  for (const OptionSpec& spec : option_specs<Options>()) {
    if (std::find(but.begin(), but.end(), spec.name) != but.end()) continue;
    if (spec.get(&options) != spec.get(&defaults))
      throw Error(ErrorCode::kUsage, fmt::format("{} {}", flag_of(spec.name), why));
  }
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text = "Read\n";
  for (const std::string& note : notes) text += fmt::format("  {}\n", printable(note));
  return text + "\n";
}

Result convert_graph(const ConvertArguments& arguments, const std::string& out, const Context& context) {
  refuse_given(arguments.import, {}, {},
               fmt::format("applies to embeddings, but {} was not recognized as embeddings (docs/formats.md)",
                           arguments.in));
  const Dataset dataset = Dataset::load(arguments.in, arguments.load, context);
  const auto paths = write_dataset(dataset, out, arguments.convert, context);
  Json splits = Json::object();
  for (const Split split : kAllSplits) {
    if (const auto triples = dataset.triples(split); !triples.empty())
      splits[std::string(split_name(split))] = triples.size();
  }
  return {notes_text(dataset.notes()) + written_text(paths),
          {{"read", dataset.notes()},
           {"entities", dataset.entity_count()},
           {"relations", dataset.relation_count()},
           {"triples", splits},
           {"written", written_json(paths)}},
          is_standard_output(out)};
}

Result convert_embedding(const ConvertArguments& arguments, const std::string& out, const Context& context) {
  const std::string why = fmt::format("applies to graphs, but {} contains embeddings", arguments.in);
  refuse_given(arguments.convert, {}, {"to"}, why);
  refuse_given(arguments.load, {.valid_share = kNoShare, .test_share = kNoShare}, {"format", "keep_literals"},
               why);
  const ConvertedEmbeddings converted = convert_embeddings(
      arguments.in, {.out = out, .to = arguments.convert.to}, arguments.import, arguments.load, context);
  const std::string understood =
      fmt::format("  {} in {}, similarity {}{}: {}, {}\n\n", converted.model,
                  count_of(converted.dims, "dimension", "dimensions"), converted.similarity,
                  converted.reciprocal ? ", reciprocal relations" : "",
                  count_of(converted.entities, "entity", "entities"),
                  count_of(converted.relations, "relation", "relations"));
  std::string read = notes_text(converted.notes);
  read.pop_back();
  return {read + understood + written_text(converted.written),
          {{"read", converted.notes},
           {"model", converted.model},
           {"similarity", converted.similarity},
           {"dims", converted.dims},
           {"reciprocal", converted.reciprocal},
           {"entities", converted.entities},
           {"relations", converted.relations},
           {"written", written_json(converted.written)}},
          is_standard_output(out)};
}

Result convert_model(const ConvertArguments& arguments, const Context& context) {
  const std::string why = fmt::format("does not apply to models, and {} is a model", arguments.in);
  refuse_given(arguments.convert, {}, {}, why);
  refuse_given(arguments.import, {}, {}, why);
  const auto paths = export_trees(arguments.in, arguments.out, context);
  return {written_text(paths), {{"written", written_json(paths)}}};
}

Result run(const ConvertArguments& arguments, const Context& context) {
  if (arguments.in.ends_with(".gkgc")) return convert_model(arguments, context);
  const std::string out = output_path(arguments.out);
  return holds_embeddings(arguments.in) ? convert_embedding(arguments, out, context)
                                        : convert_graph(arguments, out, context);
}

}  // namespace

Command convert_command() {
  auto arguments = std::make_shared<ConvertArguments>();
  return {.name = "convert",
          .summary = "convert a graph, embeddings, or the trees of a model to another format",
          .example =
              "greenkgc convert FB15k-237 --out fb15k-237-rdf --to nt\n"
              "  greenkgc convert emb.safetensors --out emb --to word2vec\n"
              "  greenkgc convert model.gkgc --out trees\n"
              "  greenkgc convert e.npy --relations r.npy --model rotate --order first-appearance \\\n"
              "    --data FB15k-237 --out emb.safetensors",
          .positionals = {{"IN",
                           "a folder with train, valid and test, a single file, or world; or embeddings: "
                           "safetensors, npy, word2vec text, or a folder that convert wrote; or a model "
                           "(.gkgc), whose trees are written to a folder as XGBoost JSON models",
                           &arguments->in}},
          .options = {group_of(*arguments), group_of(arguments->convert), group_of(arguments->load),
                      group_of(arguments->import)},
          .required = {"out"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
