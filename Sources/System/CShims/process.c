#define _GNU_SOURCE
#include "cksweep_process.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
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

void cksweep_begin_writing(int descriptor, int64_t start, int64_t count) {
    sync_file_range(descriptor, start, count, SYNC_FILE_RANGE_WRITE);
}

int cksweep_wait_readable(int descriptor, int milliseconds) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&entry, 1, milliseconds);
    if (ready < 0) return errno == EINTR ? 0 : -1;
    return ready > 0;
}

int cksweep_lock_byte(int descriptor, int64_t place, enum cksweep_lock kind) {
    short type = kind == cksweep_lock_alone ? F_WRLCK
                 : kind == cksweep_lock_shared ? F_RDLCK : F_UNLCK;
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
    if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
    return errno == EACCES ? EAGAIN : errno;
}

int64_t cksweep_free_bytes(const char *path) {
    struct statvfs facts;
    if (statvfs(path, &facts) != 0) return -1;
    return (int64_t)facts.f_bavail * (int64_t)facts.f_frsize;
}

int cksweep_spawn_free(char *const arguments[], char *const environment[]) {
    posix_spawn_file_actions_t streams;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t child = 0;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&streams) != 0) return -ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&streams);
        return -ENOMEM;
    }
    int error = 0;
    for (int stream = 0; stream <= 2 && error == 0; stream++) {
        error = posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
    }
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&streams, 3);
    if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (error == 0) {
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    if (error == 0) {
        error = posix_spawnp(&child, arguments[0], &streams, &attributes, arguments, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&streams);
    return error == 0 ? child : -error;
}

int cksweep_set_echo(int descriptor, int is_on) {
    struct termios settings;
    if (tcgetattr(descriptor, &settings) != 0) return errno;
    if (is_on) {
        settings.c_lflag |= ECHO;
    } else {
        settings.c_lflag &= ~(tcflag_t)ECHO;
    }
    return tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 ? 0 : errno;
}

int cksweep_wait_for_child(int child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int cksweep_become(char *const arguments[], char *const environment[]) {
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    execvpe(arguments[0], arguments, environment);
    return -errno;
}
