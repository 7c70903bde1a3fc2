# SPDX-License-Identifier: Apache-2.0
"""Links of the pages lead to files that are there, and to headings that those have.
usage: links.py SOURCES"""
import os
import pathlib
import re
import sys

SOURCES = pathlib.Path(sys.argv[1])
TEMPLATE = SOURCES / "tests/programs/corpus/page.md"  # its links are those of docs/corpus.md


def pages():
    for folder, names, files in os.walk(SOURCES):
        names[:] = [name for name in names if name != "build" and not name.startswith(".")]
        yield from (pathlib.Path(folder) / file for file in files if file.endswith(".md"))


def headings_of(page):
    """As forges name them."""
    shown = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in shown}


def faults_of(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if link.startswith(("http://", "https://")):
            continue
        file, _, heading = link.partition("#")
        target = page.parent / file if file else page
        if not target.exists():
            yield f"{page.relative_to(SOURCES)}: {link} is not there"
        elif heading and heading not in headings_of(target):
            yield f"{page.relative_to(SOURCES)}: {link}: no such heading"


found = sorted(set(pages()) - {TEMPLATE})
faults = [fault for page in found for fault in faults_of(page)]
print("\n".join(faults) or f"the links of {len(found)} pages lead somewhere")
sys.exit(bool(faults) or not found)
