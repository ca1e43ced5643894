#include "graph/io/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace greenkgc::graph {
namespace {

using Names = std::array<std::string_view, 7>;
constexpr Names kHeadNames = {"head", "h", "subject", "subj", "source", "from", "head_id"};
constexpr Names kRelationNames = {"relation", "r", "predicate", "pred", "property", "rel", "edge"};
constexpr Names kTailNames = {"tail", "t", "object", "obj", "target", "to", "tail_id"};
constexpr Names kWeightNames = {"weight", "w", "score", "confidence", "probability", "value", "count"};

bool is_one_of(const Names& names, std::string_view field) {
  return std::find(names.begin(), names.end(), lower_case(field)) != names.end();
}

// The first lines that are not blank, without line ends; a line that the head cuts off is left out.
std::vector<std::string> first_lines(std::string_view head, std::size_t most) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  std::vector<std::string> lines;
  while (!head.empty() && lines.size() < most) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && !lines.empty()) break;
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

struct Fields {
  int count;
  std::array<std::string_view, 4> field;
};

Fields split(std::string& line, char separator) {
  Fields fields{};
  fields.count = split_line(line, separator, fields.field);
  return fields;
}

bool is_whole_number(std::string_view text) {
  std::uint64_t ignored = 0;
  return parse_u64(text, ignored);
}

// OpenKE: a count, then three ids a line.
bool has_count_line(std::vector<std::string> lines) {
  if (lines.size() < 2 || !is_whole_number(split(lines[0], ' ').field[0]) || split(lines[0], ' ').count != 1)
    return false;
  const Fields row = split(lines[1], ' ');
  return row.count == 3 && std::all_of(row.field.begin(), row.field.begin() + 3, is_whole_number);
}

std::optional<DelimitedFormat::Columns> header_columns(const Fields& fields) {
  if (fields.count != 3 && fields.count != 4) return std::nullopt;
  std::optional<std::uint8_t> head;
  std::optional<std::uint8_t> relation;
  std::optional<std::uint8_t> tail;
  for (std::uint8_t i = 0; i < 3; ++i) {
    if (is_one_of(kHeadNames, fields.field[i])) head = i;
    if (is_one_of(kRelationNames, fields.field[i])) relation = i;
    if (is_one_of(kTailNames, fields.field[i])) tail = i;
  }
  if (!head || !relation || !tail) return std::nullopt;
  if (fields.count == 4 && !is_one_of(kWeightNames, fields.field[3])) return std::nullopt;
  return DelimitedFormat::Columns{*head, *relation, *tail, fields.count == 4};
}

DelimitedFormat delimited(std::vector<std::string> lines, char separator) {
  DelimitedFormat format{.separator = separator};
  if (lines.empty()) return format;
  const Fields first = split(lines[0], separator);
  if (const auto columns = header_columns(first)) {
    format.header = true;
    format.columns = *columns;
  } else {
    format.columns.weight = first.count == 4;
  }
  return format;
}

DelimitedFormat openke() {
  return {.separator = ' ', .count_line = true, .columns = {.head = 0, .relation = 2, .tail = 1}};
}

// The one that cuts the line into the columns of a fact; if both or none do, the more frequent.
char comma_or_semicolon(const std::string& line) {
  const auto fits = [&](char separator) {
    std::string copy = line;
    const int count = split(copy, separator).count;
    return count == 3 || count == 4;
  };
  if (fits(',') != fits(';')) return fits(',') ? ',' : ';';
  return std::count(line.begin(), line.end(), ';') > std::count(line.begin(), line.end(), ',') ? ';' : ',';
}

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

// SPARQL's directives are written in any case; so that "base<TAB>is<TAB>acid" stays a fact, an IRI must
// follow.
bool starts_like_turtle(std::string_view line) {
  if (line.starts_with("@prefix") || line.starts_with("@base")) return true;
  std::string copy(line);
  const Fields words = split(copy, ' ');
  if (words.count == 2 && lower_case(words.field[0]) == "base") return words.field[1].starts_with('<');
  return words.count >= 2 && lower_case(words.field[0]) == "prefix" &&
         words.field[1].find(':') != std::string_view::npos && line.find('<') != std::string_view::npos;
}

// A subject and behind it the IRI of a predicate.
bool starts_like_ntriples(std::string_view line) {
  std::size_t subject = std::string_view::npos;
  if (line.starts_with('<')) subject = line.find('>');
  if (line.starts_with("_:")) subject = line.find_first_of(" \t<") - 1;
  if (subject >= line.size()) return false;
  line.remove_prefix(subject + 1);
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  return line.starts_with('<');
}

// N-Triples and its relatives, by the look of the first statement; Turtle and TriG by their directives.
std::optional<RdfSyntax> sniff_rdf(const std::vector<std::string>& lines) {
  const auto statement =
      std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line[0] != '#'; });
  if (statement == lines.end()) return std::nullopt;
  if (starts_like_turtle(*statement)) {
    const bool graphs =
        std::any_of(statement, lines.end(), [](const auto& line) { return line.ends_with('{'); });
    return graphs ? RdfSyntax::kTriG : RdfSyntax::kTurtle;
  }
  std::string_view line = *statement;
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  if (!starts_like_ntriples(line) || !line.ends_with('.')) return std::nullopt;
  std::string copy(line);
  const bool has_graph = split(copy, ' ').count > 4 && line.find('"') == std::string::npos;
  return has_graph ? RdfSyntax::kNQuads : RdfSyntax::kNTriples;
}

char sniff_separator(const std::string& line) {
  if (line.find('\t') != std::string::npos) return '\t';
  std::string copy = line;
  if (const char separator = comma_or_semicolon(line); split(copy, separator).count >= 3) return separator;
  copy = line;
  return split(copy, ' ').count >= 3 ? ' ' : '\t';
}

FileFormat sniff(const std::vector<std::string>& lines) {
  if (lines.empty()) return DelimitedFormat{};
  if (has_count_line(lines)) return openke();
  if (const auto syntax = sniff_rdf(lines)) return *syntax;
  return delimited(lines, sniff_separator(lines[0]));
}

}  // namespace

FileFormat detect_format(const std::filesystem::path& path, std::string_view head,
                         std::string_view requested) {
  const std::vector<std::string> lines = first_lines(head, 50);
  std::string name(requested);
  if (requested == "auto") {
    name = without_compression(path).extension().string();
    if (!name.empty()) name.erase(0, 1);
  }
  if (const auto syntax = rdf_syntax(name)) return *syntax;
  if (name == "openke") return openke();
  if (name == "csv") return delimited(lines, lines.empty() ? ',' : comma_or_semicolon(lines[0]));
  if (name == "tsv" || name == "dict" || name == "libkge" || name == "del") return delimited(lines, '\t');
  return sniff(lines);
}

std::string describe(const FileFormat& format, Naming naming) {
  if (const auto* syntax = std::get_if<RdfSyntax>(&format)) return std::string(rdf_name(*syntax));
  const auto& table = std::get<DelimitedFormat>(format);
  const std::string_view separated = table.separator == '\t'  ? "tab-separated"
                                     : table.separator == ' ' ? "space-separated"
                                     : table.separator == ',' ? "comma-separated"
                                                              : "semicolon-separated";
  const std::string what = table.count_line         ? "OpenKE ids"
                           : naming == Naming::kIds ? "ids"
                                                    : fmt::format("{} labels", separated);
  std::array<std::string_view, 3> order;
  order[table.columns.head] = "head";
  order[table.columns.relation] = "relation";
  order[table.columns.tail] = "tail";
  return fmt::format("{}{}, order {} {} {}{}", what, table.header ? " with a header" : "", order[0], order[1],
                     order[2], table.columns.weight ? " weight" : "");
}

std::filesystem::path without_compression(std::filesystem::path path) {
  if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
  return path;
}

namespace {

constexpr std::array<std::pair<std::string_view, RdfSyntax>, 4> kRdfExtensions = {
    {{"nt", RdfSyntax::kNTriples},
     {"ttl", RdfSyntax::kTurtle},
     {"nq", RdfSyntax::kNQuads},
     {"trig", RdfSyntax::kTriG}}};

}  // namespace

std::optional<RdfSyntax> rdf_syntax(std::string_view name) {
  for (const auto& [extension, syntax] : kRdfExtensions) {
    if (name == extension) return syntax;
  }
  return std::nullopt;
}

std::string_view rdf_name(RdfSyntax syntax) {
  switch (syntax) {
    case RdfSyntax::kNTriples:
      return "N-Triples";
    case RdfSyntax::kTurtle:
      return "Turtle";
    case RdfSyntax::kNQuads:
      return "N-Quads";
    case RdfSyntax::kTriG:
      return "TriG";
  }
  return "";
}

}  // namespace greenkgc::graph
