#include "kge/embedding_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::kge {
namespace {

using testing::HasSubstr;

NamedEmbeddings sample(const std::vector<std::string>& entities, const std::vector<std::string>& relations) {
  NamedEmbeddings named;
  Embeddings& embeddings = named.embeddings;
  embeddings.kge = &kge_model("complex");
  embeddings.similarity = Similarity::kDot;
  embeddings.dims = 2;
  embeddings.reciprocal = true;
  embeddings.range_dims = last_dims(2, 1);
  embeddings.entity_count = static_cast<std::uint32_t>(entities.size());
  embeddings.relation_count = static_cast<std::uint32_t>(relations.size());
  for (std::size_t i = 0; i < entities.size() * 4; ++i)
    embeddings.entities.push_back(1.0F / static_cast<float>(i + 3));
  for (std::size_t i = 0; i < relations.size() * 8; ++i)
    embeddings.relations.push_back(-1.0F / static_cast<float>(i + 7));
  for (const std::string& label : entities) named.entities.intern(label);
  for (const std::string& label : relations) named.relations.intern(label);
  named.provenance = {{"seed", "42"}};
  return named;
}

std::string error_of_reading(const std::filesystem::path& folder) {
  try {
    std::vector<std::string> notes;
    read_embedding_folder(folder, notes, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_writing(const NamedEmbeddings& named, std::string_view form) {
  const TemporaryFolder folder;
  std::string message = "no error";
  try {
    write_embedding_folder(folder.path() / "e", form, named, {});
  } catch (const Error& error) {
    message = error.what();
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "e" / kEmbeddingJson));
  }
  return message;
}

TEST(EmbeddingFolder, ComesBackBitByBit) {
  const NamedEmbeddings named = sample({"a", "New York", "1 2"}, {"r", "s"});
  for (const std::string form : {"npy", "word2vec"}) {
    const TemporaryFolder folder;
    const auto paths = write_embedding_folder(folder.path(), form, named, {});
    EXPECT_EQ(paths.size(), form == "npy" ? 5U : 3U);
    std::vector<std::string> notes;
    const NamedEmbeddings back = read_embedding_folder(folder.path(), notes, {});
    EXPECT_EQ(back.embeddings.kge->name(), "complex");
    EXPECT_EQ(back.embeddings.dims, 2U);
    EXPECT_TRUE(back.embeddings.reciprocal);
    EXPECT_EQ(back.embeddings.range_dims, named.embeddings.range_dims);
    EXPECT_TRUE(back.embeddings.entities == named.embeddings.entities) << form;
    EXPECT_TRUE(back.embeddings.relations == named.embeddings.relations) << form;
    EXPECT_EQ(back.entities.label(1), "New York");
    EXPECT_EQ(back.relations.size(), 2U);
    EXPECT_EQ(back.provenance, named.provenance);
    EXPECT_EQ(notes.size(), 2U);
  }
}

TEST(EmbeddingFolder, LabelsThatWouldNotComeBackAreRefused) {
  EXPECT_THAT(error_of_writing(sample({"a\nb"}, {"r"}), "npy"), HasSubstr("'a\\nb' cannot be stored"));
  EXPECT_THAT(error_of_writing(sample({"a\r"}, {"r"}), "npy"), HasSubstr("cannot be stored"));
  EXPECT_THAT(error_of_writing(sample({"a\tb"}, {"r"}), "word2vec"), HasSubstr("contains a tab"));
  EXPECT_THAT(error_of_writing(sample({"a"}, {"r", "r_reverse"}), "word2vec"), HasSubstr("'r_reverse'"));
  EXPECT_EQ(error_of_writing(sample({"a"}, {"r", "r_reverse"}), "npy"), "no error");
  EXPECT_THAT(error_of_writing(sample({}, {}), "word2vec"), HasSubstr("no numbers"));
}

TEST(EmbeddingFolder, OtherFilesAreNotMixedIn) {
  const TemporaryFolder folder;
  const NamedEmbeddings named = sample({"a"}, {"r"});
  write_embedding_folder(folder.path(), "npy", named, {});
  write_embedding_folder(folder.path(), "npy", named, {});
  EXPECT_THROW(write_embedding_folder(folder.path(), "word2vec", named, {}), Error);
  folder.write("train.txt", "a\tr\tb\n");
  EXPECT_THROW(write_embedding_folder(folder.path(), "npy", named, {}), Error);
}

TEST(EmbeddingFolder, DamagedDescriptionsAreNamed) {
  const TemporaryFolder folder;
  write_embedding_folder(folder.path(), "npy", sample({"a"}, {"r"}), {});
  const std::string good = folder.read("embedding.json");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    folder.write("embedding.json", text);
    return error_of_reading(folder.path());
  };
  EXPECT_EQ(with("complex", "complex"), "no error");
  EXPECT_THAT(with("{", "["), HasSubstr("embedding.json: is not a JSON object"));
  EXPECT_THAT(with("greenkgc.embeddings", "x"), HasSubstr("does not describe embeddings"));
  EXPECT_THAT(with("\"version\": 1", "\"version\": 2"), HasSubstr("has version 2"));
  EXPECT_THAT(with("\"npy\"", "\"csv\""), HasSubstr("tables must be npy or word2vec"));
  EXPECT_THAT(with("complex", "komplex"), HasSubstr("embedding.json: there is no scorer"));
  EXPECT_THAT(with("\"dot\"", "\"l1\""), HasSubstr("embedding.json: similarity 'l1' does not work with"));
  EXPECT_THAT(with("\"dims\": 2", "\"dims\": 3"), HasSubstr("declares 3 dimensions, but the tables have 2"));
  EXPECT_THAT(with("\"dims\": 2", "\"dims\": \"2\""), HasSubstr("dims has a value of the wrong type"));
  EXPECT_THAT(with("\"reciprocal\": true,", ""), HasSubstr("has no reciprocal"));
  EXPECT_THAT(with("\"range_dims\": 1", "\"range_dims\": 3"), HasSubstr("cannot include 3 range dimensions"));
  EXPECT_THAT(with("\"reciprocal\": true", "\"reciprocal\": false"), HasSubstr("relations.npy: has 2 rows"));
  folder.write("embedding.json", good);
  folder.write("entities.txt", "a\nb\n");
  EXPECT_THAT(error_of_reading(folder.path()),
              HasSubstr("entities.npy: has 1 row, but there are 2 entity labels"));
}

}  // namespace
}  // namespace greenkgc::kge
