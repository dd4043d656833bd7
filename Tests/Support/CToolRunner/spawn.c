#define _GNU_SOURCE
#include "ctoolrunner.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int ctoolrunner_spawn(char *const arguments[], char *const environment[], const char *folder,
    const int streams[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int target = 0; target < 3; target++) {
        if (streams[target] >= 0) {
            posix_spawn_file_actions_adddup2(&actions, streams[target], target);
        } else {
            posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0);
        }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (folder != NULL) posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    int code = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? child : -code;
}

int ctoolrunner_wait(int child, int seconds) {
    int status = 0;
    struct pollfd entry = {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN};
    if (entry.fd >= 0) {
        int count;
        while ((count = poll(&entry, 1, seconds * 1000)) < 0 && errno == EINTR) {}
        if (count == 0) kill(child, SIGKILL);
        close(entry.fd);
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void ctoolrunner_wait_for_end(int child) {
    siginfo_t facts;
    while (waitid(P_PID, (id_t)child, &facts, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
}
