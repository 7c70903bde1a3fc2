# SPDX-License-Identifier: Apache-2.0
"""Medians, ratios and verdicts."""
import math
import statistics

from .peers import PEERS
from .rounds import Measurement, Row

LEVEL = 0.05  # within five per cent of the best peer counts as level
FLAT_MEAN = ("parallel", "parallel_for", "barrier", "for_static", "for_dynamic", "for_guided", "single",
             "critical", "reduction", "ordered")
STATISTICS = {"median": statistics.median, "min": min}
statistic = "median"  # W: main, before any row is summarised


def median(measurement: Measurement | None) -> float | None:
    if not measurement or measurement.failure or not measurement.samples:
        return None
    return STATISTICS[statistic](measurement.samples)


def spread(measurement: Measurement) -> float | None:
    """Half of the interquartile range, as a share of the median."""
    if len(measurement.samples) < 4:
        return None
    low, middle, high = statistics.quantiles(measurement.samples, n=4)
    return (high - low) / 2 / middle if middle else None


def of_processes(measurement: Measurement | None) -> list[float]:
    """The statistic of each run; nothing where a run failed."""
    if not measurement or measurement.failure:
        return []
    found, at = [], 0
    for size in measurement.turns:
        if size:
            found.append(STATISTICS[statistic](measurement.samples[at:at + size]))
        at += size
    return found


def best_peer(row: Row) -> tuple[str, float] | None:
    found = [(name, median(m)) for name, m in row.results.items() if name in PEERS]
    found = [(name, value) for name, value in found if value is not None]
    return min(found, key=lambda item: item[1]) if found else None


def verdict(own: float | None, best: float | None) -> str:
    if own is None:
        return "behind"
    if best is None:
        return "ahead"
    if own < best * (1 - LEVEL):
        return "ahead"
    return "level" if own <= best * (1 + LEVEL) else "behind"


def summarise(row: Row, ours: str) -> dict:
    """One row of the final table; times in nanoseconds, None where a runtime failed. `worst`: the ratio of
    our slowest process."""
    own = median(row.results.get(ours))
    best = best_peer(row)
    value = best[1] if best else None
    measured = ours in row.results and any(name in PEERS for name in row.results)
    processes = of_processes(row.results.get(ours))
    return {
        "scenario": row.scenario.name,
        "compiler": row.compiler,
        "threads": row.threads,
        "tulle": own,
        "peers": {n: median(m) for n, m in row.results.items() if n in PEERS},
        "ratio": own / value if own is not None and value else None,
        "worst": max(processes) / value if len(processes) > 1 and value else None,
        "verdict": verdict(own, value) if measured else "not measured",
    }


def geometric_mean(ratios: list[float]) -> float | None:
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def flat_means(rows: list[Row], ours: str) -> list[tuple[str, float]]:
    """(compiler, geometric mean of the ratios of the constructs in FLAT_MEAN at two threads)."""
    found = []
    for compiler in dict.fromkeys(r.compiler for r in rows):
        ratios = [summarise(r, ours)["ratio"] for r in rows
                  if r.compiler == compiler and r.threads == 2 and r.scenario.name in FLAT_MEAN]
        mean = geometric_mean([ratio for ratio in ratios if ratio])
        if mean:
            found.append((compiler, mean))
    return found


RESAMPLES = 999


def _resampled(measurement: Measurement, random) -> "numpy.ndarray":
    """The statistic of samples drawn anew: first runs, then samples in each, because the samples of one
    process resemble each other more than those of two."""
    import numpy

    samples = measurement.samples
    sizes = [n for n in measurement.turns if n]
    starts = numpy.cumsum([0, *sizes[:-1]])
    runs = random.integers(len(sizes), size=(RESAMPLES, len(sizes)))
    drawn = random.random((RESAMPLES, len(sizes), max(sizes)))
    picked = starts[runs][..., None] + (drawn * numpy.array(sizes)[runs][..., None]).astype(int)
    middle = numpy.median if statistic == "median" else numpy.min
    return middle(numpy.array(samples)[picked].reshape(RESAMPLES, -1), axis=1)


def interval(row: Row, ours: str) -> tuple[float, float] | None:
    """The ratio's 95 % interval, by resampling both sides; None if one of them had a single run."""
    best = best_peer(row)
    own = row.results.get(ours)
    if not best or median(own) is None:
        return None
    peer = row.results[best[0]]
    if min(len(own.turns), len(peer.turns)) < 2:
        return None
    import numpy

    random = numpy.random.default_rng(1)
    low, high = numpy.percentile(_resampled(own, random) / _resampled(peer, random), [2.5, 97.5])
    return float(low), float(high)


def interval_of_median(values: list[float], confidence: float = 0.95) -> tuple[float, float]:
    """Order statistics that hold the median as often as asked, whatever the distribution."""
    ordered, n = sorted(values), len(values)
    below, term = 0.0, 0.5 ** n
    for k in range(n // 2):
        below += term
        if 2 * below > 1 - confidence:
            return ordered[max(k - 1, 0)], ordered[n - max(k, 1)]
        term = term * (n - k) / (k + 1)
    return ordered[0], ordered[-1]


def is_settled(entry: dict, bounds: tuple[float, float] | None) -> bool | None:
    """Whether the whole interval has the row's verdict; None: there is no interval."""
    return None if bounds is None else all(verdict(ratio, 1.0) == entry["verdict"] for ratio in bounds)


def may_be_behind(row: Row, ours: str) -> bool:
    """Whether more rounds could show that Tulle is behind, or that it is not."""
    own = row.results.get(ours)
    if own is None or own.failure or best_peer(row) is None:
        return False
    ratio, bounds = summarise(row, ours)["ratio"], interval(row, ours)
    return max(ratio, bounds[1] if bounds else 0.0) > 1 + LEVEL


def bounds_of(row: Row) -> tuple[float | None, float | None]:
    """The most that Tulle may take: of the best peer's time, and in nanoseconds."""
    return row.scenario.bound.get(row.threads), row.scenario.most_ns.get(row.threads)


def holds_bounds(row: Row, entry: dict) -> bool | None:
    """Whether Tulle keeps within the row's bounds; None if there are none or it was not measured."""
    share, most = bounds_of(row)
    if (share is None and most is None) or entry["verdict"] == "not measured":
        return None
    within = most is None or (entry["tulle"] is not None and entry["tulle"] <= most)
    return within and (share is None or (entry["ratio"] is not None and entry["ratio"] <= share))


def self_ratios(rows: list[Row], ours: str) -> list[tuple[str, str, float, float]]:
    """(scenario, compiler, time at 36 threads over own time at two, bound)."""
    times = {(r.scenario.name, r.compiler, r.threads): median(r.results.get(ours)) for r in rows}
    found = []
    for row in rows:
        if row.threads != 36 or row.scenario.self_bound is None:
            continue
        key = (row.scenario.name, row.compiler)
        many, few = times[(*key, 36)], times.get((*key, 2))
        if many and few:
            found.append((*key, many / few, row.scenario.self_bound))
    return found
