# SPDX-License-Identifier: Apache-2.0
"""Results of an earlier run that a new one goes on with."""
import hashlib
import json
from pathlib import Path

from . import summary
from .peers import Runtime
from .rounds import Measurement, Row


def print_of(runtime: Runtime) -> str:
    """What tells one build of a runtime from another."""
    digest = hashlib.sha256()
    for library in sorted({file.resolve() for file in runtime.folder.glob("lib*omp*.so*")}):
        digest.update(library.read_bytes())
    return digest.hexdigest()[:16]


def _measurement(found: dict) -> Measurement:
    return Measurement(samples=found["samples"], turns=found["samples_of_runs"], runs=found["runs"],
                       disturbed=found["disturbed"], cpus=found["cpus"], failure=found["failure"],
                       detail=found["detail"])


class Earlier:
    def __init__(self, path: Path, runtimes: list[Runtime]):
        document = json.loads(path.read_text())
        self._rows = {(row["scenario"], row["compiler"], row["threads"]): row for row in document["rows"]}
        self._same = document.get("libraries") == {runtime.name: print_of(runtime) for runtime in runtimes}

    def take_up(self, found: list[Row], ours: str) -> list[Row]:
        """Gives the rows what was measured of them; returns those that are to be measured from the beginning:
        they are new, or Tulle may be behind in them and was not the library that it is now."""
        new = []
        for row in found:
            known = self._rows.get((row.scenario.name, row.compiler, row.threads))
            if known is None or set(known["results"]) != set(row.results):
                new.append(row)
                continue
            measured = {name: _measurement(result) for name, result in known["results"].items()}
            row.again = known["measured_again"]
            unmeasured, row.results = row.results, measured
            if not self._same and (measured[ours].failure or summary.may_be_behind(row, ours)):
                row.results = unmeasured
                new.append(row)
        return new
