"""TLS and HTTP, as openssl, curl, h2load and gRPC's BoringSSL speak them."""

import os

os.environ.setdefault("GRPC_VERBOSITY", "NONE")
import grpc  # noqa: E402  reads the variable
from common import ROOT, check, expect, run



@check
def openssl_speaks_tls_1_2_and_1_3_and_nothing_older(world):
    for option, wanted in (
        ("-tls1", False), ("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True),
    ):
        code, text = run(
            "openssl", "s_client", "-connect", f"localhost:{world.server.port}", option,
            "-cipher", "ALL:@SECLEVEL=0", "-CAfile", world.server.ca, "-verify_return_error",
            "-verify_hostname", "localhost", "-alpn", "h2,http/1.1")
        has_session = "Cipher is (NONE)" not in text and "Cipher is" in text
        expect(has_session == wanted, f"{option}: {text[-400:]}")
        if wanted:
            expect(code == 0 and "ALPN protocol: h2" in text, f"{option}: {text[-400:]}")
        else:
            expect("alert protocol version" in text, f"{option}: {text[-400:]}")


@check
def grpc_with_boringssl_accepts_the_default_certificate(world):
    with open(world.server.ca, "rb") as file:
        authority = grpc.ssl_channel_credentials(file.read())
    with grpc.secure_channel(f"localhost:{world.server.port}", authority) as channel:
        # Ready once TLS is verified and both sides have sent their HTTP/2 settings.
        grpc.channel_ready_future(channel).result(10)


def curl(url, ca, *options):
    return run(
        "curl", "-sS", "--cacert", ca, "-o", os.devnull, "-w", "%{http_code} %{http_version}",
        *options, url)


@check
def curl_negotiates_http_2_and_http_1_1(world):
    url = f"{world.server.url}/_mock/v1/health"
    for option, version in (("--http2", "2"), ("--http1.1", "1.1")):
        code, text = curl(url, world.server.ca, option)
        expect(code == 0 and text == f"200 {version}", f"{option}: {code} {text}")


@check
def curl_refuses_a_wrong_authority_and_a_wrong_name(world):
    code, text = curl(f"{world.server.url}/_mock/v1/health", world.other.ca)
    expect(code == 60 and "certificate" in text, f"authority: {code} {text}")
    code, text = curl(f"https://localhost:{world.other.port}/", world.other.ca)
    expect(code == 60 and "localhost" in text, f"name: {code} {text}")
    code, text = curl(f"https://other.localhost:{world.other.port}/_mock/v1/health", world.other.ca)
    expect(code == 0, f"the right name: {code} {text}")


def cksweep_at(world, verb, server, url, ca):
    """Our own client, led to a server by the environment."""
    return run(
        world.cksweep, verb, "--rehearsal", "-c", ROOT / "Containers" / "example.json", "--state",
        world.folder / "runs",
        CLOUDKIT_EMULATOR_URL=url, CLOUDKIT_EMULATOR_CA=ca,
        CLOUDKIT_EMULATOR_API_TOKEN=server.ready["apiToken"],
        CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN=server.ready["webTokens"]["ann"])


@check
def cksweep_refuses_a_wrong_authority_and_a_wrong_name(world):
    one, other = world.server, world.other
    cases = (
        (one, one.url, other.ca, "is not trusted"),
        (other, f"https://localhost:{other.port}", other.ca, "another name than localhost"),
    )
    for server, url, ca, words in cases:
        for verb in ("plan", "doctor"):
            code, text = cksweep_at(world, verb, server, url, ca)
            expect(code == 4, f"{verb} at {url}: {code} {text}")
            # Its lines are wrapped at 80 columns.
            line = " ".join(text.split())
            expect("certificate" in line and words in line, f"{verb} at {url}: {text}")
    code, text = cksweep_at(world, "doctor", one, one.url, one.ca)
    expect(code == 0, f"the right ones: {code} {text}")


@check
def h2load_gets_every_answer(world):
    url = f"{world.server.url}/_mock/v1/health"
    for options, protocol in (([], "h2"), (["--h1"], "http/1.1")):
        code, text = run("h2load", "-n", "2000", "-c", "8", "-m", "8", *options, url)
        expect(code == 0 and f"Application protocol: {protocol}" in text, text)
        expect("2000 succeeded, 0 failed, 0 errored" in text, text)
