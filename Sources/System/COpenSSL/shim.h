#ifndef CKSWEEP_COPENSSL_SHIM_H
#define CKSWEEP_COPENSSL_SHIM_H
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/ts.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Macros and variadic functions, which Swift does not import. No logic here. */
static inline EVP_PKEY *cksweep_p256_generate(void) { return EVP_EC_gen("P-256"); }
static inline long cksweep_ctx_set_min_tls12(SSL_CTX *ctx) {
    return SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
}
static inline long cksweep_ctx_set_max_tls(SSL_CTX *ctx, int minor) {
    return SSL_CTX_set_max_proto_version(ctx, minor == 2 ? TLS1_2_VERSION : TLS1_3_VERSION);
}
static inline long cksweep_ctx_set_modes(SSL_CTX *ctx) {
    return SSL_CTX_set_mode(
        ctx, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                 SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}
static inline void cksweep_ctx_set_read_ahead(SSL_CTX *ctx) { SSL_CTX_set_read_ahead(ctx, 1); }
static inline long cksweep_ctx_no_session_cache(SSL_CTX *ctx) {
    return SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
}
static inline uint64_t cksweep_ctx_set_server_options(SSL_CTX *ctx) {
    return SSL_CTX_set_options(
        ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                 SSL_OP_PRIORITIZE_CHACHA);
}
static inline long cksweep_ctx_add_chain(SSL_CTX *ctx, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(ctx, certificate);
}
static inline long cksweep_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}
#endif
