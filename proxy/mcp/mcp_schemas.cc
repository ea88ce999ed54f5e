#include "proxy/mcp/tool_questions.h"

namespace symbols::mcp {

// Every argument has one type: clients that check schemas strictly (Gemini CLI) complain about several.
const std::vector<Tool>& tool_schemas() {
  static const std::vector<Tool> tools = {
      {.name = "outline",
       .title = "Outline of files",
       .description = "What is in source files: every class, function, method, field, nested, with its "
                      "lines. Use it before reading a file: it costs a tenth of the file, and says which "
                      "lines to read. Each symbol is a letter for its kind, its first line (a last one if it "
                      "is 20 lines or longer) and its name: `c28-44 Rectangle` is a class on lines 28 to 44. "
                      "Letters: c class, i interface, s struct, e enum, E enum member, f function, m method, "
                      "C constructor, p property, F field, v variable, k constant, n namespace, M module, T "
                      "type parameter. Indentation is nesting; after a space or comma follow the next "
                      "symbols of the same kind, on the next or the same line; +N are N folded ones.",
       .input_schema =
           R"json({"type":"object","properties":{)json"
           R"json("paths":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":1000,"description":"Files or folders, relative to the project's root or absolute"},)json"
           R"json("detail":{"type":"string","enum":["minimal","signatures","full"],"description":"minimal (default): names; signatures: with parameters and types; full: with documentation"},)json"
           R"json("children":{"type":"string","description":"\"yes\" (default) for all levels, \"no\" for the top level, or a number of levels such as \"2\""},)json"
           R"json("kinds":{"type":"array","items":{"type":"string"},"description":"Only these kinds and their ancestors, such as [\"Class\",\"Method\"]"},)json"
           R"json("match":{"type":"string","description":"Only symbols with a name that matches this regular expression (RE2)"},)json"
           R"json("max_tokens":{"type":"integer","minimum":50,"maximum":100000,"description":"Budget of the answer; default 5000"}},)json"
           R"json("required":["paths"],"additionalProperties":false})json"},
      {.name = "find",
       .title = "Find symbols by name",
       .description = "Where symbols are declared in the whole project, by name: exact matches first, then "
                      "prefixes, then fuzzy ones, with kind, container, file and line. Use it instead of "
                      "grep to find a definition. The first call in a project indexes it, which can take a "
                      "minute.",
       .input_schema =
           R"json({"type":"object","properties":{)json"
           R"json("query":{"type":"string","minLength":1,"description":"A name or part of one; with its container: Rectangle::area or Rectangle.area"},)json"
           R"json("kinds":{"type":"array","items":{"type":"string"},"description":"Only these kinds, such as [\"Class\",\"Function\"]"},)json"
           R"json("limit":{"type":"integer","minimum":1,"maximum":1000,"description":"Maximum number of symbols; default 50"}},)json"
           R"json("required":["query"],"additionalProperties":false})json"},
      {.name = "context",
       .title = "Everything about one symbol",
       .description = "One symbol: its type and documentation, members, source text, references in the whole "
                      "project, callers, and the diagnostics of its file. Use it before changing a symbol, "
                      "and instead of reading its file and searching for its uses. Give its path and line, "
                      "its path and name, or its name alone.",
       .input_schema =
           R"json({"type":"object","properties":{)json"
           R"json("path":{"type":"string","description":"The file, relative to the project's root or absolute"},)json"
           R"json("line":{"type":"integer","minimum":1,"description":"A line of the symbol, from 1"},)json"
           R"json("column":{"type":"integer","minimum":1,"description":"From 1, in UTF-16 units"},)json"
           R"json("name":{"type":"string","description":"The symbol's name, instead of a line; with its class, module or folder: Rectangle::area, utils.sleep"},)json"
           R"json("source":{"type":"integer","minimum":0,"description":"Maximum lines of source; default 40, 0: none"},)json"
           R"json("references":{"type":"integer","minimum":0,"description":"Maximum number of references; default 10, 0: none"},)json"
           R"json("callers":{"type":"integer","minimum":0,"description":"Maximum number of callers; default 5, 0: none"},)json"
           R"json("max_tokens":{"type":"integer","minimum":50,"maximum":100000,"description":"Budget of the answer; default 4000"}},)json"
           R"json("additionalProperties":false})json"},
      {.name = "map",
       .title = "Map of the project",
       .description = "The project at a glance: its folders and files with their most used names, within a "
                      "budget of tokens. Use it first in a project that you do not know. The first call in a "
                      "project indexes it, which can take a minute.",
       .input_schema =
           R"json({"type":"object","properties":{)json"
           R"json("folder":{"type":"string","description":"Only this folder; default: the whole project"},)json"
           R"json("max_tokens":{"type":"integer","minimum":50,"maximum":100000,"description":"Budget of the answer; default 4000"}},)json"
           R"json("additionalProperties":false})json"},
      {.name = "diagnostics",
       .title = "Errors and warnings of files",
       .description =
           "The errors and warnings that the compiler or type checker has for files. Use it after an edit.",
       .input_schema =
           R"json({"type":"object","properties":{)json"
           R"json("paths":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":1000,"description":"Files or folders, relative to the project's root or absolute"},)json"
           R"json("limit":{"type":"integer","minimum":1,"maximum":1000,"description":"Maximum number per file; default 20"}},)json"
           R"json("required":["paths"],"additionalProperties":false})json"},
      {.name = "hover",
       .title = "Type and documentation of a symbol",
       .description = "The type, signature and documentation of the symbol that is declared at a place or "
                      "called by a name in a file. For more about it, context.",
       .input_schema =
           R"json({"type":"object","properties":{)json"
           R"json("path":{"type":"string","description":"The file, relative to the project's root or absolute"},)json"
           R"json("line":{"type":"integer","minimum":1,"description":"A line of the symbol, from 1"},)json"
           R"json("column":{"type":"integer","minimum":1,"description":"From 1, in UTF-16 units"},)json"
           R"json("name":{"type":"string","description":"The symbol's name, instead of a line"}},)json"
           R"json("required":["path"],"additionalProperties":false})json"},
  };
  return tools;
}

}  // namespace symbols::mcp
