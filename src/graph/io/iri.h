#pragma once

#include <string>
#include <string_view>

namespace greenkgc::graph {

// Starts with "scheme:" as RFC 3986 has it.
bool has_scheme(std::string_view iri);

// Has a scheme, and only characters that N-Triples allows between < and >.
bool is_absolute_iri(std::string_view text);

// The reference as seen from `base`, an absolute IRI, by RFC 3986, section 5.2. (serd 0.30 has this too, but
// writes past its buffer for a base like "http://?" and leaves dot segments inside a path.)
std::string resolve_iri(std::string_view base, std::string_view reference);

}  // namespace greenkgc::graph
