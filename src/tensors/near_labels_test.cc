#include "tensors/near_labels.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/vocabulary.h"
#include "support/temporary_folder.h"
#include "tensors/label_tensors.h"
#include "tensors/safetensors.h"

namespace greenkgc::tensors {
namespace {

class NearLabelsTest : public testing::Test {
 protected:
  std::string hint(const std::vector<std::string>& labels, std::string_view word) {
    graph::Vocabulary vocabulary;
    for (const std::string& label : labels) vocabulary.intern(label);
    const LabelTensors tensors(vocabulary);
    const auto order = label_order(vocabulary);
    SafetensorsWriter writer;
    tensors.add_to(writer, "entities");
    writer.add("entities.label_order", {order.size()}, std::span<const std::uint32_t>(order));
    const auto path = folder_.path() / "labels.safetensors";
    writer.write(path);
    return did_you_mean(LabelTable(std::make_shared<SafetensorsFile>(path), "entities", labels.size()), word);
  }

  TemporaryFolder folder_;
};

TEST_F(NearLabelsTest, TheSameLettersComeBeforeAllElse) {
  EXPECT_EQ(hint({"NEW YORK", "New York City", "New Yorker"}, "new_york"), "; did you mean 'NEW YORK'?");
  EXPECT_EQ(hint({"e149", "e14"}, "E 149"), "; did you mean 'e149'?");
}

TEST_F(NearLabelsTest, TheSameWordComesBeforeSimilarLetters) {
  EXPECT_EQ(hint({"Niger River", "Nigel"}, "niger"), "; did you mean 'Niger River'?");
  EXPECT_EQ(hint({"United States", "America", "Europe"}, "United States of America"),
            "; did you mean 'United States' or 'America'?");
  EXPECT_EQ(hint({"Netherlands", "The Hague"}, "The Netherlands"), "; did you mean 'Netherlands'?");
}

TEST_F(NearLabelsTest, InitialsComeBeforeSimilarLetters) {
  EXPECT_EQ(hint({".sa", ".us", "United States of America"}, "USA"),
            "; did you mean 'United States of America'?");
  EXPECT_EQ(hint({".ae", "United Arab Emirates", "United Arab Emirates dirham"}, "UAE"),
            "; did you mean 'United Arab Emirates'?");
}

TEST_F(NearLabelsTest, OneMoreLetterThanTheInitialsIfOnlyOneLabelHasThem) {
  EXPECT_EQ(hint({".sa", "United States", "United States dollar"}, "USA"), "; did you mean 'United States'?");
  EXPECT_EQ(hint({".sa", "United States", "Ugandan shilling"}, "USA"), "; did you mean 'United States'?");
  EXPECT_EQ(hint({".sa", "United States", "Upper Silesia"}, "USA"), "");
}

TEST_F(NearLabelsTest, ABeginningComesBeforeSlips) {
  EXPECT_EQ(hint({"borders", "bordes"}, "border"), "; did you mean 'borders'?");
  EXPECT_EQ(hint({"Norway", "Norwegian krone"}, "norw"), "; did you mean 'Norway' or 'Norwegian krone'?");
}

TEST_F(NearLabelsTest, SlipsOfTheFinger) {
  EXPECT_EQ(hint({"Norway", "Norwegian krone", "Norma"}, "Norwy"), "; did you mean 'Norway'?");
  EXPECT_EQ(hint({"Sweden"}, "Swedn"), "; did you mean 'Sweden'?");
  EXPECT_EQ(hint({"S\xC3\xA3"
                  "o Paulo"},
                 "Sao Paulo"),
            "; did you mean 'S\xC3\xA3"
            "o Paulo'?");
  EXPECT_EQ(hint({"borders"}, "bordres"), "; did you mean 'borders'?");
}

TEST_F(NearLabelsTest, NothingSilly) {
  EXPECT_EQ(hint({".sa", ".us", "uta"}, "USA"), "");
  EXPECT_EQ(hint({"Oslo", "Rome"}, "Kyiv"), "");
  EXPECT_EQ(hint({"Chad", "Mali"}, "Atlantis"), "");
  EXPECT_EQ(hint({"a", "b"}, "c"), "");
  EXPECT_EQ(hint({"a"}, ""), "");
  EXPECT_EQ(hint({"a"}, "..."), "");
  EXPECT_EQ(hint({"a"}, std::string(1'000'000, 'x')), "");
}

TEST_F(NearLabelsTest, AtMostThree) {
  EXPECT_EQ(hint({"Port A", "Port B", "Port C", "Port D"}, "port"),
            "; did you mean 'Port A' or 'Port B' or 'Port C'?");
}

TEST_F(NearLabelsTest, LargeTablesAreSearchedForTheWordItsInitialsAndItsNeighbors) {
  std::vector<std::string> labels;
  for (int i = 0; i < 30'000; ++i) labels.push_back("e" + std::to_string(i));
  labels.insert(labels.end(), {"Kingdom of Norway", "United States of America", "zebra crossing"});
  EXPECT_EQ(hint(labels, "norway"), "; did you mean 'Kingdom of Norway'?");
  EXPECT_EQ(hint(labels, "USA"), "; did you mean 'United States of America'?");
  EXPECT_EQ(hint(labels, "zebra crosing"), "; did you mean 'zebra crossing'?");
  EXPECT_EQ(hint(labels, "USB"), "");
}

}  // namespace
}  // namespace greenkgc::tensors
