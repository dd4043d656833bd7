#define _GNU_SOURCE
#include "cstuckresolver.h"
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool was_asked, is_released;

void cstuckresolver_wait_until_asked(void) {
    pthread_mutex_lock(&lock);
    while (!was_asked) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

void cstuckresolver_release(void) {
    pthread_mutex_lock(&lock);
    is_released = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* Stands before the C library's own, for libcurl too. */
int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    if (name != NULL && strcmp(name, "stuck.test") == 0) {
        pthread_mutex_lock(&lock);
        was_asked = true;
        pthread_cond_broadcast(&changed);
        while (!is_released) pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        return EAI_AGAIN;
    }
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))
            dlsym(RTLD_NEXT, "getaddrinfo");
    return real(name, service, hints, found);
}
