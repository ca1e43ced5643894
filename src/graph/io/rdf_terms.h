#pragma once

#include <string>
#include <string_view>

namespace greenkgc::graph {

// The two ways between a label and an RDF term, for the reader and the writer.

// "_:name", the name in ASCII.
bool is_blank_node(std::string_view label);

// In Turtle and TriG the reader keeps names like B12 for nodes without a name. The writer puts this before
// such a name, and before one that starts with it already; the reader takes one off.
inline constexpr std::string_view kBlankEscape = "greenkgc-";
bool needs_blank_escape(std::string_view name);

// Longest namespace that the reader takes for a prefix. A prefix stands for it many times over, and a long
// one would make a small file large in memory.
inline constexpr std::size_t kMaxNamespaceBytes = 4096;

struct Literal {
  std::string_view value;
  std::string_view language;  // of the two at most one is not empty
  std::string_view datatype;  // an IRI
};
// Appends the literal's one form as a label: N-Triples, control characters escaped, the datatype left out if
// it is xsd:string.
void append_literal(std::string& label, const Literal& literal);
bool is_literal(std::string_view label);  // exactly such a form

// Any label as an IRI: urn:greenkgc: and the label with every byte but A-Z a-z 0-9 - . _ ~ percent-encoded.
inline constexpr std::string_view kOwnNamespace = "urn:greenkgc:";
void append_own_iri(std::string& iri, std::string_view label);
// The way back. False, with `label` in any state, if `iri` is none that append_own_iri writes for a label:
// the user's own IRIs of that namespace stay as they are.
bool decode_own_iri(std::string_view iri, std::string& label);

}  // namespace greenkgc::graph
