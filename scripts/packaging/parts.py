"""What a program needs on this machine: its libraries, the Debian packages they come from, and their licences."""
import os
import re
import subprocess

# What the licences of the libraries that are linked directly are called (SPDX); packages by their beginning.
LICENCES = {
    "libc6": "LGPL-2.1-or-later",
    "libcurl4": "curl",
    "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libnghttp2": "MIT",
    "libsimdjson": "Apache-2.0",
    "libsqlite3": "blessing",
    "libssl3": "Apache-2.0",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libunistring": "LGPL-3.0-or-later OR GPL-2.0-or-later",
}
SWIFT = "Apache-2.0 WITH Swift-exception"


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def needed(program):
    """The libraries that the program names itself."""
    return sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", program)))


def closure(program):
    """Every library that the loader maps for it: where it looks for each, and the loader itself."""
    paths = []
    for line in run("ldd", program).splitlines():
        if "not found" in line:
            raise SystemExit(f"error: {line.strip()}")
        found = re.search(r"(/\S+) \(0x", line)
        if found:
            paths.append(found.group(1))
    return sorted(paths)


def owner(path):
    """The Debian package that a file comes from; both ways to write a merged /usr are tried."""
    real = os.path.realpath(path)
    for name in (path, real, real.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SystemExit(f"error: no Debian package has {path}")


def facts(package, *fields):
    arch = run("dpkg", "--print-architecture").strip()
    for name in (f"{package}:{arch}", f"{package}:all", package):
        found = subprocess.run(["dpkg-query", "-W", "-f", "\\t".join("${%s}" % f for f in fields), name],
                               capture_output=True, text=True)
        if found.returncode == 0 and found.stdout:
            return found.stdout.split("\t")
    raise SystemExit(f"error: {package} is not installed")


def packages(program):
    """The packages of all its libraries, and which of them it names itself."""
    direct = needed(program)
    found = {}
    for path in closure(program):
        name = owner(path)
        found[name] = found.get(name, False) or os.path.basename(path) in direct
    return dict(sorted(found.items()))


def licence(package):
    """The SPDX expression for a library that is linked directly; None for others."""
    for beginning, expression in LICENCES.items():
        if package.startswith(beginning):
            return expression
    return None


def licence_names(package):
    """The short names in a package's machine-readable copyright file; empty when it is not of that form."""
    with open(f"/usr/share/doc/{package}/copyright", encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not text.startswith("Format:"):
        return []
    return sorted(set(re.findall(r"^License:[ \t]*(\S.*)$", text, re.M)))
