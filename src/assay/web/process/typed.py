"""The form of a job filled in with what was typed in a terminal, to go on with a run from the page.

Only what a form can say is taken over: a system that is configured or installed, and files of the
workspace. Options that change nothing about the answers are left out.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from assay.errors import UseError
from assay.web.live_api import StartRequest
from assay.web.process.command import command_words
from assay.web.process.form import COMMANDS, FORMS, Option

_WITH_VALUE: Final = frozenset({"--root", "--charts"})
_WITHOUT: Final = frozenset({"--fresh", "--no-report", "--log-lines", "--json"})
_SHORT: Final = {"-e": "--experiment"}
Value = str | int | float | bool


def typed_request(job: str, name: str, words: Sequence[str], root: Path) -> StartRequest:
    """The request that says the same as the words of a command; ``name`` is that of the run.

    Raises ``UseError`` if the form of the job cannot say it.
    """
    rest = _after_command(job, words)
    options: dict[str, Value] = {}
    for option, value in _parsed(job, rest):
        is_more = option.kind == "settings" and option.name in options
        options[option.name] = f"{options[option.name]}\n{value}" if is_more else value
    if job == "ablation":
        options["experiment"] = name  # one command may have run several experiments
    request = StartRequest(job=job, options=options)
    command_words(request, root)
    return request


def _after_command(job: str, words: Sequence[str]) -> list[str]:
    """The words after ``assay COMMAND``."""
    rest = list(words[1:])
    for number, part in enumerate(COMMANDS.get(job, ("?",))):
        if rest and rest[0] == part:
            rest.pop(0)
        elif number == 0:
            raise UseError(f"{job}: not a command of the page")
    return rest


def _parsed(job: str, words: list[str]) -> Iterator[tuple[Option, Value]]:
    """The options of the form that the words name, with their values."""
    by_flag = {option.flag: option for option in FORMS[job]}
    left = iter(words)
    for word in left:
        flag, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        flag = _SHORT.get(flag, flag)
        option = by_flag.get(flag.replace("_", "-"))
        is_lang = flag == "--lang" and option is None  # the language of the report
        if flag in _WITHOUT or (flag == "--all" and job == "ablation"):
            continue
        if flag in _WITH_VALUE or is_lang:
            if not equals:
                next(left, "")
            continue
        if option is not None and option.kind == "switch":
            yield option, True
        elif option is not None and flag.startswith("-"):
            yield option, value if equals else next(left, "")
        elif not word.startswith("-") and "" in by_flag:
            yield by_flag[""], word
        else:
            raise UseError(f"{flag}: not a field of the page")
