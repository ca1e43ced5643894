#include "server/token.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::server {
namespace {

TEST(Token, MustBeTheWholeToken) {
  const std::string token = "0123456789abcdef";
  EXPECT_TRUE(has_token("Bearer 0123456789abcdef", token));
  EXPECT_TRUE(has_token("bearer 0123456789abcdef", token));
  for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
                            "Bearer 0123456789abcdeF", "Basic 0123456789abcdef", "0123456789abcdef",
                            "Bearer 0123456789abcdef0123456789abcdef"})
    EXPECT_FALSE(has_token(wrong, token)) << wrong;
}

TEST(Token, ComesFromAFileOrTheEnvironment) {
  const TemporaryFolder folder;
  folder.write("t", "0123456789abcdef\r\nsecond line\n");
  folder.write("short", "abc\n");
  folder.write("empty", "");
  ::unsetenv("GREENKGC_TOKEN");
  EXPECT_EQ(configured_token(""), "");
  EXPECT_EQ(configured_token((folder.path() / "t").string()), "0123456789abcdef");
  for (const char* name : {"short", "empty", "missing"})
    EXPECT_THROW(configured_token((folder.path() / name).string()), Error) << name;
  ::setenv("GREENKGC_TOKEN", "fedcba9876543210", 1);
  EXPECT_EQ(configured_token(""), "fedcba9876543210");
  EXPECT_EQ(configured_token((folder.path() / "t").string()), "0123456789abcdef");
  ::setenv("GREENKGC_TOKEN", "with a space in it", 1);
  EXPECT_THROW(configured_token(""), Error);
  ::unsetenv("GREENKGC_TOKEN");
}

}  // namespace
}  // namespace greenkgc::server
