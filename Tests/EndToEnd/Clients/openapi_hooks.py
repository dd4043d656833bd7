"""What schemathesis makes of the document leads mostly nowhere: no such container, zone or user.
These hooks have most requests lead to what the server holds, by chance that is drawn from the
request itself, so that a seed repeats a run. SCHEMATHESIS_HOOKS names this module.
"""

import json
import os
import zlib

import schemathesis

SIGNED = "x-apple-cloudkit-request-"

# Credentials, and names of what the server holds by the keys that take them.
known = json.loads(os.environ["CKSWEEP_KNOWN"])


def draw(value, salt):
    """A number from 0 to 99, the same for the same value."""
    return zlib.crc32(f"{salt} {value!r}".encode()) % 100


def chosen(value, choices, salt, share=85):
    """Mostly one of the choices, else the value itself."""
    number = draw(value, salt)
    return choices[number % len(choices)] if number < share and choices else value


def led(value, key=None):
    """A body or parameter whose names are mostly known ones."""
    if isinstance(value, dict):
        return {name: led(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [led(one, key) for one in value]
    if isinstance(value, str) and key in known["names"]:
        return chosen(value, known["names"][key], key)
    return value


@schemathesis.hook
def before_call(context, case, kwargs):
    # Here, as what maps parameters has no say in the phase that goes through a schema's corners.
    for part in ("path_parameters", "query"):
        value = getattr(case, part)
        if isinstance(value, dict):
            setattr(case, part, led(value))
    if isinstance(case.body, (dict, list)):
        case.body = led(case.body)
    if case.path.startswith("/_mock/"):
        if draw((case.method, case.path, case.body), "administrator") < 97:
            case.headers.update(known["authorization"])
        return
    query = dict(case.query) if isinstance(case.query, dict) else {}
    number = draw((case.method, case.path, query, case.body, dict(case.headers or {})), "caller")
    if number < 97:
        query["ckAPIToken"] = known["apiToken"]
        # Nobody can guess a signature, and who sends one is asked for nothing else.
        for name in [name for name in case.headers or {} if name.lower().startswith(SIGNED)]:
            del case.headers[name]
    if number < 94:
        query["ckWebAuthToken"] = known["webTokens"][number % len(known["webTokens"])]
    case.query = query
