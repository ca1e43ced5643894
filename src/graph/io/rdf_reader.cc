#include <fmt/format.h>
#include <serd/serd.h>

#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/io/format.h"
#include "graph/io/iri.h"
#include "graph/io/rdf.h"
#include "graph/io/rdf_terms.h"
#include "graph/io/rdf_text.h"
#include "greenkgc/error.h"

// serd 0.30.16 does the parsing. What it leaves to its caller, found by reading and fuzzing it:
// - Given pages, it reads on in the stale rest of a page after an unexpected end, and wrong TriG can keep it
//   there for ever. Given single bytes, it does not, and the place of an error is known exactly. That costs a
//   third of its speed.
// - After some errors it goes on. Here the first error counts, and from then on there is no more input.
// - Nested [ ] and ( ) recurse without limit; each level passes on_statement, which measures the stack.
// - It keeps the subjects and predicates of N-Quads until the reader is freed: a new reader for each block.
// - SerdEnv writes past its buffer for some IRIs, so prefixes and base are kept here.
// - It takes a subject _:base, _:prefix or _:graph for the keyword, unless blank nodes get a prefix; we
// choose
//   "_:", which makes the name the label.
// Left as they are: the relative IRIs <base>, <prefix> and <graph> are refused as subjects; in a Turtle
// string of three quotes, an escape right after a quote stays unread; _:b1 after _:B1 is taken for the same
// node (the other way round it is refused).

namespace greenkgc::graph {
namespace {

// A level of nesting takes some 600 bytes of stack.
constexpr std::uintptr_t kMaxStackBytes = 128 << 10;
constexpr std::string_view kXsdInteger = "http://www.w3.org/2001/XMLSchema#integer";

struct ReaderDeleter {
  void operator()(SerdReader* reader) const { serd_reader_free(reader); }
};

std::string_view text_of(const SerdNode& node) {
  return {reinterpret_cast<const char*>(node.buf), node.n_bytes};
}

std::uintptr_t stack_address() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

std::string message_of(const SerdError& error) {
  std::array<char, 200> buffer{};
  std::vsnprintf(buffer.data(), buffer.size(), error.fmt, *error.args);
  std::string message;
  for (const char c : std::string_view(buffer.data())) {
    if (c >= 0x20 && c < 0x7F) {
      message += c;
    } else if (c != '\n') {
      message += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    }
  }
  return message;
}

bool is_by_line(RdfSyntax syntax) {
  return syntax == RdfSyntax::kNTriples || syntax == RdfSyntax::kNQuads;
}

// N-Triples are read as N-Quads without graphs: serd's N-Triples lets commas and semicolons pass.
SerdSyntax serd_syntax(RdfSyntax syntax) {
  if (syntax == RdfSyntax::kTurtle) return SERD_TURTLE;
  return syntax == RdfSyntax::kTriG ? SERD_TRIG : SERD_NQUADS;
}

// Facts on their way to ids: a batch of labels is looked up several times as fast as one label at a time.
class FactBatch {
 public:
  FactBatch(Vocabulary& entities, Facts& out) : entities_(entities), out_(out) {}

  void add(std::string_view label) {
    tokens_.push_back({static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(label.size()),
                       Vocabulary::hash(label)});
    text_ += label;
  }
  // The fact of the two labels added last: head, then tail.
  void finish_fact(RelationId relation) {
    relations_.push_back(relation);
    if (relations_.size() == kFacts || text_.size() > kTextBytes) flush();
  }
  void flush() {
    ids_.resize(tokens_.size());
    entities_.intern(text_.data(), tokens_, ids_.data());
    for (std::size_t i = 0; i < relations_.size(); ++i) {
      out_.triples.push_back({EntityId{ids_[2 * i]}, relations_[i], EntityId{ids_[2 * i + 1]}});
    }
    text_.clear();
    tokens_.clear();
    relations_.clear();
  }

 private:
  static constexpr std::size_t kFacts = 1024;
  static constexpr std::size_t kTextBytes = 1 << 20;

  Vocabulary& entities_;
  Facts& out_;
  std::string text_;
  std::vector<Vocabulary::Token> tokens_;  // two for each fact
  std::vector<RelationId> relations_;
  std::vector<std::uint32_t> ids_;
};

class RdfReading {
 public:
  RdfReading(ByteSource& source, RdfSyntax syntax, bool keep_literals, Vocabulary& entities,
             Vocabulary& relations, Facts& out, const Context& context)
      : source_(source),
        syntax_(syntax),
        keep_literals_(keep_literals),
        relations_(relations),
        facts_(entities, out),
        progress_(context, fmt::format("reading {}", source.name()), source.size(), "bytes"),
        text_(source, is_by_line(syntax) ? RdfText::Blocks::kWholeLines : RdfText::Blocks::kAnywhere) {}

  RdfReport run() {
    while (next_block()) parse();
    facts_.flush();
    return report_;
  }

 private:
  bool next_block() {
    const bool more = text_.next_block();
    progress_.set(source_.position());
    return more;
  }

  // Parses to the end of the block (by line) or of the text.
  void parse() {
    const std::unique_ptr<SerdReader, ReaderDeleter> reader(
        serd_reader_new(serd_syntax(syntax_), this, nullptr, on_base, on_prefix, on_statement, nullptr));
    if (reader == nullptr) throw std::bad_alloc();
    serd_reader_set_strict(reader.get(), true);
    serd_reader_set_error_sink(reader.get(), on_error, this);
    serd_reader_add_blank_prefix(reader.get(), reinterpret_cast<const std::uint8_t*>("_:"));
    starved_ = false;
    stack_base_ = stack_address();
    const SerdStatus status =
        serd_reader_read_source(reader.get(), on_read, on_read_error, this, nullptr, /*page_size=*/1);
    if (failure_) std::rethrow_exception(failure_);
    // Some refusals come without an error, and from N-Quads as a mere end.
    if (status != SERD_SUCCESS || !starved_) throw syntax_error("unexpected character");
  }

  // serd calls these. Exceptions must not pass through it: they wait in failure_.
  template <class Action>
  static SerdStatus guarded(void* handle, Action action) {
    auto& reading = *static_cast<RdfReading*>(handle);
    if (reading.failure_) return SERD_ERR_UNKNOWN;
    try {
      action(reading);
      return SERD_SUCCESS;
    } catch (...) {
      reading.failure_ = std::current_exception();
      reading.text_.stop();
      return SERD_ERR_UNKNOWN;
    }
  }
  static std::size_t on_read(void* byte, std::size_t, std::size_t, void* handle) {
    auto& reading = *static_cast<RdfReading*>(handle);
    if (reading.text_.next_byte(*static_cast<char*>(byte))) return 1;
    guarded(handle, [](RdfReading& self) { self.find_more(); });
    return reading.text_.next_byte(*static_cast<char*>(byte)) ? 1 : 0;
  }
  static int on_read_error(void* handle) { return static_cast<RdfReading*>(handle)->failure_ ? 1 : 0; }
  static SerdStatus on_error(void* handle, const SerdError* error) {
    return guarded(handle, [&](RdfReading& self) { self.take_error(*error); });
  }
  static SerdStatus on_base(void* handle, const SerdNode* iri) {
    return guarded(handle, [&](RdfReading& self) { self.take_base(text_of(*iri)); });
  }
  static SerdStatus on_prefix(void* handle, const SerdNode* name, const SerdNode* iri) {
    return guarded(handle, [&](RdfReading& self) { self.take_prefix(text_of(*name), text_of(*iri)); });
  }
  static SerdStatus on_statement(void* handle, SerdStatementFlags flags, const SerdNode* graph,
                                 const SerdNode* subject, const SerdNode* predicate, const SerdNode* object,
                                 const SerdNode* datatype, const SerdNode* language) {
    return guarded(handle, [&](RdfReading& self) {
      self.check_statement(flags, graph != nullptr);
      self.take_fact(*subject, *predicate, *object, {datatype, language}, graph != nullptr);
    });
  }

  void find_more();
  [[noreturn]] void take_error(const SerdError& error) const;
  Error syntax_error(std::string_view what) const;
  void check_statement(SerdStatementFlags flags, bool in_graph);

  struct LiteralKind {
    const SerdNode* datatype;
    const SerdNode* language;
  };
  void take_fact(const SerdNode& subject, const SerdNode& predicate, const SerdNode& object, LiteralKind kind,
                 bool in_graph);
  void check_namespace(std::string_view iri);
  void take_base(std::string_view iri);
  void take_prefix(std::string_view name, std::string_view iri);

  // The results live until the next call.
  std::string_view label_of(const SerdNode& node);
  std::string_view blank_label(std::string_view text);
  std::string_view literal_label(const SerdNode& object, LiteralKind kind);
  std::string_view iri_of(const SerdNode& node);
  std::string_view absolute(std::string_view iri);
  std::string_view expanded(std::string_view prefixed_name);

  ByteSource& source_;
  const RdfSyntax syntax_;
  const bool keep_literals_;
  Vocabulary& relations_;
  FactBatch facts_;
  ProgressTask progress_;
  RdfText text_;
  RdfReport report_;

  std::string base_;                                          // empty: none declared
  std::map<std::string, std::string, std::less<>> prefixes_;  // without the colon
  std::exception_ptr failure_;
  bool starved_ = false;              // serd was told that the input is at its end
  std::uint64_t last_statement_ = 0;  // text_.given() when serd last finished something
  std::uintptr_t stack_base_ = 0;
  std::string iri_;    // made by absolute() and expanded()
  std::string label_;  // made by the others
};

void RdfReading::find_more() {
  text_.check_block_end();
  if (text_.given() - last_statement_ > kMaxLineBytes && !is_by_line(syntax_)) {
    throw text_.error_here(
        fmt::format("no end of a statement within {} bytes, which is the limit", with_commas(kMaxLineBytes)));
  }
  starved_ = is_by_line(syntax_) || !next_block();
  text_.check_block_end();
}

Error RdfReading::syntax_error(std::string_view what) const {
  return text_.error_here(fmt::format("not {}: {}", rdf_name(syntax_),
                                      starved_ ? "the file ends in the middle of a statement" : what));
}

void RdfReading::take_error(const SerdError& error) const {
  if (error.status == SERD_ERR_ID_CLASH) {
    throw text_.error_here(
        "blank nodes named like b1 and others named like B1 cannot be distinguished; rename one kind");
  }
  throw syntax_error(message_of(error));
}

void RdfReading::check_statement(SerdStatementFlags flags, bool in_graph) {
  last_statement_ = text_.given();
  if (is_by_line(syntax_) && flags != 0) throw syntax_error("[ ] and ( ) are Turtle syntax");
  if (in_graph && syntax_ == RdfSyntax::kNTriples) throw syntax_error("a fourth term; is this N-Quads?");
  if (stack_base_ - stack_address() > kMaxStackBytes) {
    throw text_.error_here("[ ] or ( ) nested too deeply; the limit is about 200 levels");
  }
}

void RdfReading::take_fact(const SerdNode& subject, const SerdNode& predicate, const SerdNode& object,
                           LiteralKind kind, bool in_graph) {
  if (object.type == SERD_LITERAL && !keep_literals_) {
    ++report_.literals_skipped;
    return;
  }
  facts_.add(label_of(subject));
  facts_.add(object.type == SERD_LITERAL ? literal_label(object, kind) : label_of(object));
  facts_.finish_fact(RelationId{relations_.intern(label_of(predicate))});
  ++report_.triples;
  if (in_graph) ++report_.in_named_graphs;
}

void RdfReading::check_namespace(std::string_view iri) {
  last_statement_ = text_.given();
  if (iri.size() > kMaxNamespaceBytes) {
    throw text_.error_here(fmt::format("a base or namespace of {}; the limit is {}",
                                       count_of(iri.size(), "byte"), with_commas(kMaxNamespaceBytes)));
  }
}

void RdfReading::take_base(std::string_view iri) {
  check_namespace(iri);
  base_ = std::string(absolute(iri));
}

void RdfReading::take_prefix(std::string_view name, std::string_view iri) {
  check_namespace(iri);
  // A relative one without a base is an error only where it is used.
  prefixes_[std::string(name)] = base_.empty() ? std::string(iri) : resolve_iri(base_, iri);
}

std::string_view RdfReading::label_of(const SerdNode& node) {
  if (node.type == SERD_BLANK) return blank_label(text_of(node));
  const std::string_view iri = iri_of(node);
  return decode_own_iri(iri, label_) ? std::string_view(label_) : iri;
}

// In Turtle and TriG serd makes B12 of a name b12, to give b1, b2, ... to nodes without a name. We turn that
// round, so that names stay and the others are called B1, B2, ...
std::string_view RdfReading::blank_label(std::string_view text) {
  if (is_by_line(syntax_)) return text;
  const std::string_view name = text.substr(2);
  label_ = "_:";
  if (name.starts_with(kBlankEscape)) {
    label_ += name.substr(kBlankEscape.size());
  } else if (name.size() >= 2 && (name[0] == 'b' || name[0] == 'B') && name[1] >= '0' && name[1] <= '9') {
    label_ += name[0] == 'b' ? 'B' : 'b';
    label_ += name.substr(1);
  } else {
    label_ += name;
  }
  return label_;
}

std::string_view RdfReading::literal_label(const SerdNode& object, LiteralKind kind) {
  Literal literal{.value = text_of(object), .language = {}, .datatype = {}};
  if (!is_utf8(literal.value)) {
    throw text_.error_here("a literal with an escaped surrogate, which is not a character");
  }
  if (kind.language != nullptr) {
    literal.language = text_of(*kind.language);
  } else if (kind.datatype != nullptr) {
    literal.datatype = iri_of(*kind.datatype);
  } else if (!is_by_line(syntax_) && text_.given_byte(starved_ ? 0 : 1) == '.') {
    // serd forgets the datatype of an integer with the statement's full stop right behind it. The full stop
    // is the last byte that it has taken; after a string that is a quote.
    literal.datatype = kXsdInteger;
  }
  label_.clear();
  append_literal(label_, literal);
  return label_;
}

std::string_view RdfReading::iri_of(const SerdNode& node) {
  const std::string_view iri = node.type == SERD_CURIE ? expanded(text_of(node)) : absolute(text_of(node));
  if (is_absolute_iri(iri)) return iri;
  throw text_.error_here(
      fmt::format("{} has an escaped character that is not allowed in an IRI", in_quotes(iri)));
}

std::string_view RdfReading::absolute(std::string_view iri) {
  if (has_scheme(iri)) return iri;
  if (base_.empty()) {
    throw text_.error_here(fmt::format(
        "{} is a relative IRI, but the file declares no base; add '@base <http://...> .' at the top",
        in_quotes(iri)));
  }
  iri_ = resolve_iri(base_, iri);
  return iri_;
}

std::string_view RdfReading::expanded(std::string_view prefixed_name) {
  const std::size_t colon = prefixed_name.find(':');
  const auto prefix = prefixes_.find(prefixed_name.substr(0, colon));
  if (colon == std::string_view::npos || prefix == prefixes_.end()) {
    throw text_.error_here(fmt::format("the prefix of {} is not declared; declare it with '@prefix' above",
                                       in_quotes(prefixed_name)));
  }
  iri_.assign(prefix->second).append(prefixed_name.substr(colon + 1));
  return absolute(iri_);
}

}  // namespace

RdfReport read_rdf(ByteSource& source, RdfSyntax syntax, bool keep_literals, Vocabulary& entities,
                   Vocabulary& relations, Facts& out, const Context& context) {
  return RdfReading(source, syntax, keep_literals, entities, relations, out, context).run();
}

}  // namespace greenkgc::graph
