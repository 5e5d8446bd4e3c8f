"""What a run does with recorded answers if something changed, and the command that goes on with it."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, get_args

Resume = Literal["ask", "keep", "refresh", "fresh"]
"""If something changed since answers were recorded: ``ask`` stops and says what, ``keep`` keeps the
answers, ``refresh`` asks again what changed. ``fresh`` starts a new run in any case."""
RESUME: Final[tuple[Resume, ...]] = get_args(Resume)

SWITCHES: Final[Mapping[str, Resume]] = {
    "--fresh": "fresh",
    "--keep-stale": "keep",
    "--ask-changed": "refresh",
}
"""The switches of assay 0.1 that ``--resume`` takes the place of."""
_OUT: Final = {"--out-dir": "--out"}
OLD_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "ablate": _OUT,
    "bench": _OUT,
    "demo": {"--questions": "--limit"},
    "depth": {
        "--context_lengths": "--context-lengths",
        "--data-set": "--questions",
        "--data_set": "--questions",
        "--depth_mode": "--depth-mode",
        "--max-questions": "--limit",
        "--max_questions": "--limit",
        "--output": "--out",
        "--padding_size": "--padding-size",
    },
    "heatmap": {"--output": "--out", "--total_tokens": "--total-tokens"},
    "review": _OUT,
    "run": _OUT,
}
"""Other names that options had in assay 0.1, by command. They work, and no help shows them."""


def resume_of(words: Sequence[str]) -> Resume:
    """What the words of a command say about recorded answers.

    >>> resume_of(["assay", "ablate", "--resume=keep"]), resume_of(["assay", "ablate", "--fresh"])
    ('keep', 'fresh')
    """
    found: Resume = "ask"
    for name, value in _options(words):
        if name == "--resume":
            found = next((each for each in RESUME if each == value), found)
    return found


def resumed_words(words: Sequence[str]) -> list[str]:
    """The command that goes on with what this one began: not from the start again.

    Options have the names of today, so that a command of assay 0.1 says the same.

    >>> resumed_words(["assay", "depth", "--output=x.jsonl", "--ask-changed", "--seed", "1"])
    ['assay', 'depth', '--out=x.jsonl', '--resume', 'refresh', '--seed', '1']
    """
    kept = []
    for name, value in _options(words):
        if name != "--resume":
            kept.append(name if value is None else f"{name}={value}")
        elif value not in {"fresh", "ask"}:
            kept += [name, value or ""]
    return kept


def resume_line(words: Sequence[str]) -> str:
    """The command that goes on, as one types it.

    >>> resume_line(["assay", "ablate", "-e", "my run", "--resume", "fresh"])
    "assay ablate -e 'my run'"
    """
    return shlex.join(resumed_words(words))


def _options(words: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Each word by today's name, with its value if that is in the same word; always for --resume."""
    command = next(
        (
            word
            for before, word in pairwise(words)
            if before != "--lang" and not word.startswith("-")
        ),
        "",
    )
    names = OLD_NAMES.get(command, {})
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            yield word, None
        elif word in SWITCHES:
            yield "--resume", SWITCHES[word]
        else:
            name, equals, value = word.partition("=")
            if name == "--resume":
                yield name, value if equals else next(rest, "")
            else:
                yield names.get(name, name), value if equals else None
