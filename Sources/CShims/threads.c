#define _GNU_SOURCE
#include "cksweep_threads.h"
#include <pthread.h>
#include <stdio.h>

void cksweep_name_this_thread(const char *name) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    (void)pthread_setname_np(pthread_self(), cut);
}
