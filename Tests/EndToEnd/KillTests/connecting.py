"""How the programs beside this one reach a server."""

import socket
import ssl


def tls(ca, *protocols):
    """What a connection trusts and offers; HTTP/1.1 where nothing else is named."""
    context = ssl.create_default_context(cafile=ca)
    context.set_alpn_protocols(protocols or ["http/1.1"])
    return context


def connect(port, context, receive_bytes=None, seconds_max=20):
    """A blocking TLS connection; with a receive buffer of so many bytes, if that is said."""
    plain = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if receive_bytes:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    plain.settimeout(seconds_max)
    plain.connect(("127.0.0.1", port))
    return context.wrap_socket(plain, server_hostname="localhost")


def frame(kind, flags, stream, payload=b""):
    """A frame of HTTP/2."""
    return (len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
            + payload)
