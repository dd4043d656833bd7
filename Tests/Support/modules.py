"""Draws the rooms of this package with their modules, and which room imports which; scripts/modules runs it in
the root of the repository.

    swift package describe --type json | modules.py          writes the picture with Graphviz
    swift package describe --type json | modules.py --check  fails where an import goes upward or from Sweep to Mock,
                                                             a module lies in no room, or the picture is not of this
                                                             package

The picture carries a digest of what it shows, so that --check needs no Graphviz, and versions of Graphviz that lay
out differently do not matter.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

PICTURE = "Sources/Sweep/Commands/Commands.docc/Resources/modules.svg"
# From the ground up, as in Package.swift: a room imports itself and those before it.
ROOMS = {
    "System": "#eceff1", "Cloud": "#e3f2fd", "Donations": "#f3e5f5", "Mock": "#e8f5e9", "Sweep": "#fff3e0",
    "Apple": "#fce4ec",
}
# The program that deletes contains no mock server.
FORBIDDEN = {("Sweep", "Mock")}
COLUMNS = 5


def read(description):
    """The room of each module, the modules that each imports, and what is wrong with that."""
    rooms, imports, faults = {}, {}, []
    for target in description["targets"]:
        path = target["path"].split("/")
        if path[0] != "Sources":
            continue
        if len(path) < 3 or path[1] not in ROOMS:
            faults.append(f"{target['path']}: lies in no room; move {target['name']} to Sources/ROOM/ of "
                          + ", ".join(ROOMS))
            continue
        rooms[target["name"]] = path[1]
        imports[target["name"]] = set(target.get("target_dependencies", []))
    order = list(ROOMS)
    for name in sorted(imports):
        for used in sorted(imports[name]):
            if used in rooms and order.index(rooms[used]) > order.index(rooms[name]):
                faults.append(f"{name} in {rooms[name]} imports {used} in {rooms[used]}, which is above it: move one "
                              "of them, or hand the value in")
            elif used in rooms and (rooms[name], rooms[used]) in FORBIDDEN:
                faults.append(f"{name} in {rooms[name]} imports {used} in {rooms[used]}: run its program, or move what "
                              "both need to a room below")
    return rooms, imports, faults


def label(room, colour, names):
    """A box with the room's name and those of its modules, some in a row."""
    # What wraps a C library says little: the last rows have those.
    names = sorted(names, key=lambda name: (name[0] == "C" and name[1].isupper(), name.lower()))
    rows = [names[at:at + COLUMNS] for at in range(0, len(names), COLUMNS)]
    cells = "".join("<tr>" + "".join(f'<td align="left"><font point-size="11">{name}</font></td>' for name in row)
                    + "</tr>" for row in rows)
    return (f'<<table border="0" cellborder="0" cellspacing="2" bgcolor="{colour}"><tr><td align="left" '
            f'colspan="{COLUMNS}"><b>{room}</b></td></tr>{cells}</table>>')


def picture(rooms, imports):
    """What Graphviz draws: the rooms with their modules, and an arrow from each room to each that it imports."""
    lines = [
        "digraph {", "  bgcolor=white; ranksep=0.35; nodesep=0.4;",
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=14, color="#90a4ae"];',
        '  edge [color="#607d8b", arrowsize=0.7];',
    ]
    for room, colour in ROOMS.items():
        names = [name for name in rooms if rooms[name] == room]
        lines.append(f'  {room} [fillcolor="{colour}", label={label(room, colour, names)}];')
    arrows = {(rooms[name], rooms[used]) for name in imports for used in imports[name] if used in rooms}
    lines += [f"  {above} -> {below};" for above, below in sorted(arrows) if above != below]
    return "\n".join(lines + ["}", ""])


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    rooms, imports, faults = read(json.load(sys.stdin))
    source = picture(rooms, imports)
    mark = f"<!-- {hashlib.sha256(source.encode()).hexdigest()} -->"
    path = pathlib.Path(PICTURE)
    if sys.argv[1:]:
        if not path.is_file() or mark not in path.read_text(encoding="utf-8"):
            faults.append(f"{PICTURE}: shows another package: run scripts/modules")
    elif not faults:
        drawn = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, text=True, check=True).stdout
        path.write_text(drawn.replace("<svg ", mark + "\n<svg ", 1), encoding="utf-8")
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
