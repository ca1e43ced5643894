#include "tensors/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using namespace std::string_literals;

constexpr const char* kTwoByThree = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
// 1, 2, 3, 4, 5, 6 as little-endian IEEE 754 numbers.
const std::string kOneToSix =
    "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40\x00\x00\xa0\x40\x00\x00\xc0\x40"s;

std::string version_1(const std::string& header, const std::string& data) {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(header.size() & 0xFF) +
         static_cast<char>(header.size() >> 8) + header + data;
}

FloatTable read(const std::string& bytes) {
  const auto source = memory_source(bytes, "a.npy");
  return read_npy(*source, {});
}

std::string error_of(const std::string& bytes, ErrorCode code = ErrorCode::kCorrupt) {
  try {
    read(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(Npy, ReadsRowsOfFloats) {
  const FloatTable table = read(version_1(kTwoByThree, kOneToSix));
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns, 3U);
  EXPECT_THAT(table.values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Npy, FortranOrderIsColumnByColumn) {
  const FloatTable table =
      read(version_1("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", kOneToSix));
  EXPECT_THAT(table.values, ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(Npy, OneDimensionIsAColumn) {
  const FloatTable table =
      read(version_1("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", kOneToSix));
  EXPECT_EQ(table.rows, 6U);
  EXPECT_EQ(table.columns, 1U);
}

TEST(Npy, DoublesAndHalvesBecomeFloats) {
  const FloatTable doubles =
      read(version_1("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}",
                     "\x00\x00\x00\x00\x00\x00\xf8\x3f\x00\x00\x00\x00\x00\x00\x00\xc0"s));
  EXPECT_THAT(doubles.values, ElementsAre(1.5F, -2.0F));
  // 1, -2, the largest half, the smallest half, -0.
  const FloatTable halves = read(version_1("{'descr': '<f2', 'fortran_order': False, 'shape': (5, 1)}",
                                           "\x00\x3c\x00\xc0\xff\x7b\x01\x00\x00\x80"s));
  EXPECT_THAT(halves.values, ElementsAre(1.0F, -2.0F, 65504.0F, 0x1p-24F, -0.0F));
}

TEST(Npy, ReadsWhatOtherVersionsOfPythonAndNumpyWrite) {
  for (const std::string header : {
           "{\"shape\": (2L, 3L), \"fortran_order\": False, \"descr\": \"<f4\"}",
           "{'descr':'<f4','fortran_order':False,'shape':(2,3)}  \n",
           "  { 'shape' : ( 2 , 3 , ) , 'descr' : '<f4' , 'fortran_order' : False , }\n",
       }) {
    EXPECT_THAT(read(version_1(header, kOneToSix)).values, ElementsAre(1, 2, 3, 4, 5, 6)) << header;
  }
  const std::string text = kTwoByThree;
  for (const char version : {'\x02', '\x03'}) {
    const std::string bytes = "\x93NUMPY"s + version + '\0' + static_cast<char>(text.size()) +
                              std::string(3, '\0') + text + kOneToSix;
    EXPECT_EQ(read(bytes).values.size(), 6U);
  }
}

TEST(Npy, NamedCorruptions) {
  const auto header = [](const std::string& text) { return error_of(version_1(text, kOneToSix)); };
  EXPECT_THAT(error_of(""), HasSubstr("a.npy: byte 0: does not start with"));
  EXPECT_THAT(error_of("\x93NUMPI\x01\x00"s), HasSubstr("byte 0: does not start with"));
  EXPECT_THAT(error_of("\x93NUMPY\x01"s), HasSubstr("byte 6: the file ends"));
  EXPECT_THAT(error_of("\x93NUMPY\x04\x00\x00\x00"s), HasSubstr("byte 6: a version other than"));
  EXPECT_THAT(error_of("\x93NUMPY\x02\x00\xff\xff\xff\xff"s),
              HasSubstr("byte 8: declares a header of 4,294,967,295"));
  EXPECT_THAT(header("(1, 2)"), HasSubstr("byte 10: the header has '(1, 2)' where '{' was expected"));
  EXPECT_THAT(header("{'descr': '<f4', 'shape': (2, 3)}"), HasSubstr("needs descr, fortran_order and shape"));
  EXPECT_THAT(header("{'descr': '<f4', 'descr': '<f4'}"), HasSubstr("unknown or occurs twice"));
  EXPECT_THAT(header("{'descr': '<f4', 'evil': 1}"), HasSubstr("unknown or occurs twice"));
  EXPECT_THAT(header("{'descr': '<f4"), HasSubstr("both quotes"));
  EXPECT_THAT(header("{'descr': '\\x3cf4'}"), HasSubstr("without escapes"));
  EXPECT_THAT(header("{'fortran_order': 0}"), HasSubstr("True or False"));
  EXPECT_THAT(header("{'shape': (2, -3)}"), HasSubstr("a whole number"));
  EXPECT_THAT(header("{'shape': (2, 3.0)}"), HasSubstr("',' or ')'"));
  EXPECT_THAT(header("{'shape': (99999999999999999999999, 3)}"), HasSubstr("a whole number"));
  EXPECT_THAT(header("{'shape': (2, 3"), HasSubstr("',' or ')'"));
  EXPECT_THAT(header("{'shape': (2, 3) 'descr': '<f4'}"), HasSubstr("',' or '}'"));
  EXPECT_THAT(header(std::string(kTwoByThree) + "x"), HasSubstr("nothing but white space"));
  EXPECT_THAT(header("{'shape': (2, 3)\0}"s), HasSubstr("NUL"));
}

TEST(Npy, HostileShapesAllocateNothing) {
  const auto shape = [](const std::string& text, ErrorCode code = ErrorCode::kCorrupt) {
    return error_of(version_1("{'descr': '<f4', 'fortran_order': False, 'shape': " + text + "}", kOneToSix),
                    code);
  };
  EXPECT_THAT(shape("(4294967296, 4294967296)"), HasSubstr("too large for any file"));
  EXPECT_THAT(shape("(4611686018427387905, 4)"), HasSubstr("too large for any file"));
  EXPECT_THAT(shape("(1099511627776, 1000)"), HasSubstr("byte 106: the file ends here"));
  EXPECT_THAT(shape("(2, 2)"), HasSubstr("continues after"));
  EXPECT_THAT(shape("(18446744073709551615, 0)", ErrorCode::kBadInput), HasSubstr("is empty"));
  EXPECT_THAT(shape("()", ErrorCode::kBadInput), HasSubstr("has 0 dimensions"));
  EXPECT_THAT(shape("(1, 2, 3)", ErrorCode::kBadInput), HasSubstr("has 3 dimensions"));
}

TEST(Npy, OtherKindsOfArraysAreRefusedWithTheWayOut) {
  for (const std::string descr : {"'<i8'", "'>f4'", "'|O'", "'<c8'"}) {
    EXPECT_THAT(
        error_of(version_1("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2, 3)}", kOneToSix),
                 ErrorCode::kBadInput),
        HasSubstr("save it as float32"))
        << descr;
  }
  EXPECT_THAT(
      error_of(version_1("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", kOneToSix),
               ErrorCode::kBadInput),
      HasSubstr("records"));
}

TEST(Npy, TruncationAtEveryByteIsRefused) {
  const std::string whole = version_1(kTwoByThree, kOneToSix);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_of(whole.substr(0, length)), "no error") << length;
}

TEST(Npy, WritesWhatNumpySaves) {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  OutputFile file(folder.path() / "a.npy");
  write_npy(file, 2, 3, values);
  file.commit();
  const std::string bytes = folder.read("a.npy");
  std::string header = kTwoByThree;
  header.resize(117, ' ');  // the numbers start at byte 128
  EXPECT_TRUE(bytes == version_1(header + '\n', kOneToSix));
}

}  // namespace
}  // namespace greenkgc::tensors
