"""Writes the bill of materials of a program as SPDX 2.3 (JSON).

    bill.py PROGRAM VERSION REVISION SWIFT-VERSION

Dated by SOURCE_DATE_EPOCH; the same program on the same machine gives the same bytes.
"""
import datetime
import hashlib
import json
import os
import sys

import parts

program, version, revision, swift = sys.argv[1:]
with open(program, "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
program_name = os.path.basename(program)
root = f"SPDXRef-{program_name}"


def entry(identifier, name, package_version, declared, **more):
    return {"SPDXID": identifier, "name": name, "versionInfo": package_version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": declared,
            "copyrightText": "NOASSERTION", **more}


packages = [
    entry(root, program_name, version, "NONE", sourceInfo=f"commit {revision}",
          licenseComments="No licence has been chosen by the owner.",
          primaryPackagePurpose="APPLICATION", checksums=[{"algorithm": "SHA256", "checksumValue": digest}]),
    entry("SPDXRef-swift", "Swift standard library and Foundation", swift, parts.SWIFT),
]
relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", root), (root, "STATIC_LINK", "SPDXRef-swift")]
distribution = "debian"
with open("/etc/os-release", encoding="utf-8") as file:
    for line in file:
        if line.startswith("ID="):
            distribution = line[3:].strip().strip('"')
for name, is_direct in parts.packages(program).items():
    package_version, architecture, source, maintainer = parts.facts(
        name, "Version", "Architecture", "source:Package", "Maintainer")
    identifier = "SPDXRef-deb-" + name.replace("+", "-plus")
    packages.append(entry(
        identifier, name, package_version, parts.licence(name) or "NOASSERTION",
        supplier=f"Organization: {maintainer}", sourceInfo=f"built from the source package {source}",
        licenseComments="its copyright file names: "
        + (", ".join(parts.licence_names(name)) or "its licences in words only"),
        externalRefs=[{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/{distribution}/{name.replace('+', '%2B')}@"
            f"{package_version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}"}]))
    relationships.append((root, "DYNAMIC_LINK", identifier) if is_direct
                         else (identifier, "RUNTIME_DEPENDENCY_OF", root))
json.dump({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{program_name}-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/{program_name}-{version}-{digest}",
    "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: scripts/package"]},
    "packages": packages,
    "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                      for a, kind, b in relationships],
}, sys.stdout, indent=1)
print()
