/* A disk of which one call fails, for programs that load this first (LD_PRELOAD).

   FAILING_DISK    a folder: only files below it count, and only while it holds a file "armed"
   FAILING_CALL    "sync" or "write"; "stall": nothing is written to files of assets meanwhile,
                   but for what is short; "full": every write from this one on fails; "kill-sync",
                   "kill-write": the program is killed right before this sync or write
   FAILING_NUMBER  which call fails, from 1; of a stall: how many bytes are not short

   A sync that fails may lose all that was written since the last one, but only once the power is
   cut. So the size that a log had at its last sync is kept for then, in the file "synced". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;
static atomic_llong synced;

static int ends_with(int file, const char *end) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path), size = strlen(end);
    return length > size && memcmp(path + length - size, end, size) == 0;
}

static int is_armed(const char *call, int file) {
    const char *folder = getenv("FAILING_DISK"), *which = getenv("FAILING_CALL");
    if (!folder || !which || strcmp(which, call) != 0) return 0;
    char link[64], path[PATH_MAX], armed[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, folder, strlen(folder)) != 0) return 0;
    snprintf(armed, sizeof armed, "%s/armed", folder);
    return access(armed, F_OK) == 0;
}

static int fails(const char *call, int file) {
    const char *number = getenv("FAILING_NUMBER");
    if (!number || !is_armed(call, file)) return 0;
    return atomic_fetch_add(&calls, 1) + 1 == atoi(number);
}

/* Whether there is no more room for any write of a program. */
static int is_full(int file) {
    const char *number = getenv("FAILING_NUMBER");
    if (!number || !is_armed("full", file)) return 0;
    return atomic_fetch_add(&calls, 1) + 1 >= atoi(number);
}

static void kill_before(const char *call, int file) {
    if (!fails(call, file)) return;
    kill(getpid(), SIGKILL);
    pause();
}

static void keep_size(void) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/synced", getenv("FAILING_DISK"));
    FILE *kept = fopen(path, "w");
    if (!kept) return;
    fprintf(kept, "%lld", (long long)synced);
    fclose(kept);
}

static int sync_with(const char *name, int file) {
    struct stat before;
    kill_before("kill-sync", file);
    int has_size = ends_with(file, "-wal") && fstat(file, &before) == 0;
    if (fails("sync", file)) {
        keep_size();
        return errno = EIO, -1;
    }
    int result = ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
    if (result == 0 && has_size) synced = before.st_size;
    return result;
}

int fsync(int file) { return sync_with("fsync", file); }
int fdatasync(int file) { return sync_with("fdatasync", file); }

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    kill_before("kill-write", file);
    if (fails("write", file) || is_full(file)) return errno = ENOSPC, -1;
    return ((ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(
        file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return pwrite64(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
    const char *number = getenv("FAILING_NUMBER");
    if (number && count >= (size_t)atoll(number) && ends_with(file, ".part"))
        while (is_armed("stall", file)) usleep(1000);
    kill_before("kill-write", file);
    if (is_full(file)) return errno = ENOSPC, -1;
    return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, bytes, count);
}
