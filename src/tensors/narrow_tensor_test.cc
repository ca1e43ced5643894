#include "tensors/narrow_tensor.h"

#include <gmock/gmock.h>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::tensors {
namespace {

class NarrowTensorTest : public testing::Test {
 protected:
  std::shared_ptr<const SafetensorsFile> written(const NarrowTensor& tensor) {
    SafetensorsWriter writer;
    tensor.add_to(writer, "x");
    writer.write(folder_.path() / "f");
    return std::make_shared<const SafetensorsFile>(folder_.path() / "f");
  }

  TemporaryFolder folder_;
};

TEST_F(NarrowTensorTest, TakesTheFewestBytesAndComesBack) {
  const std::vector<std::pair<std::vector<std::uint32_t>, std::size_t>> cases = {
      {{}, 0}, {{0, 255, 7}, 3}, {{256}, 2}, {{65'535, 0}, 4}, {{65'536, 1, 2}, 3 * 4}, {{0xFFFFFFFF}, 4},
  };
  for (const auto& [values, bytes] : cases) {
    const auto file = written(NarrowTensor(values));
    EXPECT_EQ(file->tensors().at("x").bytes.size(), bytes);
    EXPECT_EQ(read_narrow(*file, "x"), values);
    EXPECT_THAT(map_narrow(file, "x").values, testing::ElementsAreArray(values));
  }
}

TEST_F(NarrowTensorTest, ManyStayAsTheyCanBeMapped) {
  EXPECT_EQ(written(NarrowTensor({1, 2, 3}, 2))->tensors().at("x").type, TensorType::kU32);
  EXPECT_EQ(written(NarrowTensor({1, 2, 3}, 3))->tensors().at("x").type, TensorType::kU8);
}

TEST_F(NarrowTensorTest, OthersAreRefused) {
  SafetensorsWriter writer;
  const std::vector<float> floats = {1};
  writer.add("x", {1}, std::span<const float>(floats));
  writer.write(folder_.path() / "f");
  const SafetensorsFile file(folder_.path() / "f");
  EXPECT_THROW(read_narrow(file, "x"), Error);
  EXPECT_THROW(read_narrow(file, "y"), Error);
}

}  // namespace
}  // namespace greenkgc::tensors
