"""Lists the text that users read, and finds words in it that this project does not use; scripts/words runs it.

    words.py            every text with file and line: strings of the programs, pages, the console, help
    words.py --check    each word of Tests/Support/words.txt outside its allowed uses, and what to write instead

A text of a Swift or JavaScript file is a string literal with a space in it that is not SQL. An interpolation is
shown as {}; strings within it are texts of their own. Of a page, each line is a text.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = "Tests/Support/words.txt"
SQL = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|REPLACE|BEGIN|WHERE)\b[^.]*$", re.S)


class Swift:
    """Reads the string literals of a Swift source file."""

    def __init__(self, source):
        self.source, self.at, self.texts = source, 0, []

    def line(self, at):
        return self.source.count("\n", 0, at) + 1

    def code(self, closing=None):
        """Reads code up to the parenthesis that closes an interpolation, or to the end."""
        source, depth = self.source, 0
        while self.at < len(source):
            at = self.at
            if source.startswith("//", at):
                end = source.find("\n", at)
                self.at = len(source) if end < 0 else end
            elif source.startswith("/*", at):
                end = source.find("*/", at)
                self.at = len(source) if end < 0 else end + 2
            elif opening := re.compile(r'(#*)("""|")').match(source, at):
                self.literal(*opening.groups())
            else:
                character = source[at]
                self.at += 1
                if character == "(":
                    depth += 1
                elif character == ")":
                    if closing and depth == 0:
                        return
                    depth -= 1

    def literal(self, hashes, quotes):
        source, start = self.source, self.at
        self.at += len(hashes) + len(quotes)
        end, escape, text = quotes + hashes, "\\" + hashes, []
        while self.at < len(source):
            if source.startswith(end, self.at):
                self.at += len(end)
                break
            if source.startswith(escape + "(", self.at):
                self.at += len(escape) + 1
                text.append("{}")
                self.code(closing=True)
            elif source.startswith(escape, self.at):
                following = self.at + len(escape)
                if quotes == '"""' and source[following] == "\n":
                    self.at = following + 1
                    continue
                text.append({"n": "\n", "t": "\t"}.get(source[following], source[following]))
                self.at = following + 1
            else:
                text.append(source[self.at])
                self.at += 1
        self.texts.append((self.line(start), "".join(text)))


def swift(source):
    reader = Swift(source)
    reader.code()
    return sorted(reader.texts)


SCRIPT = re.compile(r"""//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`""", re.S)


def script(source):
    for match in SCRIPT.finditer(source):
        text = next((group for group in match.groups() if group is not None), None)
        if text is not None:
            yield source.count("\n", 0, match.start()) + 1, re.sub(r"\$\{[^}]*\}", "{}", text)


def page(source):
    return enumerate(source.split("\n"), 1)


def is_visible(text):
    return re.search(r"[A-Za-z]{2,}", text) and " " in text and not SQL.match(text)


def files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.split("\n")
    for name in sorted(listed):
        if not (ROOT / name).is_file():
            continue
        if name.startswith("Sources/") and name.endswith(".swift"):
            yield name, swift
        elif name.startswith("Sources/") and name.endswith(".js"):
            yield name, script
        elif name.endswith((".md", ".html")) and (not name.startswith("Tests/") or "/Examples/" in name):
            yield name, page


def texts():
    for name, reader in files():
        for line, text in reader((ROOT / name).read_text(encoding="utf-8")):
            if text.strip() if reader is page else is_visible(text):
                yield name, line, text


class Rules:
    """The words with their suggestions, the files that are not checked yet, and the allowed uses."""

    def __init__(self, source):
        self.words, self.exempt, self.allowed, section = [], [], [], None
        for number, line in enumerate(source.split("\n"), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                section = line.strip("[]")
                continue
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) != {"words": 2, "exempt": 2, "allowed": 3}.get(section):
                raise SystemExit(f"{RULES}:{number}: expected {section} with its columns, separated by \" | \"")
            if section == "words":
                self.words.append((re.compile(rf"\b(?:{parts[0]})\b", re.I), parts[1]))
            elif section == "exempt":
                self.exempt.append(parts[0])
            else:
                self.allowed.append((parts[0], re.compile(parts[1]), number))

    def findings(self, found):
        """The uses that are not allowed, and the rules that allow nothing."""
        used = set()
        for name, line, text in found:
            if any(fnmatch.fnmatch(name, pattern) for pattern in self.exempt):
                continue
            spans = []
            for pattern, allowed, number in self.allowed:
                if fnmatch.fnmatch(name, pattern):
                    for match in allowed.finditer(text):
                        spans.append(match.span())
                        used.add(number)
            for word, suggestion in self.words:
                for match in word.finditer(text):
                    if not any(start <= match.start() and match.end() <= end for start, end in spans):
                        row = line + text.count("\n", 0, match.start())
                        yield f"{name}:{row}: \"{match[0]}\": {suggestion}"
        for pattern, allowed, number in self.allowed:
            if number not in used:
                yield f"{RULES}:{number}: \"{allowed.pattern}\" is not in {pattern}: remove the line"


def main():
    if sys.argv[1:] == ["--check"]:
        findings = list(Rules((ROOT / RULES).read_text(encoding="utf-8")).findings(texts()))
        print("\n".join(findings), end="\n" if findings else "")
        sys.exit(1 if findings else 0)
    if sys.argv[1:]:
        sys.exit(__doc__)
    for name, line, text in texts():
        print(f"{name}:{line}: {text}".replace("\n", "⏎"))


if __name__ == "__main__":
    main()
