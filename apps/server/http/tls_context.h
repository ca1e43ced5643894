#pragma once

#include <memory>

#include "server/http/http_server.h"

struct ssl_ctx_st;  // SSL_CTX

namespace greenkgc::server {

// OpenSSL's settings for a server with this certificate and key: TLS 1.2 and newer. Throws kBadInput with the
// name of the file and what is wrong with it.
std::shared_ptr<ssl_ctx_st> make_tls_context(const TlsFiles& files);

}  // namespace greenkgc::server
