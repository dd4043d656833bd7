"""Writes an image of a program, as one tar file that is an OCI layout and a docker archive at once.

    image.py PROGRAM VERSION REVISION BILL OUTPUT

Needs no registry, no daemon and no other program than tar's reader in Python. The image holds the program, the
libraries that its loader maps, the system's certificate authorities, and word of the Debian packages that they come
from. There is no shell. Dated by SOURCE_DATE_EPOCH; the same program on the same machine gives the same bytes.
"""
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import time

import parts

program, version, revision, bill, output = sys.argv[1:]
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
USER = 65532
NAME = os.path.basename(program)
STATE = f"/var/lib/{NAME}"
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Tree:
    """The files of the image, written in the order of their names."""

    def __init__(self):
        self.entries = {}

    def folder(self, path, mode=0o755, user=0):
        if path in ("", "/") or path in self.entries:
            return
        self.folder(os.path.dirname(path))
        self.entries[path] = (tarfile.DIRTYPE, mode, user, b"", "")

    def file(self, path, data, mode=0o644):
        self.folder(os.path.dirname(path))
        self.entries[path] = (tarfile.REGTYPE, mode, 0, data, "")

    def link(self, path, target):
        self.folder(os.path.dirname(path))
        self.entries[path] = (tarfile.SYMTYPE, 0o777, 0, b"", target)

    def layer(self):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path, (kind, mode, user, data, target) in sorted(self.entries.items()):
                entry = tarfile.TarInfo(path.lstrip("/"))
                entry.type, entry.mode, entry.mtime, entry.linkname = kind, mode, EPOCH, target
                entry.uid = entry.gid = user
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
        return buffer.getvalue()


def tree():
    tree = Tree()
    # As Debian merges /usr: the loader's path is in the program.
    for name in ("bin", "lib", "lib64"):
        tree.folder(f"/usr/{name}")
        tree.link(f"/{name}", f"usr/{name}")
    tree.file(f"/usr/bin/{NAME}", read(program), 0o755)
    for path in parts.closure(program):
        place = path if path.startswith("/usr/") else f"/usr{path}"
        tree.file(place, read(os.path.realpath(path)), 0o755)
    packages = list(parts.packages(program)) + ["ca-certificates"]
    for name in sorted(packages):
        fields = ("Package", "Architecture", "Version", "Source", "Maintainer", "Description")
        values = zip(fields, parts.facts(name, *fields))
        stanza = "".join(f"{field}: {value}\n" for field, value in values if value)
        # Where scanners look for packages that no package manager looks after.
        tree.file(f"/var/lib/dpkg/status.d/{name}", stanza.encode())
        tree.file(f"/usr/share/doc/{name}/copyright", read(f"/usr/share/doc/{name}/copyright"))
    tree.file(f"/usr/share/doc/{NAME}/{NAME}.spdx.json", read(bill))
    tree.file(AUTHORITIES, read(AUTHORITIES))
    tree.file("/etc/os-release", read("/etc/os-release"))
    tree.file("/etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n")
    tree.file("/etc/passwd", f"root:x:0:0::/:/none\n{NAME}:x:{USER}:{USER}::{STATE}:/none\n".encode())
    tree.file("/etc/group", f"root:x:0:\n{NAME}:x:{USER}:\n".encode())
    tree.folder(STATE, 0o700, USER)
    tree.folder("/tmp", 0o1777)
    # Places that a runtime mounts over.
    for path in ("/proc", "/sys", "/dev", "/run"):
        tree.folder(path)
    return tree


blobs = {}


def blob(data):
    digest = hashlib.sha256(data).hexdigest()
    blobs[digest] = data
    return {"digest": f"sha256:{digest}", "size": len(data)}


def document(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


layer = tree().layer()
packed = blob(gzip.compress(layer, 9, mtime=0))
architecture = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
config = blob(document({
    "architecture": architecture, "os": "linux", "created": created,
    "config": {
        "User": f"{USER}:{USER}",
        "Env": ["PATH=/usr/bin", "XDG_STATE_HOME=/var/lib", f"HOME={STATE}"],
        "Entrypoint": [f"/usr/bin/{NAME}"],
        "Cmd": ["serve", "--port", "8443", "--any-container"],
        "WorkingDir": STATE, "Volumes": {STATE: {}}, "ExposedPorts": {"8443/tcp": {}}, "StopSignal": "SIGTERM",
        # Docker's own key, which other runtimes leave alone.
        "Healthcheck": {"Test": ["CMD", f"/usr/bin/{NAME}", "status", "--health"], "Interval": 5_000_000_000,
                        "Timeout": 5_000_000_000, "StartPeriod": 10_000_000_000, "Retries": 5},
        "Labels": {
            "org.opencontainers.image.title": NAME, "org.opencontainers.image.version": version,
            "org.opencontainers.image.revision": revision, "org.opencontainers.image.created": created,
            "org.opencontainers.image.description": "No licence has been chosen by the owner."}},
    "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
    "history": [{"created": created, "created_by": "scripts/package"}]}))
tag = f"{NAME}:{version}"
manifest = blob(document({
    "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "config": {"mediaType": "application/vnd.oci.image.config.v1+json", **config},
    "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", **packed}]}))
files = {f"blobs/sha256/{digest}": data for digest, data in blobs.items()}
files["oci-layout"] = document({"imageLayoutVersion": "1.0.0"})
files["index.json"] = document({
    "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
    "manifests": [{"mediaType": "application/vnd.oci.image.manifest.v1+json", **manifest,
                   "platform": {"architecture": architecture, "os": "linux"},
                   "annotations": {"org.opencontainers.image.ref.name": version,
                                   "io.containerd.image.name": f"docker.io/library/{tag}"}}]})
# What "docker load" reads where it does not know the layout.
files["manifest.json"] = document([{
    "Config": "blobs/" + config["digest"].replace(":", "/"), "RepoTags": [tag],
    "Layers": ["blobs/" + packed["digest"].replace(":", "/")]}])
with tarfile.open(output, "w", format=tarfile.USTAR_FORMAT) as archive:
    for folder in ("blobs", "blobs/sha256"):
        entry = tarfile.TarInfo(folder)
        entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, EPOCH
        archive.addfile(entry)
    for name, data in sorted(files.items()):
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode, entry.mtime = len(data), 0o644, EPOCH
        archive.addfile(entry, io.BytesIO(data))
print(f"{output}: {manifest['digest']}, {len(layer)} bytes unpacked, {packed['size']} packed")
