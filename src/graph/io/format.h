#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "graph/io/delimited.h"
#include "graph/io/rdf.h"

namespace greenkgc::graph {

// How one file of triples is written.
using FileFormat = std::variant<DelimitedFormat, RdfSyntax>;

// Bytes that detect_format() wants to see.
inline constexpr std::size_t kDetectBytes = 64 << 10;

// Goes by the name (without .gz, .zst), then by the first bytes. `requested` is a name from --format; "auto"
// looks, anything else is taken at its word, and only details (separator, header, weights) are looked for.
FileFormat detect_format(const std::filesystem::path& path, std::string_view head,
                         std::string_view requested);

// "tab-separated labels, order head relation tail".
std::string describe(const FileFormat& format, Naming naming);

std::filesystem::path without_compression(std::filesystem::path path);  // drops .gz and .zst
std::optional<RdfSyntax> rdf_syntax(std::string_view name);             // "nt", "ttl", "nq", "trig"
std::string_view rdf_name(RdfSyntax syntax);                            // "N-Triples", ...

}  // namespace greenkgc::graph
