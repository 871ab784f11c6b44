"""Checks that what comments and READMEs refer to is in the repository: citations.py ROOT.

Comments: no section of a specification, and every file with a path or the ending .md exists. READMEs and docs: every
relative link leads to a file, and a link into a document to one of its headings."""
import os
import re
import sys

SOURCES = (".h", ".cpp", ".c", ".S", ".js", ".cmake", "CMakeLists.txt")
FOLDERS = ("cmake", "docs", "examples", "firmware", "models", "platform", "sw", "tests", "tools")
SPECIFICATION = re.compile(r"\b[Ss]pec(ification)?,? (sections?|§)")
DOCUMENT = re.compile(r"[\w./-]*\w\.md\b")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(text):
    """Of the headings, as forges name them."""
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def complaints_of_source(root, path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if SPECIFICATION.search(line):
            yield f"{path}:{number}: cites a specification that is not here: {line.strip()}"
        for name in DOCUMENT.findall(line) if "//" in line or "#" in line else ():
            places = (os.path.join(root, name), os.path.join(root, os.path.dirname(path), name))
            if not any(os.path.exists(place) for place in places):
                yield f"{path}:{number}: there is no {name}"


def complaints_of_document(root, path, text):
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        place = os.path.normpath(os.path.join(root, os.path.dirname(path), name)) if name else os.path.join(root, path)
        if not os.path.exists(place):
            yield f"{path}: leads to {target}, which is not there"
        elif anchor:
            with open(place, encoding="utf-8") as file:
                if anchor not in anchors(file.read()):
                    yield f"{path}: leads to {target}, where no heading is so named"


def files_below(root):
    yield "README.md"
    for top in FOLDERS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = [name for name in folders if name not in ("build", "golden")]
            for name in files:
                if name.endswith(SOURCES + (".md",)):
                    yield os.path.relpath(os.path.join(folder, name), root)


def main(root):
    wrong, read = 0, 0
    for path in files_below(root):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        read += 1
        check = complaints_of_document if path.endswith(".md") else complaints_of_source
        for complaint in check(root, path, text):
            print(complaint)
            wrong += 1
    print(f"{read} files, {wrong} wrong")
    return 1 if wrong or read == 0 else 0


sys.exit(main(sys.argv[1]))
