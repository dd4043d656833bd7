#define _GNU_SOURCE
#include "cbrokencurl.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* Of <curl/curl.h>, without the library's own declarations of what is defined here. */
#define CURLINFO_EFFECTIVE_URL 0x100001
#define CURLM_INTERNAL_ERROR 4
extern int curl_easy_getinfo(void *handle, int info, ...);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *broken;
static int failures;

int cbrokencurl_failures(void) {
    pthread_mutex_lock(&lock);
    int count = failures;
    pthread_mutex_unlock(&lock);
    return count;
}

/* Both stand before libcurl's own. */
int curl_multi_add_handle(void *multi, void *handle) {
    char *url = NULL;
    curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &url);
    if (url != NULL && strstr(url, "/broken-loop") != NULL) {
        pthread_mutex_lock(&lock);
        broken = multi;
        pthread_mutex_unlock(&lock);
    }
    int (*real)(void *, void *) = (int (*)(void *, void *))dlsym(RTLD_NEXT, "curl_multi_add_handle");
    return real(multi, handle);
}

int curl_multi_perform(void *multi, int *running) {
    pthread_mutex_lock(&lock);
    int fails = multi == broken;
    if (fails) {
        broken = NULL;
        failures++;
    }
    pthread_mutex_unlock(&lock);
    if (fails) return CURLM_INTERNAL_ERROR;
    int (*real)(void *, int *) = (int (*)(void *, int *))dlsym(RTLD_NEXT, "curl_multi_perform");
    return real(multi, running);
}
