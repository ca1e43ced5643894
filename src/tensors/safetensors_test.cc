#include "tensors/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SafetensorsTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "t.safetensors"; }

  // A file with this header and data, byte by byte.
  void write_raw(std::string header, const std::string& data) const {
    header.resize((header.size() + 7) / 8 * 8, ' ');  // as the format's own library pads it
    const std::uint64_t length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    folder_.write("t.safetensors", bytes + header + data);
  }
  std::string error_of_opening() const {
    try {
      const SafetensorsFile file(path());
      file.floats("x", 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

TEST_F(SafetensorsTest, RoundTrip) {
  const std::array<float, 6> floats = {1, 2, 3, 4, 5, 6};
  const std::array<std::uint8_t, 3> bytes = {'a', 'b', 'c'};
  const std::array<std::uint64_t, 2> numbers = {7, 1ULL << 40};
  SafetensorsWriter writer;
  writer.add("f", {2, 3}, std::span<const float>(floats));
  writer.add("b", {3}, std::span<const std::uint8_t>(bytes));
  writer.add("n", {2}, std::span<const std::uint64_t>(numbers));
  writer.add("empty", {0}, std::span<const float>());
  writer.set_metadata("who", "me \"and\" you");
  writer.write(path());
  const SafetensorsFile file(path());
  EXPECT_THAT(file.floats("f", 2), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(file.text("b"), "abc");
  EXPECT_THAT(file.u64s("n"), ElementsAre(7, 1ULL << 40));
  EXPECT_EQ(file.floats("empty", 1).size(), 0U);
  EXPECT_EQ(file.metadata_value("who"), "me \"and\" you");
  for (const auto& [name, tensor] : file.tensors()) {
    if (name.starts_with("padding")) continue;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % 64, 0U) << name;
  }
  EXPECT_THROW(file.floats("f", 1), Error);
  EXPECT_THROW(file.floats("b", 1), Error);
  EXPECT_THROW(file.metadata_value("nobody"), Error);
}

// As another program writes it: no checksums, no alignment to 64, another order.
TEST_F(SafetensorsTest, ReadsFilesOfOthers) {
  write_raw(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", std::string("\0\0\x80\x3f", 4));
  const SafetensorsFile file(path());
  EXPECT_THAT(file.floats("x", 1), ElementsAre(1.0F));
}

TEST_F(SafetensorsTest, NamedCorruptions) {
  const std::string data(8, '\0');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"([1, 2])", "not a JSON object"},
      {R"({"x": )", "not a JSON object"},
      {R"({"x": 3})", "needs dtype, shape and data_offsets"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,12]}})", "is at bytes 0 to 12"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", "is at bytes 8 to 4"},
      {R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "shape does not match"},
      {R"({"x":{"dtype":"F32","shape":[4611686018427387905,4],"data_offsets":[0,8]}})",
       "shape does not match"},
      {R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}})", "not whole numbers"},
      {R"({"x":{"dtype":"F32","shape":"all","data_offsets":[0,8]}})", "not whole numbers"},
      {R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})", "not whole numbers"},
      {R"({"__metadata__": 4})", "__metadata__ is not an object"},
      {R"({"__metadata__": {"a": 4}})", "metadata 'a' is not a string"},
      {R"({"__metadata__":{"xxh3.x":"0"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
       "wrong checksum"},
      {R"({"y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "has no tensor 'x'"},
      {R"({"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", "has no tensor 'x'"},
  };
  for (const auto& [header, expected] : cases) {
    write_raw(header, data);
    EXPECT_THAT(error_of_opening(), HasSubstr(expected)) << header;
  }
  folder_.write("t.safetensors", "short");
  EXPECT_THAT(error_of_opening(), HasSubstr("fewer than 8 bytes"));
  folder_.write("t.safetensors", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10));
  EXPECT_THAT(error_of_opening(), HasSubstr("declares a header of"));
}

TEST_F(SafetensorsTest, TruncationAtEveryByteIsRefused) {
  const std::array<float, 3> floats = {1, 2, 3};
  SafetensorsWriter writer;
  writer.add("x", {3}, std::span<const float>(floats));
  writer.write(path());
  const std::string whole = folder_.read("t.safetensors");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    folder_.write("t.safetensors", whole.substr(0, length));
    EXPECT_NE(error_of_opening(), "no error") << length;
  }
}

}  // namespace
}  // namespace greenkgc::tensors
