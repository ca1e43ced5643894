#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/output_file.h"
#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

// RDF by serd. A label is the IRI without its angle brackets, "_:name" for a blank node, and the N-Triples
// form for a literal ("\"Oslo\"@en"). Labels of graphs that did not come from RDF are written as
// <urn:greenkgc:PERCENT-ENCODED> and get their own form back when read, so that a graph survives the way
// through RDF unchanged.
enum class RdfSyntax { kNTriples, kTurtle, kNQuads, kTriG };

struct RdfReport {
  std::uint64_t triples = 0;
  std::uint64_t literals_skipped = 0;  // facts left out because their object is a literal
  std::uint64_t in_named_graphs =
      0;  // facts of NQuads and TriG that are in a named graph; the name is dropped
};

// Appends the facts of `source` to `out`, and new labels to the vocabularies. Streaming: one statement at a
// time. Throws kBadInput with name, line and column for wrong syntax, for a term of more than 1 MiB, and for
// an IRI that cannot be resolved.
RdfReport read_rdf(ByteSource& source, RdfSyntax syntax, bool keep_literals, Vocabulary& entities,
                   Vocabulary& relations, Facts& out, const Context& context);

// Writes the facts; does not commit. Turtle and TriG group the facts of one subject in a row and declare the
// namespaces that they use.
void write_rdf(OutputFile& file, RdfSyntax syntax, const Dataset& dataset, std::span<const Triple> triples,
               const Context& context);

}  // namespace greenkgc::graph
