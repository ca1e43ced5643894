#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/files/byte_source.h"
#include "base/files/output_file.h"
#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

// A label is the IRI without its angle brackets, "_:name" for a blank node, and the N-Triples form for a
// literal ("\"Oslo\"@en"). Labels of graphs that did not come from RDF are written as
// <urn:greenkgc:PERCENT-ENCODED> and get their own form back when read, so that a graph survives the way
// through RDF unchanged: labels, ids and the order of facts. (One that holds labels in the form of literals
// has to be read with keep_literals.)
enum class RdfSyntax { kNTriples, kTurtle, kNQuads, kTriG };

struct RdfReport {
  std::uint64_t triples = 0;
  std::uint64_t literals_skipped = 0;  // facts left out because their object is a literal
  std::uint64_t in_named_graphs = 0;   // facts of N-Quads and TriG in a named graph; its name is dropped
};

// Appends the facts of `source` to `out`, and new labels to the vocabularies. Streaming: memory is that of
// ids and labels, not of the text.
//
// Blank nodes keep their names, and nodes without one are called _:B1, _:B2, ... in the order of the file.
// Names hold for one file only: the caller who reads several files into one graph has the same name for
// different nodes.
//
// Throws kBadInput with name, line and column for: wrong syntax; NUL and invalid UTF-8; a line (N-Triples,
// N-Quads) or a statement (Turtle, TriG) of more than 1 MiB; [ ] and ( ) nested some 200 levels deep; a
// prefix that is not declared; a relative IRI where no base is declared, since its meaning would depend on
// where the file lies.
RdfReport read_rdf(ByteSource& source, RdfSyntax syntax, bool keep_literals, Vocabulary& entities,
                   Vocabulary& relations, Facts& out, const Context& context);

// Writes the facts, in the default graph; does not commit. Turtle and TriG group facts in a row that share
// their subject, and declare the namespaces that are used most. Throws kBadInput for an empty label.
void write_rdf(OutputFile& file, RdfSyntax syntax, const Dataset& dataset, std::span<const Triple> triples,
               const Context& context);

}  // namespace greenkgc::graph
