#define _GNU_SOURCE
#include "cksweep_sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int cksweep_epoll_create(void) {
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int cksweep_epoll_control(int epoll, int operation, int fd, uint64_t data, int readable,
                          int writable) {
    struct epoll_event event = {
        .events = (readable ? EPOLLIN : 0) | (writable ? EPOLLOUT : 0), .data.u64 = data};
    return epoll_ctl(epoll, operation, fd, &event) < 0 ? -errno : 0;
}

int cksweep_epoll_wait(int epoll, uint64_t *data, uint8_t *flags, int max, int timeout_ms) {
    struct epoll_event events[512];
    int count = epoll_wait(epoll, events, max < 512 ? max : 512, timeout_ms);
    if (count < 0) return -errno;
    for (int i = 0; i < count; i++) {
        uint32_t seen = events[i].events;
        data[i] = events[i].data.u64;
        flags[i] = (seen & EPOLLIN ? 1 : 0) | (seen & EPOLLOUT ? 2 : 0) |
                   (seen & (EPOLLERR | EPOLLHUP) ? 4 : 0);
    }
    return count;
}

int cksweep_peer_has_ended(int fd) {
    struct pollfd entry = {.fd = fd, .events = POLLRDHUP};
    return poll(&entry, 1, 0) > 0;
}

int cksweep_eventfd(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t parse(const char *text, uint16_t port, union address *out) {
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &out->v4.sin_addr) == 1) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons(port);
        return sizeof out->v4;
    }
    if (inet_pton(AF_INET6, text, &out->v6.sin6_addr) == 1) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons(port);
        return sizeof out->v6;
    }
    return 0;
}

int cksweep_listen(const char *address, uint16_t port, int backlog, uint16_t *actual_port) {
    union address where;
    socklen_t length = parse(address, port, &where);
    if (length == 0) return -EINVAL;
    int fd = socket(where.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    int one = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (where.any.sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (bind(fd, &where.any, length) < 0 || listen(fd, backlog) < 0 ||
        getsockname(fd, &where.any, &length) < 0) {
        int code = errno;
        close(fd);
        return -code;
    }
    *actual_port =
        ntohs(where.any.sa_family == AF_INET6 ? where.v6.sin6_port : where.v4.sin_port);
    return fd;
}

int cksweep_accept(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return -errno;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    int low_water = 128 << 10;
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &low_water, sizeof low_water);
    int idle_seconds = 30, interval_seconds = 10, probes = 3;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof interval_seconds);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    return fd;
}

int cksweep_connect(const char *address, uint16_t port) {
    union address where;
    socklen_t length = parse(address, port, &where);
    if (length == 0) return -EINVAL;
    int fd = socket(where.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    if (connect(fd, &where.any, length) < 0) {
        int code = errno;
        close(fd);
        return -code;
    }
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}
