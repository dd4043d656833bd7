#ifndef CKSWEEP_CCURL_SHIM_H
#define CKSWEEP_CCURL_SHIM_H
#include <curl/curl.h>
#include <stdint.h>

/* curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic, which Swift does not
   import: one plain function for each kind of argument. */
static inline CURLcode cksweep_curl_set_long(CURL *h, CURLoption o, long v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode cksweep_curl_set_size(CURL *h, CURLoption o, curl_off_t v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode cksweep_curl_set_text(CURL *h, CURLoption o, const char *v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode cksweep_curl_set_bytes(CURL *h, CURLoption o, const void *v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode cksweep_curl_set_pointer(CURL *h, CURLoption o, void *v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode cksweep_curl_set_list(CURL *h, CURLoption o, struct curl_slist *v) {
    return curl_easy_setopt(h, o, v);
}
/* Copies the bytes. */
static inline CURLcode cksweep_curl_set_blob(CURL *h, CURLoption o, const void *v, size_t n) {
    struct curl_blob blob = { (void *)v, n, CURL_BLOB_COPY };
    return curl_easy_setopt(h, o, &blob);
}
typedef size_t (*cksweep_curl_data)(char *, size_t, size_t, void *);
static inline CURLcode cksweep_curl_set_data(CURL *h, CURLoption o, cksweep_curl_data f) {
    return curl_easy_setopt(h, o, f);
}
typedef int (*cksweep_curl_prerequest)(void *, char *, char *, int, int);
static inline CURLcode cksweep_curl_set_prerequest(CURL *h, cksweep_curl_prerequest f) {
    return curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, f);
}
static inline CURLcode cksweep_curl_get_long(CURL *h, CURLINFO i, long *v) {
    return curl_easy_getinfo(h, i, v);
}
static inline CURLcode cksweep_curl_get_pointer(CURL *h, CURLINFO i, char **v) {
    return curl_easy_getinfo(h, i, v);
}
/* The SSL * of a transfer's connection; NULL without one, or when libcurl has another library. */
static inline void *cksweep_curl_tls(CURL *h) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(h, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}
typedef curl_socket_t (*cksweep_curl_open)(void *, curlsocktype, struct curl_sockaddr *);
static inline CURLcode cksweep_curl_set_open(CURL *h, cksweep_curl_open f) {
    return curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, f);
}
typedef int (*cksweep_curl_close)(void *, curl_socket_t);
static inline CURLcode cksweep_curl_set_close(CURL *h, cksweep_curl_close f) {
    return curl_easy_setopt(h, CURLOPT_CLOSESOCKETFUNCTION, f);
}
static inline uint32_t cksweep_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}
static inline CURLMcode cksweep_curl_multi_set_long(CURLM *m, CURLMoption o, long v) {
    return curl_multi_setopt(m, o, v);
}
/* The result lies in a union. */
static inline CURLcode cksweep_curl_result(const CURLMsg *m) { return m->data.result; }
#endif
