#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace greenkgc::server {

// JSON from the network. Not Json, whose objects keep an order at the price of time that is quadratic in
// their size.
using Input = nlohmann::json;

// A whole number and what it may be.
struct Bounded {
  std::int64_t standard = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
};

// What a request asks for, by name: the parameters of a query, or the members of a JSON object, of which
// numbers and truth values have their own types. All calls throw HttpError: 400 for what is not as it should
// be, 422 for a number beyond its bounds.
class Parameters {
 public:
  explicit Parameters(const std::multimap<std::string, std::string>& query);
  // `where` is put before complaints: "questions[3]: ".
  Parameters(const Input& object, std::string where);

  std::optional<std::string> text(const std::string& name);  // nothing for null, too
  std::string needed_text(const std::string& name);
  std::int64_t number(const std::string& name, const Bounded& bounds);
  double share(const std::string& name, double standard);  // in [0, 1]
  bool flag(const std::string& name);                      // false if it is missing
  std::string choice(const std::string& name,
                     const std::vector<std::string>& choices);  // the first if missing
  // Of objects: an array that has one to `most` elements.
  const Input& list(const std::string& name, std::int64_t most);

  // After all others: throws if there is something that was not asked for.
  void check_all_used() const;

  [[noreturn]] void fail(int status, const std::string& message) const;

 private:
  const Input* find(const std::string& name);

  Input values_;  // an object
  bool from_query_;
  std::string where_;
  std::set<std::string> asked_;
};

// A request's body, which must be a JSON object. Throws HttpError 400.
Input parse_body(std::string_view body);

}  // namespace greenkgc::server
