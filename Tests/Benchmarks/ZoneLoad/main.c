// A load generator for HTTP/2 that h2load cannot be: every request has a body of its own, so that
// each one changes something. Zone after zone is created, and deleted some requests later.
//
//     ZoneLoad HOST PORT PATH SECONDS CONNECTIONS STREAMS NAME
//
// Prints `requests N seconds S bad B`; `bad` counts answers other than 200.

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { connections_max = 256, streams_max = 256, body_max = 256 };

/// One request's body, and how much of it has gone.
typedef struct {
    char bytes[body_max];
    size_t count, sent;
} Body;

typedef struct {
    int descriptor;
    SSL *tls;
    nghttp2_session *session;
    int open;
} Client;

static Client clients[connections_max];
static int client_count, stream_count, lag;
static const char *host, *path, *zone_name;
static char authority[256], length_text[16];
static long started, done, bad;
static int is_over;

static void fail(const char *what) {
    fprintf(stderr, "ZoneLoad: %s: %s\n", what, errno ? strerror(errno) : "failed");
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static ssize_t read_body(
    nghttp2_session *session, int32_t stream, uint8_t *out, size_t room, uint32_t *flags,
    nghttp2_data_source *source, void *context
) {
    Body *body = source->ptr;
    size_t rest = body->count - body->sent;
    if (rest > room) rest = room;
    memcpy(out, body->bytes + body->sent, rest);
    body->sent += rest;
    if (body->sent == body->count) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return (ssize_t)rest;
}

#define FIELD(name, value, size)                                                       \
    { (uint8_t *)name, (uint8_t *)(value), sizeof(name) - 1, size, NGHTTP2_NV_FLAG_NONE }

static void submit(Client *client) {
    Body *body = malloc(sizeof *body);
    if (!body) fail("memory");
    // The first deletions find nothing to delete yet.
    long number = started++;
    int is_delete = number % 2 == 1;
    long zone = is_delete ? number / 2 - lag : number / 2;
    body->sent = 0;
    body->count = (size_t)snprintf(
        body->bytes, body_max,
        "{\"operations\":[{\"operationType\":\"%s\",\"zone\":{\"zoneID\":{\"zoneName\":\"%s%ld\"}}}]}",
        is_delete ? "delete" : "create", zone_name, zone);
    int digits = snprintf(length_text, sizeof length_text, "%zu", body->count);
    nghttp2_nv fields[] = {
        FIELD(":method", "POST", 4),
        FIELD(":scheme", "https", 5),
        FIELD(":authority", authority, strlen(authority)),
        FIELD(":path", path, strlen(path)),
        FIELD("content-type", "application/json", 16),
        FIELD("content-length", length_text, (size_t)digits),
    };
    nghttp2_data_provider provider = { .source.ptr = body, .read_callback = read_body };
    int32_t stream = nghttp2_submit_request(client->session, NULL, fields, 6, &provider, body);
    if (stream < 0) fail("submit");
    client->open++;
}

static int on_header(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_size,
    const uint8_t *value, size_t value_size, uint8_t flags, void *context
) {
    if (name_size == 7 && !memcmp(name, ":status", 7) &&
        (value_size != 3 || memcmp(value, "200", 3)))
        bad++;
    return 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t code, void *context) {
    Client *client = context;
    free(nghttp2_session_get_stream_user_data(session, stream));
    client->open--;
    if (code) bad++;
    if (is_over) return 0;
    done++;
    submit(client);
    return 0;
}

static void flush(Client *client) {
    static uint8_t out[1 << 16];
    while (1) {
        size_t count = 0;
        while (count < sizeof out / 2) {
            const uint8_t *bytes;
            ssize_t some = nghttp2_session_mem_send(client->session, &bytes);
            if (some < 0) fail("nghttp2_session_mem_send");
            if (some == 0) break;
            memcpy(out + count, bytes, (size_t)some);
            count += (size_t)some;
        }
        if (count == 0) return;
        while (SSL_write(client->tls, out, (int)count) <= 0) {
            struct pollfd wait = { client->descriptor, POLLOUT, 0 };
            if (SSL_get_error(client->tls, -1) == SSL_ERROR_SSL) fail("SSL_write");
            poll(&wait, 1, 1000);
        }
    }
}

static void receive(Client *client) {
    static uint8_t in[1 << 16];
    int count;
    while ((count = SSL_read(client->tls, in, sizeof in)) > 0)
        if (nghttp2_session_mem_recv(client->session, in, (size_t)count) < 0)
            fail("nghttp2_session_mem_recv");
    int error = SSL_get_error(client->tls, count);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
        fail("the server closed a connection");
    flush(client);
}

static void start(Client *client, SSL_CTX *context, const char *port) {
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found;
    if (getaddrinfo(host, port, &hints, &found)) fail("address");
    client->descriptor = -1;
    for (struct addrinfo *one = found; one && client->descriptor < 0; one = one->ai_next) {
        client->descriptor = socket(one->ai_family, SOCK_STREAM, 0);
        if (connect(client->descriptor, one->ai_addr, one->ai_addrlen)) {
            close(client->descriptor);
            client->descriptor = -1;
        }
    }
    freeaddrinfo(found);
    if (client->descriptor < 0) fail("connect");
    int on = 1;
    setsockopt(client->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    client->tls = SSL_new(context);
    SSL_set_fd(client->tls, client->descriptor);
    SSL_set_tlsext_host_name(client->tls, host);
    if (SSL_connect(client->tls) != 1) fail("TLS");
    fcntl(client->descriptor, F_SETFL, O_NONBLOCK);

    nghttp2_session_callbacks *callbacks;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_session_client_new(&client->session, callbacks, client);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_settings_entry window = { NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 24 };
    nghttp2_submit_settings(client->session, NGHTTP2_FLAG_NONE, &window, 1);
    nghttp2_session_set_local_window_size(client->session, NGHTTP2_FLAG_NONE, 0, 1 << 24);
}

int main(int count, char **arguments) {
    if (count != 8) {
        fprintf(stderr, "usage: ZoneLoad HOST PORT PATH SECONDS CONNECTIONS STREAMS NAME\n");
        return 2;
    }
    host = arguments[1];
    path = arguments[3];
    double seconds = atof(arguments[4]);
    client_count = atoi(arguments[5]);
    stream_count = atoi(arguments[6]);
    zone_name = arguments[7];
    if (client_count < 1 || client_count > connections_max || stream_count < 1 ||
        stream_count > streams_max || strlen(zone_name) > 100) {
        fprintf(stderr, "ZoneLoad: an argument is out of range\n");
        return 2;
    }
    // A zone is deleted only when its creation has been answered.
    lag = client_count * stream_count;
    snprintf(authority, sizeof authority, "%s:%s", host, arguments[2]);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_alpn_protos(context, (const unsigned char *)"\x02h2", 3);
    SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    struct pollfd polled[connections_max];
    for (int index = 0; index < client_count; index++) {
        start(&clients[index], context, arguments[2]);
        polled[index] = (struct pollfd){ clients[index].descriptor, POLLIN, 0 };
    }
    double began = now(), end = began + seconds;
    for (int index = 0; index < client_count; index++) {
        for (int stream = 0; stream < stream_count; stream++) submit(&clients[index]);
        flush(&clients[index]);
    }
    while (now() < end) {
        if (poll(polled, (nfds_t)client_count, 100) < 0 && errno != EINTR) fail("poll");
        for (int index = 0; index < client_count; index++)
            if (polled[index].revents) receive(&clients[index]);
    }
    is_over = 1;
    printf("requests %ld seconds %.3f bad %ld\n", done, now() - began, bad);
    return bad ? 1 : 0;
}
