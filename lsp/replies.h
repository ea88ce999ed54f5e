// What servers reply about a place in a document: its hover, its references and implementations, its
// neighbours in the hierarchies of calls and of types, the diagnostics of the document (LSP 3.17, "Hover
// Request", "Find References Request", "Goto Implementation Request", "Call Hierarchy", "Type Hierarchy",
// "Document Diagnostics"). All texts are valid UTF-8. A decoder reads only the value that `json` starts with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/position.h"

namespace symbols::lsp {

// One piece of a hover's contents.
struct HoverPart {
  enum class Form {
    markdown,   // MarkupContent of kind markdown, or a bare string
    plaintext,  // MarkupContent of kind plaintext
    code,       // {language, value}: the value is source text
  };
  Form form = Form::markdown;
  std::string value;

  bool operator==(const HoverPart&) const = default;
};

struct Hover {
  std::vector<HoverPart> parts;  // empty for a null hover (null, "", [])
  std::optional<Range> range;
};

// Decodes the `result` of a hover reply in every shape that servers send: MarkupContent, a string, {language,
// value}, an array of the last two. Null gives a Hover without parts. Errors: not JSON, or no such shape.
Result<Hover> decode_hover(std::string_view json);

// The first ones of a list, in the server's order.
template <class T>
struct ListStart {
  std::vector<T> first;
  std::size_t total = 0;  // of the whole list
};

// A position in a document.
struct Place {
  std::string uri;
  Position position;

  auto operator<=>(const Place&) const = default;
};

struct Location {
  std::string uri;  // as the server wrote it
  Range range;
  std::optional<Place> named{};  // not from the server: the declaration, where it is not the one asked about

  bool operator==(const Location&) const = default;
};

// A neighbour of a symbol in the hierarchy of calls or of types.
struct HierarchyItem {
  std::string name;
  std::int64_t kind = 0;           // LSP's SymbolKind
  std::string uri;                 // of its document, as the server wrote it
  Range selection_range;           // its name
  std::vector<Range> from_ranges;  // the calls, in the document of the caller; none of a type
  std::optional<Place> named{};    // by the calls; as in a Location

  bool operator==(const HierarchyItem&) const = default;
};

using LocationList = ListStart<Location>;
using HierarchyList = ListStart<HierarchyItem>;

// Decodes the `result` of a reply to references or implementation: locations, links, or one location; null is
// an empty list. Reads the first `most` of a list. Errors: not JSON, or another shape.
Result<LocationList> decode_locations(std::string_view json, std::size_t most);
// The same for a reply to incomingCalls, outgoingCalls, supertypes or subtypes.
Result<HierarchyList> decode_hierarchy(std::string_view json, std::size_t most);

// The first item of a reply to prepareCallHierarchy or prepareTypeHierarchy, as the server wrote it: it is
// sent back unchanged in the request for its neighbours. None if the server has none for the position (null,
// []). A view of `json`. Error: not of that shape.
Result<std::optional<std::string_view>> prepared_hierarchy_item(std::string_view json);

struct TextEdit {
  Range range;
  std::string new_text;

  bool operator==(const TextEdit&) const = default;
};
struct DocumentEdits {
  std::string uri;  // as the server wrote it
  std::vector<TextEdit> edits;
};

// Decodes a WorkspaceEdit, the `result` of textDocument/rename; null has none. A document may come more than
// once. Errors: not JSON, or not of that shape; it creates, renames or deletes files too.
Result<std::vector<DocumentEdits>> decode_workspace_edit(std::string_view json);

struct Diagnostic {
  Range range;
  std::int64_t severity = 1;  // 1 error, 2 warning, 3 information, 4 hint; an error if it is missing
  std::string code;           // a number is kept as its digits; may be empty
  bool code_is_number = false;
  std::string source;   // the tool ("clang-tidy"); may be empty
  std::string message;  // may have lines

  bool operator==(const Diagnostic&) const = default;
};

using DiagnosticList = ListStart<Diagnostic>;

// No more than this many of a list are decoded.
inline constexpr std::size_t max_diagnostics = 5000;

// Decodes a Diagnostic[]. Errors: not JSON, or not of that shape.
Result<DiagnosticList> decode_diagnostics(std::string_view json);

// The same for a DocumentDiagnosticReport, the `result` of textDocument/diagnostic. An `unchanged` report is
// an error: we never send a previous result's id.
Result<DiagnosticList> decode_diagnostic_report(std::string_view json);

}  // namespace symbols::lsp
