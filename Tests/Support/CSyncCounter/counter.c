// Stands before the C library's functions, also for the libraries that the process uses: a
// definition in the program itself comes first.
#define _GNU_SOURCE
#include "csynccounter.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WATCHES_MAX 32

struct watch {
    char folder[PATH_MAX];
    int count, held, overdue;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static struct watch watches[WATCHES_MAX];

int csynccounter_watch(const char *folder) {
    pthread_mutex_lock(&lock);
    for (int number = 0; number < WATCHES_MAX; number++) {
        struct watch *watch = &watches[number];
        if (watch->folder[0] != 0) continue;
        if (realpath(folder, watch->folder) == NULL) abort();
        watch->count = watch->held = watch->overdue = 0;
        pthread_mutex_unlock(&lock);
        return number;
    }
    abort();
}

static int read_int(const int *value) {
    pthread_mutex_lock(&lock);
    int result = *value;
    pthread_mutex_unlock(&lock);
    return result;
}

int csynccounter_count(int watch) { return read_int(&watches[watch].count); }
int csynccounter_overdue(int watch) { return read_int(&watches[watch].overdue); }

static void set_held(int watch, int held) {
    pthread_mutex_lock(&lock);
    watches[watch].held = held;
    pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&lock);
}

void csynccounter_hold(int watch) { set_held(watch, 1); }
void csynccounter_release(int watch) { set_held(watch, 0); }

void csynccounter_end(int watch) {
    set_held(watch, 0);
    pthread_mutex_lock(&lock);
    watches[watch].folder[0] = 0;
    pthread_mutex_unlock(&lock);
}

static void note(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = 0;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 10;
    pthread_mutex_lock(&lock);
    for (int number = 0; number < WATCHES_MAX; number++) {
        struct watch *watch = &watches[number];
        size_t folder = strlen(watch->folder);
        if (folder == 0 || strncmp(path, watch->folder, folder) != 0) continue;
        watch->count += 1;
        while (watch->held) {
            if (pthread_cond_timedwait(&released, &lock, &limit) == 0) continue;
            watch->overdue += watch->held;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

int fsync(int file) {
    note(file);
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    note(file);
    return (int)syscall(SYS_fdatasync, file);
}
