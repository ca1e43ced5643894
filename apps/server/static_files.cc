#include "server/static_files.h"

#include <algorithm>

#include "server/web_files.h"

namespace greenkgc::server {
namespace {

// Only what comes from here, no inline scripts, no frames around it.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr std::string_view kNoPage =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>greenkgc</title>"
    "<p>This is greenkgc serve. Its web page was left out of this program (GREENKGC_WEB=OFF when it was "
    "built); "
    "the service itself is described in <a href=\"/openapi.json\">/openapi.json</a>.</p></html>\n";

constexpr std::pair<std::string_view, const char*> kContentTypes[] = {
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".json", "application/json"},
    {".woff2", "font/woff2"},
    {".webmanifest", "application/manifest+json"},
    {".txt", "text/plain; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
};

const char* content_type(std::string_view path) {
  if (path == "/") return "text/html; charset=utf-8";
  for (const auto& [ending, type] : kContentTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

HttpResponse page(std::string_view bytes, std::string_view content_type) {
  return {.body = std::string(bytes),
          .content_type = std::string(content_type),
          .headers = {{"Content-Security-Policy", kContentPolicy},
                      {"X-Frame-Options", "DENY"},
                      {"Referrer-Policy", "no-referrer"}}};
}

}  // namespace

std::optional<HttpResponse> static_file(const HttpRequest& request) {
  const auto files = web_files();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const WebFile& candidate) { return candidate.path == request.path; });
  if (file == files.end()) {
    if (request.path != "/") return std::nullopt;
    return page(kNoPage, content_type("/"));
  }
  const bool compressed = !file->gzip.empty() && request.accept_encoding.find("gzip") != std::string::npos;
  HttpResponse response = page(compressed ? file->gzip : file->bytes, content_type(file->path));
  if (compressed) response.headers.emplace_back("Content-Encoding", "gzip");
  if (!file->gzip.empty()) response.headers.emplace_back("Vary", "Accept-Encoding");
  // Names of what is in assets change with its content; the page itself is asked for again.
  response.headers.emplace_back("Cache-Control", file->path.starts_with("/assets/")
                                                     ? "public, max-age=31536000, immutable"
                                                     : "no-cache");
  return response;
}

}  // namespace greenkgc::server
