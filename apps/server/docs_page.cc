#include "server/docs_page.h"

#include <fmt/format.h>

#include <string_view>

#include "shared/answer_json.h"

namespace greenkgc::server {
namespace {

// The colors and shapes of the web page (web/src/style.css).
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: light-dark(#1c2126, #e6e9ec); --soft: light-dark(#5d6772, #a2acb6);
  --line: light-dark(#e3e7ea, #2e363d); --back: light-dark(#f6f8f7, #12161a); --card: light-dark(#ffffff, #1a1f24);
  --accent: light-dark(#1f7a4d, #5cc795); --accent-soft: light-dark(#e4f2ea, #1d3329); --blue: light-dark(#1f6fc4, #6eb0f5); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 0 20px 48px; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 28px 0 4px; }
h2 { font-size: 1.15rem; margin: 32px 0 8px; text-transform: capitalize; }
h3 { font-size: .95rem; margin: 14px 0 4px; }
a { color: var(--accent); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .88em; }
pre { background: var(--back); border: 1px solid var(--line); border-radius: 8px; padding: 10px; overflow-x: auto; margin: 6px 0; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 8px 0; padding: 10px 14px; }
summary { cursor: pointer; }
summary .about { color: var(--soft); }
.method { display: inline-block; min-width: 3.6em; text-align: center; border-radius: 6px; padding: 0 6px; font-size: .8rem;
  font-weight: 600; background: var(--accent-soft); color: var(--accent); }
.post { color: var(--blue); }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
td, th { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; border-top: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); border-top: 0; }
.soft { color: var(--soft); }
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string text_at(const Json& object, const char* key) {
  return object.contains(key) ? escaped(object[key].get<std::string>()) : "";
}

// A document and what its references mean.
class Page {
 public:
  explicit Page(const Json& document) : document_(document) {}

  std::string html() const {
    const Json& info = document_["info"];
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}: HTTP "
        "interface</title>\n"
        "<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p class=\"soft\">Version {2}. "
        "<a href=\"/\">Web page</a> · <a href=\"/openapi.json\">OpenAPI document</a></p>\n<p>{3}</p>\n",
        text_at(info, "title"), kStyle, text_at(info, "version"), text_at(info, "description"));
    for (const Json& tag : document_["tags"]) text += section(tag["name"].get<std::string>());
    text += "<h2>schemas</h2>\n";
    for (const auto& [name, schema] : document_["components"]["schemas"].items())
      text += fmt::format("<details id=\"schema-{0}\"><summary><code>{0}</code></summary>{1}</details>\n",
                          escaped(name), schema_text(schema));
    return text + "</main>\n</body>\n</html>\n";
  }

 private:
  const Json& resolved(const Json& part) const {
    if (!part.contains("$ref")) return part;
    return document_.at(Json::json_pointer(part["$ref"].get<std::string>().substr(1)));
  }

  std::string section(const std::string& tag) const {
    std::string text = fmt::format("<h2>{}</h2>\n", escaped(tag));
    for (const auto& [path, methods] : document_["paths"].items()) {
      for (const auto& [method, operation] : methods.items()) {
        if (operation["tags"][0] == tag) text += operation_text(method, path, operation);
      }
    }
    return text;
  }

  std::string operation_text(const std::string& method, const std::string& path,
                             const Json& operation) const {
    std::string upper = method;
    for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
    std::string text = fmt::format(
        "<details id=\"{0}\"><summary><span class=\"method {1}\">{2}</span> <code>{3}</code> "
        "<span class=\"about\">{4}</span></summary>\n",
        text_at(operation, "operationId"), escaped(method), upper, escaped(path),
        text_at(operation, "summary"));
    if (operation.contains("parameters")) text += parameters_text(operation["parameters"]);
    if (operation.contains("requestBody"))
      text +=
          "<h3>Body</h3>" + schema_text(operation["requestBody"]["content"]["application/json"]["schema"]);
    text += "<h3>Responses</h3><table>";
    for (const auto& [status, given] : operation["responses"].items()) {
      const Json& response = resolved(given);
      text += fmt::format("<tr><td><code>{}</code></td><td>{}{}</td></tr>\n", escaped(status),
                          text_at(response, "description"), content_text(status, response));
    }
    return text + "</table></details>\n";
  }

  std::string parameters_text(const Json& parameters) const {
    std::string text = "<h3>Parameters</h3><table><tr><th>name</th><th>value</th><th>meaning</th></tr>\n";
    for (const Json& given : parameters) {
      const Json& one = resolved(given);
      text += fmt::format("<tr><td><code>{}</code>{}</td><td>{}</td><td>{}</td></tr>\n", text_at(one, "name"),
                          one.value("required", false) ? " <span class=\"soft\">required</span>" : "",
                          value_text(one["schema"]), text_at(one, "description"));
    }
    return text + "</table>\n";
  }

  // "integer, 1 to 1000, default 10"
  static std::string value_text(const Json& schema) {
    std::string text = text_at(schema, "type");
    if (schema.contains("enum")) {
      text.clear();
      for (const Json& one : schema["enum"])
        text += (text.empty() ? "" : " or ") + escaped(one.get<std::string>());
    }
    if (schema.contains("minimum") && schema.contains("maximum"))
      text += fmt::format(", {} to {}", schema["minimum"].dump(), schema["maximum"].dump());
    if (schema.contains("default")) text += fmt::format(", default {}", escaped(schema["default"].dump()));
    return text;
  }

  // What a successful response holds; errors are alike.
  std::string content_text(const std::string& status, const Json& response) const {
    if (status != "200" || !response.contains("content")) return "";
    const auto& content = response["content"];
    if (!content.contains("application/json"))
      return fmt::format(" <span class=\"soft\">({})</span>", escaped(content.items().begin().key()));
    return schema_text(content["application/json"]["schema"]);
  }

  // A reference is a link, anything else is shown as it stands in the document.
  std::string schema_text(const Json& schema) const {
    if (!schema.contains("$ref")) return fmt::format("<pre>{}</pre>", escaped(schema.dump(2)));
    const std::string path = schema["$ref"];
    const std::string name = escaped(path.substr(path.rfind('/') + 1));
    return fmt::format(" <a href=\"#schema-{0}\"><code>{0}</code></a>", name);
  }

  const Json& document_;
};

}  // namespace

std::string docs_page(const std::string& openapi) {
  const Json document = Json::parse(openapi);
  return Page(document).html();
}

std::vector<std::pair<std::string, std::string>> docs_headers() {
  return {{"Content-Security-Policy",
           "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
           "frame-ancestors 'none'"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "no-referrer"},
          {"Cache-Control", "no-cache"}};
}

}  // namespace greenkgc::server
