#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the entries of libtulle-mpi for one MPI from the table of calls and that MPI's header.

`generate.py MPI TABLE PREPROCESSED_MPI_H OUTPUT_FOLDER`: tulle_mpi_real.inc, what the object calls of
the library; tulle_mpi_tools.inc and entries.cpp, what it defines in the library's place.
"""
import re
import sys
from pathlib import Path

# What is called by hand beside the forms that the table names.
CALLED = """Allreduce Cancel Comm_call_errhandler Comm_create_errhandler Comm_dup Comm_get_errhandler Comm_get_parent
Comm_group Comm_remote_group Comm_set_errhandler Comm_test_inter Errhandler_free Group_difference Group_free
Group_size Improbe Init_thread Iprobe Irecv Isend Pack Pack_size Recv Request_get_status Test Testany Testsome Wait
Win_test""".split()


def balanced(text: str, start: int) -> int:
    """The index behind the parenthesis that closes the one before `start`."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[start], 0)
        start += 1
    return start


def prototypes(text: str) -> dict[str, list[tuple[str, str]]]:
    """Name without MPI_ to its parameters, each as (declaration, name)."""
    found = {}
    for match in re.finditer(r"\bint\s+MPI_(\w+)\s*\(", text):
        end = balanced(text, match.end())
        inside = " ".join(text[match.end():end - 1].split())
        if "..." in inside:
            continue
        parameters = [] if inside in ("", "void") else [
            (part.strip(), re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part).group(1))
            for part in inside.split(",")]
        found.setdefault(match.group(1), parameters)
    return found


def table(path: Path) -> list[tuple[str, str, str]]:
    rows = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(row[0].removeprefix("MPI_"), row[1], row[2].removeprefix("MPI_")) for row in rows]


def flag_of(parameters) -> str:
    return next(name for declaration, name in parameters if name in ("flag", "outcount"))


def own_body(name: str, parameters) -> str:
    """What is written by hand has int counts; more than these can say block."""
    counts = [each for declaration, each in parameters if declaration.startswith("MPI_Count ")]
    passed = ", ".join(f"static_cast<int>({each})" if each in counts else each for _, each in parameters)
    own = f"return own_{name.removesuffix('_c')}({passed});"
    if not counts:
        return f"  {own}"
    names = ", ".join(each for _, each in parameters)
    fit = " && ".join(f"is_int({each})" for each in counts)
    return f"  if ({fit}) {own}\n  Section section;\n  return real.{name}({names});"


def body(name: str, kind: str, form: str, parameters) -> str:
    names = ", ".join(name for _, name in parameters)
    if kind == "start":
        return f"return own_{name}({names});"
    # With nobody at the other end nothing blocks.
    peer = next((f" || {name} == MPI_PROC_NULL" for _, name in parameters if name in ("dest", "source")), "")
    stays = f"if (!suspends(){peer if kind == 'posted' else ''}) return real.{name}({names});\n"
    if kind == "own":
        return stays + own_body(name, parameters)
    if kind == "handlers":
        return f"return is_plain() ? real.{name}({names}) : own_{form}({names});"
    if kind in ("section", "strangers"):
        met = "meet_strangers();\n  " if kind == "strangers" else ""
        return met + f"Section section;\n  return real.{name}({names});"
    if kind == "loop":
        return (f"int error = real.{name}({names});\n"
                f"  if (error == MPI_SUCCESS && *{flag_of(parameters)} == 0) tested_in_vain();\n"
                "  return error;")
    status = next((name for declaration, name in parameters if "MPI_Status" in declaration),
                  "MPI_STATUS_IGNORE")
    passed = ", ".join(name for declaration, name in parameters if "MPI_Status" not in declaration)
    start = f"real.{form}({passed}, request)"
    comm = next((name for declaration, name in parameters if declaration.startswith("MPI_Comm ")), "MPI_COMM_NULL")
    if kind == "posted":
        plain = stays
    else:
        plain = (f"if (!converts_collectives({comm})) {{\n    Section section;\n"
                 f"    return real.{name}({names});\n  }}\n  Collective collective({comm});\n")
    return f"{plain}  return call_posted([&](MPI_Request* request) {{ return {start}; }}, {status}, {comm});"


def function(head: str, result: str) -> str:
    return f"{head} {{\n  return {result};\n}}\n"


def entry(name: str, kind: str, form: str, parameters) -> str:
    """What is called most often goes on to the library at once where it can: registers are saved where that is needed."""
    declared = ", ".join(declaration for declaration, _ in parameters)
    names = ", ".join(name for _, name in parameters)
    quick = kind in ("posted", "own")
    shape = "__attribute__((noinline)) static" if quick else "static"
    at_once = f"is_outside() ? real.{name}({names}) : " if quick else ""
    return (f"{shape} int tulle_{name}({declared}) {{\n  {body(name, kind, form, parameters)}\n}}\n" +
            function(f"{shape} int tool_or_tulle_{name}({declared})",
                     f"tools.{name} != nullptr ? tools.{name}({names}) : tulle_{name}({names})") +
            function(f'extern "C" TULLE_MPI_ENTRY int PMPI_{name}({declared})', f"{at_once}tulle_{name}({names})") +
            function(f'extern "C" TULLE_MPI_ENTRY int MPI_{name}({declared})', f"{at_once}tool_or_tulle_{name}({names})"))


def late_entry(name: str, parameters) -> str:
    """Of an MPI that is loaded after this object."""
    declared = ", ".join(declaration for declaration, _ in parameters)
    names = ", ".join(name for _, name in parameters)
    return f"static int late_{name}({declared}) {{\n  find_library();\n  return real.{name}({names});\n}}\n"


def main() -> None:
    mpi, (path, header, folder) = sys.argv[1], map(Path, sys.argv[2:])
    known = prototypes(header.read_text())
    entries, wrapped, real = [], [], set(CALLED)
    for name, kind, form in table(path):
        if kind == "untouched":
            continue
        if kind == "handlers" and mpi != "mpich":
            continue
        if kind == "mpich":
            kind = "collective" if mpi == "mpich" else "section"
        for suffix in ("", "_c"):
            target = name + suffix
            converted = kind in ("posted", "collective")
            if target not in known or (converted and form + suffix not in known):
                continue
            entries.append(entry(target, kind, form + suffix, known[target]))
            wrapped.append(target)
            real.add(target)
            if converted:
                real.add(form + suffix)
    note = "// Written by src/mpi/generate.py.\n"
    (folder / "tulle_mpi_real.inc").write_text(
        note + "".join(f"TULLE_MPI_REAL({name})\n" for name in sorted(real & known.keys())))
    (folder / "tulle_mpi_tools.inc").write_text(note + "".join(f"TULLE_MPI_TOOL({name})\n" for name in wrapped))
    called = sorted(real & known.keys())
    late = "".join(late_entry(name, known[name]) for name in called)
    slots = ", ".join(f"late_{name}" for name in called)
    (folder / "entries.cpp").write_text(
        note + '#include "entry.h"\n\nusing namespace tulle::mpi;\n\n' + late +
        f"Real tulle::mpi::real = {{{slots}}};\n\n" + "\n".join(entries))


if __name__ == "__main__":
    main()
