"""The server's OpenAPI document, as tools from PyPI that know nothing of cksweep take it.

Their pins differ from the other clients', so they have an environment of their own, which
CKSWEEP_OPENAPI_TOOLS names. CKSWEEP_SEED repeats a run of schemathesis.
"""

import os
import pathlib

from common import CONTAINER, FIXTURE, check, expect, run
from schemathesis_run import Part, chosen_seed, test

EXAMPLES = 15


def tool(name):
    return pathlib.Path(os.environ["CKSWEEP_OPENAPI_TOOLS"]) / "bin" / name


def fetched(world):
    """The document in a file."""
    path = world.folder / "openapi.json"
    code, text = run(
        "curl", "-sS", "--fail", "--cacert", world.server.ca, "-o", path,
        f"{world.server.url}/_mock/v1/openapi.json")
    expect(code == 0, text)
    return path


@check


def openapi_document_is_valid(world):
    code, text = run(tool("openapi-spec-validator"), fetched(world))
    expect(code == 0, text[-2000:])


def tested(world, part):
    seed = chosen_seed()
    print(f"     schemathesis of the {part.value}: CKSWEEP_SEED={seed}", flush=True)
    # What it asks for changes everything, so it has a server of its own.
    server = world.start(f"schemathesis-{part.value}", "--seed", str(FIXTURE))
    print(f"     {test(server, part, seed, examples=EXAMPLES)}", flush=True)


@check


def schemathesis_finds_no_fault_in_the_service(world):
    tested(world, Part.SERVICE)


@check


def schemathesis_finds_no_fault_in_the_administration(world):
    tested(world, Part.ADMINISTRATION)


@check


def generated_client_creates_queries_and_deletes(world):
    folder = world.folder / "generated"
    code, text = run(
        tool("openapi-python-client"), "generate", "--path", fetched(world), "--meta", "none",
        "--output-path", folder / "mock_client")
    expect(code == 0 and (folder / "mock_client" / "client.py").exists(), text[-2000:])
    code, text = run(
        tool("python3"), "-B", pathlib.Path(__file__).with_name("generated_round.py"),
        world.server.url, world.server.ca, CONTAINER, world.server.ready["apiToken"],
        world.server.ready["webTokens"]["ann"], PYTHONPATH=str(folder))
    expect(code == 0, text[-2000:])
