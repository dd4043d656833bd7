"""Writes what a package says of licences: /usr/share/doc/PROGRAM/copyright.

    copyright.py PROGRAM
"""
import os
import sys

import parts

print(f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {os.path.basename(sys.argv[1])}
Comment: No licence has been chosen by the owner of cksweep, so that none is given here:
 whoever wants to pass this package on needs the owner's word.

Files: *
Copyright: the owner of cksweep
License: none-chosen

License: none-chosen
 No licence has been chosen by the owner.
 .
 The program is linked with what follows, each under its own licence.
 .""")
print(f" Swift standard library and Foundation (in the program): {parts.SWIFT}")
for name, is_direct in parts.packages(sys.argv[1]).items():
    names = parts.licence(name) or ", ".join(parts.licence_names(name)) or "in words only"
    print(f" {name} ({'shared' if is_direct else 'needed by a shared library'}): {names};")
    print(f"   see /usr/share/doc/{name}/copyright")
