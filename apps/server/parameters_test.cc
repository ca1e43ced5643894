#include "server/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/http/http.h"

namespace greenkgc::server {
namespace {

using testing::HasSubstr;
using Query = std::multimap<std::string, std::string>;

// The status and sentence of the HttpError that this throws.
template <class Call>
std::pair<int, std::string> failure(const Call& call) {
  try {
    call();
  } catch (const HttpError& error) {
    return {error.status(), error.what()};
  }
  return {0, "no error"};
}

TEST(Parameters, OfAQueryAreText) {
  Parameters query(Query{{"k", "7"}, {"flag", "true"}, {"share", "0.25"}, {"text", ""}, {"match", "b"}});
  EXPECT_EQ(query.number("k", {1, 0, 10}), 7);
  EXPECT_TRUE(query.flag("flag"));
  EXPECT_EQ(query.share("share", 1), 0.25);
  EXPECT_EQ(query.text("text"), "");
  EXPECT_EQ(query.choice("match", {"a", "b"}), "b");
  EXPECT_EQ(query.number("missing", {4, 0, 10}), 4);
  EXPECT_EQ(query.choice("missing", {"a", "b"}), "a");
  EXPECT_FALSE(query.flag("missing"));
  query.check_all_used();
}

TEST(Parameters, OfJsonHaveTypes) {
  Parameters object(Input::parse(R"({"k": 7, "flag": true, "share": 1, "text": "x", "none": null})"), "");
  EXPECT_EQ(object.number("k", {1, 0, 10}), 7);
  EXPECT_TRUE(object.flag("flag"));
  EXPECT_EQ(object.share("share", 0), 1.0);
  EXPECT_EQ(object.needed_text("text"), "x");
  EXPECT_EQ(object.text("none"), std::nullopt);
  object.check_all_used();
  Parameters wrong(Input::parse(R"({"k": "7", "flag": "true", "text": 1, "big": 18446744073709551615})"),
                   "q[2]: ");
  EXPECT_EQ(failure([&] { wrong.number("k", {1, 0, 10}); }).first, 400);
  EXPECT_EQ(failure([&] { wrong.flag("flag"); }).first, 400);
  EXPECT_THAT(failure([&] { wrong.text("text"); }).second, HasSubstr("q[2]: text should be a string"));
  EXPECT_EQ(failure([&] { wrong.number("big", {1, 0, 10}); }).first, 422);
}

TEST(Parameters, WhatIsWrongIsSaid) {
  Parameters query(
      {{"k", "11"}, {"l", "x"}, {"m", "1.5"}, {"share", "nan"}, {"flag", "yes"}, {"match", "c"}});
  EXPECT_EQ(failure([&] {
              query.number("k", {1, 0, 10});
            }),
            std::pair(422, std::string("k should be from 0 to 10, not 11")));
  EXPECT_EQ(failure([&] { query.number("l", {1, 0, 10}); }).first, 400);
  EXPECT_EQ(failure([&] { query.number("m", {1, 0, 10}); }).first, 400);
  EXPECT_EQ(failure([&] { query.share("share", 0); }).first, 422);
  EXPECT_EQ(failure([&] { query.flag("flag"); }).first, 400);
  EXPECT_THAT(failure([&] { query.choice("match", {"a", "b"}); }).second, HasSubstr("a or b, not 'c'"));
  EXPECT_THAT(failure([&] { query.needed_text("head"); }).second, HasSubstr("head is missing"));
  EXPECT_EQ(failure([&] { query.list("k", 3); }).first, 400);

  EXPECT_THAT(failure([] {
                Parameters(Query{{"a", "1"}, {"a", "2"}});
              }).second,
              HasSubstr("'a' is given twice"));
  Parameters unknown(Query{{"oops\n", "1"}});
  unknown.text("known");
  EXPECT_THAT(failure([&] { unknown.check_all_used(); }).second,
              HasSubstr("there is no 'oops?'; what can be given: known"));
}

TEST(Parameters, ListsAreBounded) {
  const auto size = [](const std::string& json) {
    Parameters object(Input::parse(json), "");
    return failure([&] { object.list("x", 2); }).first;
  };
  EXPECT_EQ(size(R"({"x": [1, 2]})"), 0);
  EXPECT_EQ(size(R"({"x": [1, 2, 3]})"), 422);
  EXPECT_EQ(size(R"({"x": []})"), 422);
  EXPECT_EQ(size(R"({"x": {}})"), 400);
}

TEST(Body, IsAnObjectThatIsNotTooDeep) {
  EXPECT_EQ(parse_body(R"({"a": [{"b": 1}]})")["a"][0]["b"], 1);
  EXPECT_EQ(failure([] { parse_body("[]"); }).first, 400);
  EXPECT_EQ(failure([] { parse_body("{\"a\": "); }).first, 400);
  EXPECT_EQ(failure([] { parse_body(""); }).first, 400);
  EXPECT_EQ(failure([] { parse_body("{\"a\": \"\xFF\"}"); }).first, 400);
  EXPECT_THAT(failure([] { parse_body("{\"a\":" + std::string(100000, '[')); }).second, HasSubstr("deeper"));
}

}  // namespace
}  // namespace greenkgc::server
