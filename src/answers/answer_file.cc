#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/files/byte_source.h"
#include "base/progress.h"
#include "base/text.h"
#include "graph/io/line_blocks.h"
#include "greenkgc/error.h"
#include "greenkgc/model.h"

namespace greenkgc {
namespace {

constexpr std::size_t kMostQuestions = 1024;                // at a time
constexpr std::size_t kMostAnswers = std::size_t{1} << 20;  // the same, unless one question has more

constexpr std::string_view kAsked = "?";

class QuestionFile {
 public:
  QuestionFile(ByteSource& source, const Model& model) : lines_(source), model_(model) {}

  // False at the end.
  bool next(Question& question) {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (line.empty());
    question = parse(line);
    return true;
  }

 private:
  Question parse(std::string_view line) const {
    std::array<std::string_view, 3> fields;
    const auto tabs = std::count(line.begin(), line.end(), '\t');
    if (tabs != 2)
      lines_.fail(fmt::format("must be head, relation and tail, separated by tabs, but has {}",
                              count_of(static_cast<std::uint64_t>(tabs) + 1, "field")));
    for (std::string_view& field : fields) {
      field = line.substr(0, line.find('\t'));
      line.remove_prefix(std::min(line.size(), field.size() + 1));
    }
    const auto asked = std::count(fields.begin(), fields.end(), kAsked);
    if (asked != 1) lines_.fail(fmt::format("must have a ? in one column, but has it in {}", asked));
    try {
      return {.head = fields[0] == kAsked ? kNoEntity : model_.entity(fields[0]),
              .relation = fields[1] == kAsked ? kNoRelation : model_.relation(fields[1]),
              .tail = fields[2] == kAsked ? kNoEntity : model_.entity(fields[2])};
    } catch (const Error& error) {
      lines_.fail(error.what());
    }
  }

  graph::Lines lines_;
  const Model& model_;
};

}  // namespace

void answer_file(const Model& model, const std::filesystem::path& questions, const PredictOptions& options,
                 const TakeAnswers& take, const Context& context) {
  const auto source = open_source(questions);
  QuestionFile file(*source, model);
  const std::size_t most_answers =
      options.top_k == 0 ? std::max(model.entity_count(), model.relation_count())
                         : std::min<std::size_t>(static_cast<std::size_t>(options.top_k), kMostAnswers);
  const std::size_t at_once =
      std::clamp<std::size_t>(kMostAnswers / std::max<std::size_t>(1, most_answers), 1, kMostQuestions);
  model.known_facts(context);
  Context within = context;  // of the blocks: one task for all of them
  within.progress = nullptr;

  ProgressTask progress(context, fmt::format("answering {}", questions.string()), source->size(), "bytes");
  std::vector<Question> block;
  for (bool more = true; more;) {
    block.clear();
    std::optional<Error> wrong;  // a line that is no question; those before it are answered first
    try {
      for (Question question; block.size() < at_once && (more = file.next(question));)
        block.push_back(question);
    } catch (const Error& error) {
      wrong = error;
    }
    const auto answers = model.predict(block, options, within);
    within.log = nullptr;  // what there is to say has been said
    for (std::size_t i = 0; i < block.size(); ++i) take(block[i], answers[i]);
    if (wrong) throw Error(*wrong);
    progress.set(source->position());
  }
}

}  // namespace greenkgc
