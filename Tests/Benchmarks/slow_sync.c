/* A disk whose every sync takes 20 ms longer, for programs that load this first (LD_PRELOAD). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void wait_for_disk(void) {
    struct timespec wait = {0, 20 * 1000 * 1000};
    while (nanosleep(&wait, &wait) != 0) {}
}

int fsync(int file) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
