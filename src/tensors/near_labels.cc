// Labels are put into kinds of likeness, and only those of the closest kind that some label has are named: a
// label that says the same word is a better guess than one that has similar letters ("USA" is United States,
// not
// ".sa"). Within a kind, fewer slips or the smaller difference in length come first, then the order of bytes.
// Small tables are compared as a whole; of large ones, those that begin with the word or contain it, and
// some that stand near it in the order of bytes.
#include "tensors/near_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/edit_distance.h"
#include "base/text.h"
#include "greenkgc/context.h"
#include "tensors/label_search.h"

namespace greenkgc::tensors {
namespace {

constexpr std::size_t kMostCompared = 20'000;
constexpr std::size_t kMostInitials = 200'000;  // labels whose first letters are looked at
constexpr std::size_t kMostFound = 1'000;       // by a search of a large table
constexpr std::size_t kLongestCompared = 128;
constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kShortestBeginning = 3;
constexpr std::size_t kLongestAcronym = 6;

enum class Likeness {
  kSameLetters,    // but for case, spaces and punctuation
  kSameWords,      // one has all words of the other, side by side
  kAcronym,        // the word is made of the label's initials
  kLongerAcronym,  // the same with one more letter, as USA of United States; only if a single label is
  kBeginning,      // the label begins with the word
  kSlips,          // few letters differ
  kSameBeginning,  // at least half of the word begins the label
};

// Bytes of characters beyond ASCII count as letters.
bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

struct Spelling {
  explicit Spelling(std::string_view text) : lower(lower_case(text)) {
    for (std::size_t i = 0; i < lower.size(); ++i) {
      if (!is_letter(lower[i])) continue;
      if (i == 0 || !is_letter(lower[i - 1])) {
        words.emplace_back();
        capitals += lower[i] == text[i] ? ' ' : lower[i];
      }
      words.back() += lower[i];
      letters += lower[i];
    }
  }
  std::string lower;
  std::string letters;  // those of all words
  std::vector<std::string> words;
  std::string capitals;  // for each word its first letter in lower case if it is a capital, else a space
};

bool has_in_a_row(const std::vector<std::string>& words, const std::vector<std::string>& part) {
  return !part.empty() && std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
}

// What an acronym of the label would be: the first letters of its words but small ones, which all have a
// capital
// ("us" for United States, nothing for Ugandan shilling), or none.
std::string initials_of(const Spelling& label) {
  const bool plain = label.capitals.find_first_not_of(' ') == std::string::npos;
  std::string initials;
  for (std::size_t i = 0; i < label.words.size(); ++i) {
    const std::string& word = label.words[i];
    if (word == "of" || word == "the" || word == "and") continue;
    if (!plain && label.capitals[i] == ' ') return "";
    initials += word.front();
  }
  return initials;
}

// How many letters of a word may be wrong.
std::size_t most_slips(std::size_t letters) {
  if (letters < 4) return 0;
  if (letters < 6) return 1;
  return letters < 10 ? 2 : 3;
}

std::size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

std::size_t difference(std::size_t a, std::size_t b) {
  return a < b ? b - a : a - b;
}

struct Match {
  Likeness likeness;
  std::size_t distance;  // within the likeness, the smaller the better
};

std::optional<Match> acronym_match(const Spelling& word, const Spelling& label) {
  const std::size_t size = word.letters.size();
  if (word.words.size() != 1 || size < 2 || size > kLongestAcronym) return std::nullopt;
  const std::string initials = initials_of(label);
  if (initials == word.letters) return Match{Likeness::kAcronym, label.lower.size()};
  if (initials.size() >= 2 && initials.size() + 1 == size && word.letters.starts_with(initials))
    return Match{Likeness::kLongerAcronym, label.lower.size()};
  return std::nullopt;
}

std::optional<Match> match(const Spelling& word, const Spelling& label) {
  const std::size_t apart = difference(word.letters.size(), label.letters.size());
  if (!word.letters.empty() && word.letters == label.letters) return Match{Likeness::kSameLetters, 0};
  const bool says_it = word.letters.size() >= 2 && has_in_a_row(label.words, word.words);
  const bool is_part = 3 * label.letters.size() >= word.letters.size() && label.letters.size() >= 2 &&
                       has_in_a_row(word.words, label.words);
  if (says_it || is_part) return Match{Likeness::kSameWords, apart};
  if (const auto acronym = acronym_match(word, label)) return acronym;
  if (word.lower.size() >= kShortestBeginning && label.lower.starts_with(word.lower))
    return Match{Likeness::kBeginning, apart};
  const std::size_t slips = most_slips(word.lower.size());
  if (slips > 0 && difference(word.lower.size(), label.lower.size()) <= slips) {
    const std::size_t distance = edit_distance(word.lower, label.lower);
    if (distance <= slips) return Match{Likeness::kSlips, distance};
  }
  if (common_beginning(label.lower, word.lower) >= std::max(kShortestBeginning, (word.lower.size() + 1) / 2))
    return Match{Likeness::kSameBeginning, apart};
  return std::nullopt;
}

class NearLabels {
 public:
  NearLabels(const LabelTable& labels, std::string_view word) : labels_(labels), word_(word), text_(word) {}

  std::vector<std::string> best() {
    const auto order = labels_.in_order();
    if (order.size() <= kMostCompared) {
      for (const std::uint32_t id : order) compare(id);
    } else {
      compare_some();
    }
    for (auto& [likeness, found] : found_) {
      if (likeness == Likeness::kLongerAcronym && found.size() > 1) continue;
      std::vector<std::string> named;
      for (const auto& [distance, label] : found) {
        if (named.size() < kMostNamed) named.push_back(in_quotes(label));
      }
      return named;
    }
    return {};
  }

 private:
  void compare(std::uint32_t id) {
    const std::string_view label = labels_.label(id);
    if (label.size() > kLongestCompared) return;
    if (const auto found = match(word_, Spelling(label)))
      found_[found->likeness].emplace(found->distance, label);
  }

  // Of a large table.
  void compare_some() {
    const auto order = labels_.in_order();
    const std::size_t place = place_of(text_);
    const std::size_t begin = place - std::min(place, kMostCompared / 2);
    for (std::size_t at = begin; at < std::min(order.size(), begin + kMostCompared); ++at) compare(order[at]);
    if (word_.words.empty()) return;
    const Context context;
    const std::string& longest =
        *std::max_element(word_.words.begin(), word_.words.end(),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (const std::uint32_t id : labels_that_begin(labels_, text_, kMostFound, context).ids) compare(id);
    if (longest.size() >= kShortestBeginning) {
      for (const std::uint32_t id : labels_that_contain(labels_, longest, kMostFound, context).ids)
        compare(id);
    }
    if (word_.words.size() == 1 && word_.letters.size() <= kLongestAcronym) compare_initials();
  }

  // Labels that begin with the word's first letter as a capital.
  void compare_initials() {
    const char first = word_.letters.front();
    const char capital = first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
    const auto order = labels_.in_order();
    for (std::size_t at = place_of({&capital, 1}), left = kMostInitials; at < order.size() && left > 0;
         ++at, --left) {
      const std::string_view label = labels_.label(order[at]);
      if (!label.starts_with(capital)) break;
      if (label.size() > kLongestCompared) continue;
      if (const auto found = acronym_match(word_, Spelling(label)))
        found_[found->likeness].emplace(found->distance, label);
    }
  }

  std::size_t place_of(std::string_view text) const {
    const auto order = labels_.in_order();
    const auto less = [&](std::uint32_t id, std::string_view other) { return labels_.label(id) < other; };
    return static_cast<std::size_t>(std::lower_bound(order.begin(), order.end(), text, less) - order.begin());
  }

  const LabelTable& labels_;
  const Spelling word_;
  const std::string_view text_;
  std::map<Likeness, std::set<std::pair<std::size_t, std::string_view>>> found_;
};

}  // namespace

std::string did_you_mean(const LabelTable& labels, std::string_view word) {
  if (word.empty() || word.size() > kLongestCompared) return "";
  const std::vector<std::string> named = NearLabels(labels, word).best();
  return named.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(named, " or "));
}

}  // namespace greenkgc::tensors
