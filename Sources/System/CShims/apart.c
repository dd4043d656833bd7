#define _GNU_SOURCE
#include "cksweep_process.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Between fork and exec only system calls are made: other threads may have held any lock. */

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    ssize_t length = (ssize_t)strlen(text);
    int error = write(file, text, (size_t)length) == length ? 0 : errno;
    close(file);
    return error;
}

/* Namespaces as the user who one is, with the right to mount in them. */
static int enter_namespaces(const char *user_map, const char *group_map) {
    const int own = CLONE_NEWNS | CLONE_NEWNET;
    if (unshare(own) == 0) return 0;
    if (unshare(own | CLONE_NEWUSER) != 0) return errno;
    int error = write_file("/proc/self/setgroups", "deny");
    if (error != 0 && error != ENOENT) return error;
    error = write_file("/proc/self/uid_map", user_map);
    return error != 0 ? error : write_file("/proc/self/gid_map", group_map);
}

static int mount_files(char *const mounts[]) {
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
    for (; mounts[0] != NULL; mounts += 2) {
        if (mount(mounts[0], mounts[1], NULL, MS_BIND, NULL) != 0) return errno;
    }
    return 0;
}

static int raise_loopback(void) {
    int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (any < 0) return errno;
    struct ifreq request = {.ifr_name = "lo"};
    int error = ioctl(any, SIOCGIFFLAGS, &request) == 0 ? 0 : errno;
    request.ifr_flags |= IFF_UP;
    if (error == 0 && ioctl(any, SIOCSIFFLAGS, &request) != 0) error = errno;
    close(any);
    return error;
}

/* Lets a program that is not root listen on port 443 of this network. Without it root still can. */
static void keep_right_to_ports(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets) != 0) return;
    sets[0].inheritable |= sets[0].permitted & (1u << CAP_NET_BIND_SERVICE);
    if (syscall(SYS_capset, &header, sets) != 0) return;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_BIND_SERVICE, 0, 0);
}

static void usual_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int cksweep_spawn_apart(char *const arguments[], char *const environment[], char *const mounts[],
                        int *step) {
    char user_map[64], group_map[64];
    snprintf(user_map, sizeof user_map, "%u %u 1", geteuid(), geteuid());
    snprintf(group_map, sizeof group_map, "%u %u 1", getegid(), getegid());
    int report[2];
    *step = cksweep_apart_process;
    if (pipe2(report, O_CLOEXEC) != 0) return -errno;
    pid_t child = fork();
    if (child < 0) {
        int error = errno;
        close(report[0]);
        close(report[1]);
        return -error;
    }
    if (child == 0) {
        int failure[2] = {cksweep_apart_namespaces, enter_namespaces(user_map, group_map)};
        if (failure[1] == 0) {
            failure[0] = cksweep_apart_mounts;
            failure[1] = mount_files(mounts);
        }
        if (failure[1] == 0) {
            failure[0] = cksweep_apart_network;
            failure[1] = raise_loopback();
        }
        if (failure[1] == 0) {
            failure[0] = cksweep_apart_process;
            keep_right_to_ports();
            usual_signals();
            execve("/proc/self/exe", arguments, environment);
            failure[1] = errno;
        }
        ssize_t told = write(report[1], failure, sizeof failure);
        _exit(told == sizeof failure ? 127 : 126);
    }
    close(report[1]);
    int failure[2];
    ssize_t count;
    do {
        count = read(report[0], failure, sizeof failure);
    } while (count < 0 && errno == EINTR);
    close(report[0]);
    if (count == 0) return child;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    if (count != sizeof failure) return -EIO;
    *step = failure[0];
    return -failure[1];
}
