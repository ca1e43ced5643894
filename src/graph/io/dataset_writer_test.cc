#include "graph/io/dataset_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>

#include "graph/io/dataset_reader.h"
#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dataset sample() {
  Dataset dataset;
  const auto add = [&](Split split, const char* head, const char* relation, const char* tail) {
    const EntityId h{dataset.entities.intern(head)};
    const RelationId r{dataset.relations.intern(relation)};
    dataset[split].triples.push_back({h, r, EntityId{dataset.entities.intern(tail)}});
  };
  add(Split::kTrain, "New York", "in", "say \"USA\", please");
  add(Split::kTrain, "http://example.org/a", "http://example.org/in", "\xC3\x85land");
  add(Split::kValid, "7", "in", "New York");
  add(Split::kTest, "50% off; really", "near", "_:b1");
  add(Split::kTestNegatives, "7", "near", "7");
  return dataset;
}

// The same graph whatever the ids are.
std::vector<std::tuple<Split, std::string, std::string, std::string>> content(const Dataset& dataset) {
  std::vector<std::tuple<Split, std::string, std::string, std::string>> rows;
  for (const Split split : kAllSplits) {
    for (const Triple& fact : dataset[split].triples) {
      rows.emplace_back(split, dataset.entities.label(index(fact.head)),
                        dataset.relations.label(index(fact.relation)),
                        dataset.entities.label(index(fact.tail)));
    }
  }
  return rows;
}

class DatasetWriter : public testing::Test {
 protected:
  void write(const Dataset& dataset, const std::string& name, const ConvertOptions& options = {}) {
    Context context;
    context.log = [&](LogLevel, std::string_view message) { log_ += std::string(message) + "\n"; };
    write_dataset(dataset, folder_.path() / name, options, context);
  }
  std::string error_of(const std::string& name, const ConvertOptions& options = {}) {
    try {
      write(sample(), name, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  Dataset read(const std::string& name) {
    return std::move(
        *read_dataset((folder_.path() / name).string(), {.valid_share = 0, .test_share = 0}, Context{}));
  }
  TemporaryFolder folder_;
  std::string log_;
};

TEST_F(DatasetWriter, EveryFolderFormatSurvivesTheRoundTrip) {
  for (const std::string format : {"tsv", "csv", "dict", "openke", "libkge", "nt", "ttl", "nq", "trig"}) {
    for (const std::string compress : {"none", "gz", "zst"}) {
      const std::string name = format + "-" + compress;
      write(sample(), name, {.to = format, .compress = compress});
      EXPECT_EQ(content(read(name)), content(sample())) << name;
    }
  }
}

TEST_F(DatasetWriter, SingleFiles) {
  for (const std::string name : {"a.tsv", "a.csv.gz", "a.nt", "a.ttl.zst", "a.nq", "a.trig"}) {
    write(sample(), name, {.split = "all"});
    EXPECT_EQ(read(name)[Split::kTrain].triples.size(), 4U) << name;
    write(sample(), name, {.split = "valid"});
    EXPECT_EQ(read(name)[Split::kTrain].triples.size(), 1U) << name;
  }
  EXPECT_THAT(error_of("b.nt"), HasSubstr("use --split all"));
}

TEST_F(DatasetWriter, Bytes) {
  Dataset dataset;
  const EntityId a{dataset.entities.intern("a b")};
  const EntityId c{dataset.entities.intern("c")};
  dataset[Split::kTrain].triples = {{a, RelationId{dataset.relations.intern("r,s")}, c}};
  dataset[Split::kTrain].weights = {0.1F};
  write(dataset, "out.tsv");
  EXPECT_EQ(folder_.read("out.tsv"), "a b\tr,s\tc\t0.1\n");
  write(dataset, "out.csv");
  EXPECT_EQ(folder_.read("out.csv"), "head,relation,tail,weight\na b,\"r,s\",c,0.1\n");
  write(dataset, "openke", {.to = "openke"});
  EXPECT_EQ(folder_.read("openke/train2id.txt"), "1\n0 1 0\n");
  EXPECT_EQ(folder_.read("openke/entity2id.txt"), "2\na b\t0\nc\t1\n");
  EXPECT_THAT(log_, HasSubstr("weights are dropped"));
  write(dataset, "libkge", {.to = "libkge"});
  EXPECT_EQ(folder_.read("libkge/train.del"), "0\t0\t1\n");
  EXPECT_THAT(read("out.tsv")[Split::kTrain].weights, ElementsAre(0.1F));
}

TEST_F(DatasetWriter, WhatWouldBeLostIsSaid) {
  Dataset dataset = sample();
  dataset.entities.intern("lonely");
  write(dataset, "tsv");
  EXPECT_THAT(log_, HasSubstr("1 entity and 0 relations occur in no written fact"));
  log_.clear();
  write(dataset, "valid.tsv", {.split = "valid"});
  EXPECT_THAT(log_, HasSubstr("6 entities and 2 relations occur in no written fact"));
  write(dataset, "all.tsv", {.split = "all"});
  EXPECT_THAT(log_, HasSubstr("all.tsv: 1 negative left out"));
  dataset[Split::kTrain].triples[0].tail = EntityId{dataset.entities.intern("x\r")};
  EXPECT_THROW(write(dataset, "tsv"), Error);
  EXPECT_EQ(content(read("tsv")), content(sample())) << "the older files stay when a new one fails";
}

TEST_F(DatasetWriter, CarriageReturnsSurviveOrAreRefused) {
  Dataset dataset;
  const EntityId head{dataset.entities.intern("a\r")};
  dataset[Split::kTrain].triples = {{head, RelationId{dataset.relations.intern("r\r")}, head}};
  for (const std::string format : {"tsv", "dict", "libkge"})
    EXPECT_THROW(write(dataset, format, {.to = format}), Error) << format;
  for (const std::string format : {"csv", "openke", "nt"}) {
    write(dataset, format, {.to = format});
    EXPECT_EQ(content(read(format)), content(dataset)) << format;
  }
}

TEST_F(DatasetWriter, FirstFactThatLooksLikeSomethingElse) {
  for (const std::array<const char*, 3> labels :
       {std::array{"head", "relation", "tail"}, std::array{"Object", "predicate", "subject"},
        std::array{"<a>", "<r>", "Acme Inc."}, std::array{"\xEF\xBB\xBFx", "r", "y"}}) {
    Dataset dataset;
    const EntityId head{dataset.entities.intern(labels[0])};
    const RelationId relation{dataset.relations.intern(labels[1])};
    const EntityId tail{dataset.entities.intern(labels[2])};
    dataset[Split::kTrain].triples = {{head, relation, tail}, {tail, relation, head}};
    for (const std::string format : {"tsv", "dict", "csv"}) {
      write(dataset, format, {.to = format});
      EXPECT_EQ(content(read(format)), content(dataset)) << labels[0] << " " << format;
    }
  }
}

TEST_F(DatasetWriter, FilesOfAnotherGraphAreNotMixedIn) {
  Dataset train_only = sample();
  for (const Split split : kAllSplits) {
    if (split != Split::kTrain) train_only[split] = {};
  }
  const auto refusal = [&](const Dataset& dataset, const ConvertOptions& options) -> std::string {
    try {
      write(dataset, "folder", options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.what();
    }
    return "no error";
  };
  for (const std::string format : {"tsv", "csv", "dict", "openke", "libkge", "nt", "ttl", "nq", "trig"}) {
    std::filesystem::remove_all(folder_.path() / "folder");
    write(sample(), "folder", {.to = format, .compress = "gz"});
    write(sample(), "folder", {.to = format, .compress = "gz"});  // replaces all of them
    for (const std::string other : {"tsv", "nt", "openke", "libkge"}) {
      EXPECT_THAT(refusal(sample(), {.to = other}), HasSubstr("empty the folder or choose another"))
          << format << " then " << other;
    }
    EXPECT_THAT(refusal(train_only, {.to = format, .compress = "gz"}), HasSubstr("would be read as part"))
        << format;
  }
  std::filesystem::remove_all(folder_.path() / "folder");
  folder_.write("folder/dev.tsv.zst", "");
  EXPECT_THAT(refusal(sample(), {.to = "tsv"}), HasSubstr("dev.tsv.zst: would be read as part"));
}

TEST_F(DatasetWriter, ContradictionsAreRefused) {
  EXPECT_THAT(error_of("x.nt", {.to = "openke"}), HasSubstr("writes a folder, but"));
  EXPECT_THAT(error_of("x.nt", {.split = "all", .compress = "gz"}), HasSubstr("name the file"));
  EXPECT_THAT(error_of("folder", {.split = "train"}), HasSubstr("--split applies to a single output file"));
  EXPECT_THAT(error_of("w.foo", {.to = "nt"}), HasSubstr("w.foo/ for a folder, or"));
  EXPECT_THAT(error_of("w.gz"), HasSubstr("the extension does not name a format"));
  EXPECT_EQ(error_of("w.foo/", {.to = "nt"}), "no error");
  EXPECT_EQ(error_of("v1.0", {.to = "libkge"}), "no error");
}

}  // namespace
}  // namespace greenkgc::graph
