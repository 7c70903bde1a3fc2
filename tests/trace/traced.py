# SPDX-License-Identifier: Apache-2.0
"""Runs `tulle trace`, and reads the page that it writes, as the page does."""
import base64
import json
import os
import re
import subprocess
from pathlib import Path

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KMP_", "GOMP_", "TULLE_"))}


def run(tulle, *words, settings=(), **options):
    return subprocess.run([tulle, "trace", *map(str, words)], capture_output=True, text=True, timeout=120,
                          env={**ENVIRONMENT, **dict(settings)}, **options)


def numbers(text):
    """Numbers of seven bits a byte, in base 64."""
    value, shift = 0, 0
    for byte in base64.b64decode(text):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value, shift = 0, 0


class Page:
    def __init__(self, file):
        self.text = Path(file).read_text()
        data = json.loads(re.search(r"^const data = (.*);$", self.text, re.MULTILINE).group(1))
        self.data, self.labels, self.doings = data, data["labels"], data["doings"]
        self.processes = [process["name"] for process in data["processes"]]
        self.lanes = [self.lane(lane) for lane in data["lanes"]]
        values = list(numbers(data["tasks"]))
        fields = ("label", "made", "maker", "ready", "nobody", "begun", "runner", "ended", "finisher")
        self.tasks = [dict(zip(fields, values[i:i + 9])) for i in range(0, len(values), 9)]
        values = list(numbers(data["edges"]))
        self.edges = list(zip(values[::2], values[1::2]))

    def lane(self, packed):
        values, spans, time = list(numbers(packed["spans"])), [], 0
        for i in range(0, len(values), 5):
            gap, length, label, task, worker = values[i:i + 5]
            time += gap
            text, doing = self.labels[label]
            spans.append({"begin": time, "end": time + length, "text": text, "doing": self.doings[doing], "task": task,
                          "worker": worker})
            time += length
        return {"name": packed["name"], "process": packed["process"], "spans": spans}

    def spans(self, text="", doing=None, process=None):
        return [span for lane in self.lanes for span in lane["spans"]
                if text in span["text"] and doing in (None, span["doing"]) and process in (None, lane["process"])]

    def time(self, *wanted, **named):
        """Milliseconds."""
        return sum(span["end"] - span["begin"] for span in self.spans(*wanted, **named)) / 1e6
