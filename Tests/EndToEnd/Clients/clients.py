"""Clients that know nothing of cksweep, against `cloudkit-mock serve`.

Run by scripts/clients, which installs what is needed here: pyicloud, gRPC and Selenium from PyPI,
curl, openssl, h2load, Node and Chromium from apt, and the tools that openapi_checks names. Prints `ok NAME` or `FAIL NAME: why` for each
check, behind `ok` the numbers that a check has measured; the exit status is 0 only when all are ok. Words on the command line choose the checks whose
names hold one of them.
"""

import pathlib
import sys
import tempfile
import time

import common
import apple_checks  # noqa: F401  a module's checks are known once it is imported
import browser_checks  # noqa: F401
import console_checks  # noqa: F401
import console_life_checks  # noqa: F401
import console_repeat_checks  # noqa: F401
import console_watch_checks  # noqa: F401
import console_work_checks  # noqa: F401
import example_checks  # noqa: F401
import login_checks  # noqa: F401
import openapi_checks  # noqa: F401
import pyicloud_checks  # noqa: F401
import pyicloud_services  # noqa: F401
import report_checks  # noqa: F401
import tls_checks  # noqa: F401


def main():
    cksweep = str(pathlib.Path(sys.argv[1]).resolve())
    words = sys.argv[2:]
    chosen = [f for f in common.checks if not words or any(w in f.__name__ for w in words)]
    if not chosen:
        print(f"no check's name holds {' or '.join(words)}", file=sys.stderr)
        return 2
    failed = 0
    with tempfile.TemporaryDirectory(prefix="cksweep-clients-") as folder:
        world = common.World(cksweep, pathlib.Path(folder))
        try:
            for function in chosen:
                name = function.__name__.replace("_", " ")
                begin = time.monotonic()
                try:
                    told = function(world)
                    print(f"ok   {name} ({time.monotonic() - begin:.1f} s)"
                          + (f": {told}" if told else ""), flush=True)
                except Exception as error:  # any failure of a check is its result
                    failed += 1
                    print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)
        finally:
            world.stop()
    print(f"{len(chosen) - failed} of {len(chosen)} checks are ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
