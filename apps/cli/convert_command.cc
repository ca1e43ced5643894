#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "command.h"
#include "display.h"
#include "greenkgc/dataset.h"
#include "written_files.h"

namespace greenkgc::cli {

namespace {

struct ConvertArguments {
  std::string in;
  std::string out;
  ConvertOptions convert;
  LoadOptions load{.valid_share = 0, .test_share = 0};  // a single file stays whole

  static void declare(OptionList<ConvertArguments>& o) {
    o.add("out", &ConvertArguments::out,
          "folder or file to write, - for standard output; .gz or .zst at the end compresses");
  }
};

// By any of its names.
bool is_standard_output(const std::string& path) {
  struct stat one {};
  struct stat other {};
  return ::stat(path.c_str(), &one) == 0 && ::fstat(STDOUT_FILENO, &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

Result run(const ConvertArguments& arguments, const Context& context) {
  const std::string out = arguments.out == "-" ? "/dev/stdout" : arguments.out;
  const Dataset dataset = Dataset::load(arguments.in, arguments.load, context);
  const auto paths = write_dataset(dataset, out, arguments.convert, context);

  std::string text = "Read\n";
  for (const std::string& note : dataset.notes()) text += fmt::format("  {}\n", printable(note));
  Json splits = Json::object();
  for (const Split split : kAllSplits) {
    if (const auto triples = dataset.triples(split); !triples.empty())
      splits[std::string(split_name(split))] = triples.size();
  }
  return {text + "\n" + written_text(paths),
          {{"read", dataset.notes()},
           {"entities", dataset.entity_count()},
           {"relations", dataset.relation_count()},
           {"triples", splits},
           {"written", written_json(paths)}},
          is_standard_output(out)};
}

}  // namespace

Command convert_command() {
  auto arguments = std::make_shared<ConvertArguments>();
  return {
      .name = "convert",
      .summary = "write a graph in another format",
      .example = "greenkgc convert FB15k-237 --out fb15k-237-rdf --to nt",
      .positionals = {{"IN", "a folder with train, valid and test, a single file, or world", &arguments->in}},
      .options = {group_of(*arguments), group_of(arguments->convert), group_of(arguments->load)},
      .required = {"out"},
      .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
