#define _GNU_SOURCE
#include "cksweep_process.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static sigset_t stop_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void cksweep_open_standard_streams(void) {
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        // The lowest free number is given out, which is this one.
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDWR);
    }
}

void cksweep_block_signals(void) {
    sigset_t set = stop_signals();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

const char *const *cksweep_environment(void) { return (const char *const *)environ; }

int cksweep_wait_for_signal(void) {
    sigset_t set = stop_signals();
    int number = 0;
    while (sigwait(&set, &number) != 0) {}
    return number;
}

_Noreturn void cksweep_end_process(int status) {
    for (;;) syscall(SYS_exit_group, status);
}

int cksweep_terminal_width(int descriptor) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

int cksweep_wait_readable(int descriptor, int milliseconds) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&entry, 1, milliseconds);
    if (ready < 0) return errno == EINTR ? 0 : -1;
    return ready > 0;
}

int cksweep_lock_byte(int descriptor, int64_t place, int is_locking) {
    struct flock lock = {.l_type = is_locking ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET,
                         .l_start = place, .l_len = 1};
    if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
    return errno == EACCES ? EAGAIN : errno;
}

int64_t cksweep_free_bytes(const char *path) {
    struct statvfs facts;
    if (statvfs(path, &facts) != 0) return -1;
    return (int64_t)facts.f_bavail * (int64_t)facts.f_frsize;
}

int cksweep_wait_for_child(int child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
