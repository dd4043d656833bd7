"""The table of planted bugs, and how a row is woven into a source file."""

import re
from dataclasses import dataclass, field

WAYS = ("expression", "statement", "text", "build", "compiler")


class TableError(Exception):
    """What is wrong with a row, and where it stands."""


@dataclass
class Row:
    """One mistake: a change of a few characters, and the tests that have to notice it."""

    name: str
    line: int
    file: str = ""
    way: str = "expression"
    after: str = ""
    old: list = field(default_factory=list)
    new: list = field(default_factory=list)
    tests: list = field(default_factory=list)
    why: str = ""
    hang: int = 0

    @property
    def module(self):
        """The module that the file belongs to: Sources/ROOM/MODULE/…"""
        return self.file.split("/")[2]

    @property
    def folder(self):
        """The folder of that module."""
        return "/".join(self.file.split("/")[:3])

    @property
    def is_woven(self):
        """Whether it sleeps beside the right text, in the one copy that has all such rows."""
        return self.way not in ("build", "compiler")

    def applied(self, text):
        """`text` with the mistake in place of what is right."""
        start, end = self.span(text)
        return text[:start] + "\n".join(self.new) + text[end:]

    def span(self, text):
        """Where the old text stands; it must stand there once (after `after`, if that is given)."""
        start = 0
        if self.after:
            start = text.find(self.after)
            if start < 0:
                raise TableError(f"{self.name}: {self.file} has no \"{self.after}\"")
        # Lines may be indented in any way.
        pattern = r"[ \t]*\n[ \t]*".join(re.escape(line.strip()) for line in self.old)
        found = list(re.finditer(pattern, text[start:]))
        if not found:
            raise TableError(f"{self.name}: {self.file} does not say: {' / '.join(self.old)}")
        if len(found) > 1 and not self.after:
            raise TableError(
                f"{self.name}: {self.file} says {len(found)} times: {' / '.join(self.old)}"
                " (name a text before the right one with \"after\")")
        start, end = start + found[0].start(), start + found[0].end()
        if self.way == "expression" and (
                re.match(r"[\w.]", text[start - 1]) or re.match(r"[\w(\[?!]|\.\w", text[end:])):
            raise TableError(
                f"{self.name}: in {self.file} a longer expression holds: {' / '.join(self.old)}")
        return start, end

    def woven(self, inner):
        """The old text with the mistake asleep beside it; `inner`: the old text as it stands."""
        asks = f'Mutant.isAlive("{self.name}")'
        new = "\n".join(self.new)
        if self.way == "text":  # inside a string literal
            return f'\\({asks} ? "{new}" : "{inner}")'
        if self.way == "statement":
            if not new:
                return f"if !{asks} {{ {inner} }}"
            return f"if {asks} {{ {new} }} else {{ {inner} }}"
        return f"({asks} ? ({new}) : ({inner}))"


def read_table(path):
    """All rows, in their order."""
    rows, row = [], None
    keys = {"file", "way", "after", "tests", "why", "hang"}
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.startswith("#"):
                continue
            if line.startswith("["):
                row = Row(name=line.strip("[]"), line=number)
                rows.append(row)
                continue
            if row is None:
                raise TableError(f"{path}:{number}: a row begins with [name]")
            if line[:2] in ("- ", "+ ") or line in ("-", "+"):
                (row.old if line[0] == "-" else row.new).append(line[2:])
                continue
            key, separator, value = line.partition(":")
            value = value.strip()
            if not separator or key not in keys:
                raise TableError(
                    f"{path}:{number}: expected \"- \", \"+ \" or one of {', '.join(sorted(keys))}")
            if key == "tests":
                row.tests += [name.strip() for name in value.split(",")]
            elif key == "hang":
                if not value.isdigit():
                    raise TableError(f"{path}:{number}: hang is a number of seconds")
                row.hang = int(value)
            elif key == "way" and value not in WAYS:
                raise TableError(f"{path}:{number}: a way is one of {', '.join(WAYS)}")
            else:
                setattr(row, key, value)
    names = set()
    for row in rows:
        for what in ("file", "old", "tests", "why"):
            if not getattr(row, what) and (what != "tests" or row.way != "compiler"):
                raise TableError(f"{path}:{row.line}: {row.name} has no {what}")
        if row.name in names:
            raise TableError(f"{path}:{row.line}: {row.name} stands there twice")
        names.add(row.name)
    return rows


def weave(text, rows):
    """`text` with all mistakes of `rows` in it, asleep."""
    spans = sorted(((row.span(text), row) for row in rows), key=lambda it: (it[0][0], -it[0][1]))
    out, at = [], 0
    while spans:
        (start, end), outer = spans.pop(0)
        # What begins before it ends is the same text, or lies inside.
        inside = []
        while spans and spans[0][0][0] < end:
            span, row = spans.pop(0)
            if span[1] > end:
                raise TableError(f"{row.name} and {outer.name} overlap: give one of them way: build")
            inside.append((span, row))
        old = text[start:end]
        same = [row for span, row in inside if span == (start, end)]
        within = [row for span, row in inside if span != (start, end)]
        if within:
            old = weave(old, [_here(row) for row in within])
        for row in [*same, outer]:
            old = row.woven(old)
        out += [text[at:start], old]
        at = end
    return "".join(out) + text[at:]


def _here(row):
    """The row for a part of its file, where nothing stands before it."""
    return Row(**{**row.__dict__, "after": ""})
