#pragma once

#include <string>
#include <string_view>

namespace greenkgc::server {

// The token that requests must bring: the first line of the file, or without a file the environment variable
// GREENKGC_TOKEN; "" if there is neither. Throws kBadInput for a file that cannot be read, and for a token
// that is shorter than 16 characters or has others than visible ASCII.
std::string configured_token(const std::string& file);

// Whether the Authorization header is "Bearer TOKEN". Takes a time that depends on the header's length alone.
bool has_token(std::string_view authorization, std::string_view token);

}  // namespace greenkgc::server
