#include "server/token.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "greenkgc/error.h"

namespace greenkgc::server {
namespace {

constexpr std::string_view kScheme = "Bearer ";
constexpr std::size_t kShortest = 16;

}  // namespace

std::string configured_token(const std::string& file) {
  std::string token;
  std::string from = "GREENKGC_TOKEN";
  if (!file.empty()) {
    from = file;
    std::ifstream lines(file);
    if (!std::getline(lines, token))
      throw Error(ErrorCode::kBadInput, fmt::format("{}: no token can be read from it", file));
    if (token.ends_with('\r')) token.pop_back();
  } else if (const char* value = std::getenv("GREENKGC_TOKEN")) {
    token = value;
  } else {
    return "";
  }
  const bool visible = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7F'; });
  if (token.size() < kShortest || !visible)
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: a token has at least {} visible ASCII characters", from, kShortest));
  return token;
}

bool has_token(std::string_view authorization, std::string_view token) {
  if (authorization.size() < kScheme.size() ||
      ::strncasecmp(authorization.data(), kScheme.data(), kScheme.size()) != 0)
    return false;
  const std::string_view given = authorization.substr(kScheme.size());
  std::size_t difference = given.size() ^ token.size();
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ token[i % token.size()]);
  return difference == 0;
}

}  // namespace greenkgc::server
