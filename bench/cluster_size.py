"""How long a run takes on a cluster, and how large its files are: a simulation, up to 10⁹ cases.

``python bench/cluster_size.py --workers 64 --seconds 2 --shards 1`` simulates the workers and the
driver question by question, with workers that are lost now and then, until the pace is steady. Time,
journal, memory and resuming of longer runs follow from that pace and from figures that were
measured (docs/operating.md, docs/evidence/benchmarks.md); give your own with the options.
"""

import argparse
import heapq
import random
from typing import NamedTuple

SIMULATED = 200_000
"""The cases that are simulated one by one; longer runs go on at the same pace."""


class Setup(NamedTuple):
    """A cluster: its workers, and what was measured. Times are in seconds."""

    workers: int
    at_once: int
    answer_s: float
    driver_s: float
    between_losses_s: float
    restart_s: float


class Pace(NamedTuple):
    """What the simulation showed: cases per second, and the questions asked again per case."""

    per_s: float
    again: float
    driver_share: float


def simulate(setup: Setup, cases: int, seed: int = 0) -> Pace:
    """Simulate a run: each worker answers ``at_once`` questions, the driver handles each in turn.

    A worker is lost after a random time; what it was asked is asked again, and its place is empty
    until another has started.
    """
    chance = random.Random(seed)

    def answer_s() -> float:
        return setup.answer_s * chance.uniform(0.5, 1.5)

    lost_at = [_loss(setup, chance) for _ in range(setup.workers)]
    # the ends of the answers in progress, with their starts
    answers = [
        (answer_s(), 0.0, worker) for worker in range(setup.workers) for _ in range(setup.at_once)
    ]
    heapq.heapify(answers)
    driver_free = busy = 0.0
    done = again = 0
    while done < cases:
        ended, started, worker = heapq.heappop(answers)
        if started <= lost_at[worker] < ended:  # it was in flight when its worker was lost
            again += 1
            back = lost_at[worker] + setup.restart_s
            heapq.heappush(answers, (back + answer_s(), back, worker))
            continue
        if lost_at[worker] < started:
            lost_at[worker] = started + _loss(setup, chance)
        driver_free = max(driver_free, ended) + setup.driver_s
        busy += setup.driver_s
        done += 1
        heapq.heappush(answers, (driver_free + answer_s(), driver_free, worker))
    return Pace(done / driver_free, again / done, busy / driver_free)


def _loss(setup: Setup, chance: random.Random) -> float:
    return chance.expovariate(1 / setup.between_losses_s) if setup.between_losses_s else 1e18


def duration(seconds: float) -> str:
    """Seconds in the unit that fits.

    >>> duration(90), duration(7200), duration(1e6)
    ('1.5 min', '2.0 h', '11.6 d')
    """
    for unit, size in (("d", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 1.2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--workers", type=int, default=64, help="of all shards together")
    add("--at-once", type=int, default=1, help="questions that a worker takes at a time")
    add("--seconds", type=float, default=2.0, help="of an answer")
    add("--shards", type=int, default=1, help="independent drivers")
    add("--variants", type=int, default=20, help="cases of one question")
    add("--driver-ms", type=float, default=0.9, help="of the driver's core, for each case")
    add("--row-bytes", type=float, default=1500.0)
    add("--question-bytes", type=float, default=1000.0, help="of a question in memory")
    add("--resume-us", type=float, default=3.0, help="to read a recorded row")
    add("--hours-between-losses", type=float, default=24.0, help="of a worker; 0: never")
    add("--restart-s", type=float, default=60.0, help="until another worker is ready")
    options = parser.parse_args()
    setup = Setup(
        workers=max(1, options.workers // options.shards),
        at_once=options.at_once,
        answer_s=options.seconds,
        driver_s=options.driver_ms / 1000,
        between_losses_s=options.hours_between_losses * 3600,
        restart_s=options.restart_s,
    )
    pace = simulate(setup, SIMULATED)
    print(
        f"{options.shards} shards of {setup.workers} workers: {pace.per_s:.0f} cases/s each, the "
        f"driver's core {pace.driver_share:.0%} busy, {pace.again:.5%} asked again"
    )
    print(
        f"{'cases':>15} {'time':>10} {'journals':>10} {'memory':>10} {'resume':>10}   (of a driver)"
    )
    for power in range(5, 10):
        cases = 10**power / options.shards
        memory_mb = 150 + cases / options.variants * (options.question_bytes + 4) / 1e6
        print(
            f"{10**power:>15,} {duration(cases / pace.per_s):>10} "
            f"{10**power * options.row_bytes / 1e9:>7.1f} GB {memory_mb:>7,.0f} MB "
            f"{duration(cases * options.resume_us / 1e6):>10}"
        )


if __name__ == "__main__":
    main()
