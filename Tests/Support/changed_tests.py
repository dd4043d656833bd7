"""Prints the test targets that a change can break, one a line, for scripts/test --changed.

    swift package describe --type json | changed_tests.py FILE...

A test target counts if a changed file is its own, or belongs to a target that it uses, directly or through
others. A file that belongs to no target (README, scripts, Containers) counts for the tests that read the
repository. The cases of Tests/Sweep/Cases count for the
tests that run them too. A changed package description counts for all.
"""

import json
import sys

CASES = {"Tests/Sweep/Cases/": "CommandsTests"}
READ_THE_REPOSITORY = {"DocumentTests", "PackagingTests", "TidyTests", "ConfigurationTests"}


def main():
    targets = json.load(sys.stdin)["targets"]
    # The longest folder wins: targets may lie below one another.
    folders = sorted(((t["path"] + "/", t["name"]) for t in targets), key=lambda t: -len(t[0]))
    changed, chosen = set(), {"TidyTests"}
    for file in sys.argv[1:]:
        if file == "Package.swift":
            changed.update(t["name"] for t in targets)
            continue
        owner = next((name for folder, name in folders if file.startswith(folder)), None)
        if owner:
            changed.add(owner)
        else:
            chosen |= READ_THE_REPOSITORY
            chosen |= {name for folder, name in CASES.items() if file.startswith(folder)}
    uses = {t["name"]: set(t.get("target_dependencies", [])) for t in targets}
    while True:
        more = {name for name, used in uses.items() if used & changed} - changed
        if not more:
            break
        changed |= more
    chosen |= {t["name"] for t in targets if t["type"] == "test" and t["name"] in changed}
    print("\n".join(sorted(chosen)))


main()
