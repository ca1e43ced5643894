#include "server/http/tls_context.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "greenkgc/error.h"

namespace greenkgc::server {
namespace {

// The first of OpenSSL's complaints, which is the one nearest to the cause.
std::string openssl_reason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : "OpenSSL does not say why";
}

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", file, what));
}

void check_readable(const std::string& file) {
  errno = 0;
  std::ifstream bytes(file);
  if (bytes.peek() != std::ifstream::traits_type::eof()) return;
  refuse(file, bytes.is_open() && errno == 0 ? "is empty"
                                             : fmt::format("cannot be read: {}", std::strerror(errno)));
}

// Without this, OpenSSL asks for the password of an encrypted key on the terminal.
int no_password(char*, int, int, void*) {
  return -1;
}

}  // namespace

std::shared_ptr<ssl_ctx_st> make_tls_context(const TlsFiles& files) {
  ERR_clear_error();
  std::shared_ptr<SSL_CTX> context(::SSL_CTX_new(::TLS_server_method()), ::SSL_CTX_free);
  if (context == nullptr) throw Error(ErrorCode::kIo, "TLS cannot be set up: " + openssl_reason());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);  // connections that wait hold less memory
  ::SSL_CTX_set_default_passwd_cb(context.get(), no_password);

  check_readable(files.certificate);
  if (::SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1)
    refuse(files.certificate, fmt::format("holds no usable PEM certificate: {}", openssl_reason()));
  check_readable(files.key);
  if (::SSL_CTX_use_PrivateKey_file(context.get(), files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    const std::string reason = openssl_reason();
    if (reason.find("mismatch") != std::string::npos)
      refuse(files.key, fmt::format("this key does not belong to the certificate in {}", files.certificate));
    refuse(files.key, fmt::format("holds no usable PEM private key without a password: {}", reason));
  }
  if (::SSL_CTX_check_private_key(context.get()) != 1)
    refuse(files.key, fmt::format("this key does not belong to the certificate in {}", files.certificate));
  return context;
}

}  // namespace greenkgc::server
