#define _GNU_SOURCE
#include "cksweep_threads.h"
#include <pthread.h>
#include <stdio.h>

void cksweep_name_this_thread(const char *name) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    (void)pthread_setname_np(pthread_self(), cut);
}

static _Thread_local uint64_t number_of_this_thread;

void cksweep_number_this_thread(uint64_t number) { number_of_this_thread = number; }

uint64_t cksweep_this_thread(void) { return number_of_this_thread; }
