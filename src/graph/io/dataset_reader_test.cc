#include "graph/io/dataset_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DatasetReader : public testing::Test {
 protected:
  Dataset load(const std::string& name = "", const LoadOptions& options = {}) {
    return std::move(*read_dataset((folder_.path() / name).string(), options, Context{.threads = 2}));
  }
  std::string error_of(const std::string& name = "", const LoadOptions& options = {}) {
    try {
      load(name, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  static std::vector<std::string> facts(const Dataset& dataset, Split split) {
    std::vector<std::string> lines;
    for (const Triple& fact : dataset[split].triples) {
      lines.push_back(std::string(dataset.entities.label(index(fact.head))) + " " +
                      std::string(dataset.relations.label(index(fact.relation))) + " " +
                      std::string(dataset.entities.label(index(fact.tail))));
    }
    return lines;
  }
  TemporaryFolder folder_;
};

TEST_F(DatasetReader, FolderOfTextFiles) {
  folder_.write("train.txt", "a\tr\tb\n");
  folder_.write("valid.txt", "c\tr\ta\n");
  folder_.write("test.txt", "b\ts\td\n");
  const Dataset dataset = load();
  EXPECT_THAT(facts(dataset, Split::kTrain), ElementsAre("a r b"));
  EXPECT_THAT(facts(dataset, Split::kValid), ElementsAre("c r a"));
  EXPECT_THAT(facts(dataset, Split::kTest), ElementsAre("b s d"));
  EXPECT_EQ(dataset.entities.label(2), "c");
  EXPECT_THAT(dataset.notes[0],
              HasSubstr("train.txt: tab-separated labels, order head relation tail, 1 triple"));
}

TEST_F(DatasetReader, NegativesAndOtherNamesOfValid) {
  folder_.write("train.tsv", "a\tr\tb\n");
  folder_.write("dev.tsv", "b\tr\ta\n");
  folder_.write("valid_negatives.txt", "a\tr\ta\n");
  const Dataset dataset = load();
  EXPECT_THAT(facts(dataset, Split::kValid), ElementsAre("b r a"));
  EXPECT_THAT(facts(dataset, Split::kValidNegatives), ElementsAre("a r a"));
}

TEST_F(DatasetReader, DictionariesGiveTheIds) {
  folder_.write("entities.dict", "0\tb\n1\ta\n2\tnever\n");
  folder_.write("relations.dict", "0\tr\n");
  folder_.write("train.txt", "a\tr\tb\n");
  const Dataset dataset = load();
  EXPECT_EQ(dataset.entities.size(), 3U);
  EXPECT_EQ(dataset[Split::kTrain].triples[0], (Triple{EntityId{1}, RelationId{0}, EntityId{0}}));
  folder_.write("valid.txt", "a\tr\tx\n");
  EXPECT_THAT(error_of(), HasSubstr("valid.txt: line 1: entity 'x' is not in the dictionary"));
  std::filesystem::remove(folder_.path() / "relations.dict");
  EXPECT_THAT(error_of(), HasSubstr("contains no relations.dict"));
}

TEST_F(DatasetReader, OpenKe) {
  folder_.write("entity2id.txt", "2\nx\t1\ny\t0\n");
  folder_.write("relation2id.txt", "1\nr\t0\n");
  folder_.write("train2id.txt", "2\n0 1 0\n1 1 0\n");
  const Dataset dataset = load();
  EXPECT_THAT(facts(dataset, Split::kTrain), ElementsAre("y r x", "x r x"));
  EXPECT_THAT(dataset.notes[2], HasSubstr("OpenKE ids, order head tail relation, 2 triples"));
  folder_.write("train2id.txt.gz", "0\n");
  EXPECT_THAT(error_of(), HasSubstr("contains both train2id.txt and train2id.txt.gz; remove one of them"));
  std::filesystem::remove(folder_.path() / "train2id.txt.gz");
  std::filesystem::remove(folder_.path() / "entity2id.txt");
  EXPECT_THAT(error_of(), HasSubstr("contains no entity2id.txt, which a folder in the format OpenKE needs"));
}

TEST_F(DatasetReader, LibKge) {
  folder_.write("entity_ids.del", "0\tx\n1\ty\n");
  folder_.write("relation_ids.del", "0\tr\n");
  folder_.write("train.del", "1\t0\t0\n");
  EXPECT_THAT(facts(load(), Split::kTrain), ElementsAre("y r x"));

  folder_.write("other.del", "0\t0\t1\n");
  folder_.write("dataset.yaml", "dataset:\n  files.train.filename: other.del\n  num_entities: 2\n");
  EXPECT_THAT(facts(load(), Split::kTrain), ElementsAre("x r y"));
  folder_.write("dataset.yaml",
                "dataset:\n  files:\n    train:\n      filename: other.del\n  num_entities: 3\n");
  EXPECT_THAT(error_of(), HasSubstr("dataset.yaml: line 5: declares 3 entities, but the files contain 2"));
  folder_.write("dataset.yaml", "dataset:\n  files.train.filename: gone.del\n");
  EXPECT_THAT(error_of(), HasSubstr("contains no gone.del"));
  folder_.write("dataset.yaml", "dataset: [\n");
  EXPECT_THAT(error_of(), HasSubstr("dataset.yaml: line"));
  folder_.write("dataset.yaml", "dataset:\n  num_entities: 2\n  num_relations: few\n");
  EXPECT_THAT(error_of(), HasSubstr("dataset.yaml: line 3: num_relations must be a whole number, not 'few'"));
  folder_.write("dataset.yaml", "42\n");
  EXPECT_THAT(error_of(), HasSubstr("expected a map named 'dataset'"));
}

TEST_F(DatasetReader, WrongFoldersSayWhatIsThere) {
  EXPECT_THAT(error_of(), HasSubstr("it contains nothing"));
  folder_.write("readme.md", "x");
  EXPECT_THAT(error_of(), HasSubstr("contains no train file"));
  EXPECT_THAT(error_of(), HasSubstr("it contains readme.md"));
  folder_.write("train.txt", "a\tr\tb\n");
  folder_.write("train.tsv", "a\tr\tb\n");
  EXPECT_THAT(error_of(), HasSubstr("both train.txt and train.tsv could be the train split; choose with"));
}

TEST_F(DatasetReader, OfTwoFilesTheRequestedFormatTakesItsOwn) {
  folder_.write("train.txt", "a\tr\tb\n");
  folder_.write("train.tsv", "c\tr\td\n");
  folder_.write("train.nt", "<http://a> <http://r> <http://b> .\n");
  EXPECT_THAT(facts(load("", {.format = "tsv"}), Split::kTrain), ElementsAre("c r d"));
  EXPECT_THAT(facts(load("", {.format = "nt"}), Split::kTrain), ElementsAre("http://a http://r http://b"));
  folder_.write("train.tsv.gz", "c\tr\td\n");
  EXPECT_THAT(error_of("", {.format = "tsv"}),
              HasSubstr("both train.tsv and train.tsv.gz could be the train split; remove one of them"));
}

TEST_F(DatasetReader, RdfBesideDictionariesIsRefused) {
  folder_.write("entities.dict", "0\thttp://a\n1\thttp://b\n");
  folder_.write("relations.dict", "0\thttp://r\n");
  folder_.write("train.nt", "<http://a> <http://r> <http://b> .\n");
  EXPECT_THAT(error_of(), HasSubstr("train.nt: is N-Triples, which is read without dictionaries"));
}

TEST_F(DatasetReader, ContradictionsAreRefused) {
  folder_.write("train.txt", "a\tr\tb\n");
  EXPECT_THAT(error_of("", {.valid_share = 0.1}), HasSubstr("--valid-share 0.1 applies to a single file"));
  EXPECT_THAT(error_of("", {.test_share = 0.2}), HasSubstr("--test-share 0.2 applies to a single file"));
  EXPECT_EQ(error_of("", {.valid_share = 0, .test_share = 0}), "no error");
  EXPECT_THROW(read_dataset("world", {.format = "nt"}, Context{}), Error);
}

TEST_F(DatasetReader, FolderWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may look into every folder";
  folder_.write("closed/train.txt", "a\tr\tb\n");
  std::filesystem::permissions(folder_.path() / "closed", std::filesystem::perms::none);
  EXPECT_THAT(error_of("closed"), HasSubstr("Permission denied"));
  std::filesystem::permissions(folder_.path() / "closed", std::filesystem::perms::owner_all);
}

TEST_F(DatasetReader, EmptyFilesAreRefused) {
  folder_.write("train.txt", "");
  EXPECT_THAT(error_of(), HasSubstr("train.txt: is empty"));
  folder_.write("train.txt", "\n\n");
  EXPECT_THAT(error_of(), HasSubstr("train.txt: contains no triples"));
  folder_.write("head.csv", "head,relation,tail\n");
  EXPECT_THAT(error_of("head.csv"), HasSubstr("contains no triples"));
}

TEST_F(DatasetReader, SingleFileIsSplit) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += std::to_string(i % 20) + "\tr\t" + std::to_string(i / 20) + "\n";
  }
  folder_.write("facts", text);
  const Dataset dataset = load("facts");
  EXPECT_EQ(dataset[Split::kTrain].triples.size(), 900U);
  EXPECT_EQ(dataset[Split::kValid].triples.size(), 50U);
  EXPECT_EQ(dataset[Split::kTest].triples.size(), 50U);
  EXPECT_EQ(load("facts", {.valid_share = 0, .test_share = 0})[Split::kTrain].triples.size(), 1000U);
  EXPECT_THAT(error_of("facts", {.valid_share = 0.5, .test_share = 0.5}),
              HasSubstr("too few facts for training"));
}

TEST_F(DatasetReader, MissingPathAndFoldersOnlyFormats) {
  EXPECT_THAT(error_of("gone"), HasSubstr("gone: cannot be opened: No such file"));
  folder_.write("facts", "a\tr\tb\n");
  EXPECT_THAT(error_of("facts", {.format = "openke"}), HasSubstr("needs a folder"));
  EXPECT_THAT(error_of("facts/deeper"), HasSubstr("cannot be opened"));
}

}  // namespace
}  // namespace greenkgc::graph
