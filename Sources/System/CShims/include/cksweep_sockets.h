#ifndef CKSWEEP_SOCKETS_H
#define CKSWEEP_SOCKETS_H
/* epoll, eventfd and accept4, which Swift's Glibc module lacks, and sockaddr unions, which it
   imports badly. Functions return a descriptor or count, or a negative errno. */
#include <stdint.h>

int cksweep_epoll_create(void);
/* operation: 1 add, 2 remove, 3 change; readable and writable: 0 or 1. Level-triggered. */
int cksweep_epoll_control(int epoll, int operation, int fd, uint64_t data, int readable,
                          int writable);
/* flags of each event: 1 readable, 2 writable, 4 error or hang-up. At most 512 events. */
int cksweep_epoll_wait(int epoll, uint64_t *data, uint8_t *flags, int max, int timeout_ms);
int cksweep_eventfd(void);
/* Not 0: the other end has said that it sends no more, or is gone. */
int cksweep_peer_has_ended(int fd);

/* A non-blocking listening TCP socket on a numeric address; its port goes to actual_port. */
int cksweep_listen(const char *address, uint16_t port, int backlog, uint16_t *actual_port);
/* The next connection, non-blocking and without Nagle's delay. It takes more to send when little is
   left unsent, so that what it has taken tells how fast the other end reads. Another end that has
   gone without a word is found out within a minute. */
int cksweep_accept(int listener);
/* A blocking connection to a numeric address, for tests. */
int cksweep_connect(const char *address, uint16_t port);
#endif
