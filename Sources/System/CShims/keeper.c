#define _GNU_SOURCE
#include "cksweep_process.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* After a fork only system calls are made: other threads may have held any lock. */

/* How long what is left may take to end when it is asked to. */
enum { grace_milliseconds = 1000 };
/* A look at what is left, where no signal tells of a change. */
enum { look_milliseconds = 50 };

/* What the keeper knows. */
struct keeper {
    int control;  /* a signal number for the program each byte; its end is that of the owner */
    int children; /* readable when a child has ended */
    pid_t program;
    int status;   /* of the program, once it has ended */
    int has_ended;
};

static void close_all_but(int one, int other) {
    int first = one < other ? one : other, second = one < other ? other : one;
    if (first > 3) syscall(SYS_close_range, 3u, (unsigned)first - 1, 0);
    if (second > first + 1) syscall(SYS_close_range, (unsigned)first + 1, (unsigned)second - 1, 0);
    syscall(SYS_close_range, (unsigned)second + 1, ~0u, 0);
}

/* Sends a signal to every child: those that this process has started, and those that lost their own
   parent. Their children follow once they are orphans. */
static void signal_children(int number) {
    int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char text[4096];
    pid_t pid = 0;
    ssize_t count;
    while ((count = read(file, text, sizeof text)) > 0) {
        for (ssize_t place = 0; place < count; place++) {
            if (text[place] >= '0' && text[place] <= '9') {
                pid = pid * 10 + (text[place] - '0');
            } else if (pid > 0) {
                kill(pid, number);
                pid = 0;
            }
        }
    }
    if (pid > 0) kill(pid, number);
    close(file);
}

/* Takes note of all that have ended; 0 when no child is left. */
static int reap(struct keeper *keeper) {
    for (;;) {
        int status = 0;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid == 0) return 1;
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) return 0;
        if (pid != keeper->program) continue;
        keeper->has_ended = 1;
        keeper->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

static void wait_for_children(struct keeper *keeper, int milliseconds) {
    struct pollfd entry = {.fd = keeper->children, .events = POLLIN};
    struct signalfd_siginfo facts;
    if (poll(&entry, 1, milliseconds) > 0 && read(keeper->children, &facts, sizeof facts) < 0) return;
}

static long milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

/* Ends whatever is left: asks first, and then does not ask. */
static void end_all(struct keeper *keeper) {
    if (!reap(keeper)) return;
    signal_children(SIGTERM);
    for (long end = milliseconds_now() + grace_milliseconds; milliseconds_now() < end;) {
        if (!reap(keeper)) return;
        wait_for_children(keeper, look_milliseconds);
    }
    while (reap(keeper)) {
        if (!keeper->has_ended) kill(keeper->program, SIGKILL);
        signal_children(SIGKILL);
        wait_for_children(keeper, look_milliseconds);
    }
}

/* Hands signals on until the program has ended, or the owner has. */
static void keep(struct keeper *keeper) {
    for (;;) {
        reap(keeper);
        if (keeper->has_ended) return;
        struct pollfd entries[2] = {{.fd = keeper->children, .events = POLLIN},
                                    {.fd = keeper->control, .events = POLLIN}};
        if (poll(entries, 2, -1) < 0) continue;
        struct signalfd_siginfo facts;
        if (entries[0].revents != 0 && read(keeper->children, &facts, sizeof facts) < 0) continue;
        if (entries[1].revents == 0) continue;
        unsigned char number = 0;
        ssize_t count = read(keeper->control, &number, 1);
        if (count == 0) return;
        if (count == 1 && !keeper->has_ended) kill(keeper->program, number);
    }
}

/* The program's own process. */
static _Noreturn void become(char *const arguments[], char *const environment[], pid_t keeper,
                             int report) {
    sigset_t none;
    sigemptyset(&none);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Also when it is the keeper that is killed. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() == keeper) execvpe(arguments[0], arguments, environment);
    int error = errno;
    ssize_t told = write(report, &error, sizeof error);
    cksweep_end_process(told == sizeof error ? 127 : 126);
}

static _Noreturn void be_keeper(char *const arguments[], char *const environment[], int control,
                                int report) {
    sigset_t all, ends;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    close_all_but(control, report);
    prctl(PR_SET_NAME, "cksweep-keeper", 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    struct keeper keeper = {.control = control,
                            .children = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK)};
    pid_t own = getpid();
    keeper.program = keeper.children < 0 ? -1 : fork();
    if (keeper.program < 0) {
        int error = errno;
        ssize_t told = write(report, &error, sizeof error);
        cksweep_end_process(told == sizeof error ? 127 : 126);
    }
    if (keeper.program == 0) become(arguments, environment, own, report);
    close(report);
    keep(&keeper);
    end_all(&keeper);
    cksweep_end_process(keeper.status);
}

int cksweep_spawn_kept(char *const arguments[], char *const environment[], int *control) {
    int orders[2], report[2];
    if (pipe2(orders, O_CLOEXEC) != 0) return -errno;
    if (pipe2(report, O_CLOEXEC) != 0) {
        int error = errno;
        close(orders[0]);
        close(orders[1]);
        return -error;
    }
    pid_t keeper = fork();
    int error = errno;
    if (keeper == 0) be_keeper(arguments, environment, orders[0], report[1]);
    close(orders[0]);
    close(report[1]);
    ssize_t count = 0;
    if (keeper > 0) {
        do {
            count = read(report[0], &error, sizeof error);
        } while (count < 0 && errno == EINTR);
    }
    close(report[0]);
    if (keeper > 0 && count == 0) {
        *control = orders[1];
        return keeper;
    }
    close(orders[1]);
    if (keeper > 0) cksweep_wait_for_child(keeper);
    return -(error != 0 ? error : EIO);
}

void cksweep_signal_kept(int control, int number) {
    unsigned char byte = (unsigned char)number;
    while (write(control, &byte, 1) < 0 && errno == EINTR) {}
}
