"""Runs of two versions of a question set: which questions they share, and both runs on these."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import UseError
from assay.jobs.compare.compared_run import ComparedRun, Key, keys_by_name
from assay.journal import scan_journal
from assay.text import counted

QUESTIONS: Final = "questions_sha256"


class SharedQuestions(Struct, frozen=True, kw_only=True):
    """How two question sets differ, in numbers of items.

    ``both`` are in both sets with the same content; ``changed`` are the ids of those that both
    sets have with another question, gold or expected answer.
    """

    both: int
    changed: tuple[str, ...]
    only_base: int
    only_cand: int

    @property
    def sentence(self) -> str:
        """What a reader of the comparison must know."""
        changed = len(self.changed)
        parts = [f"{counted(self.both, 'question')} in both"]
        parts += [f"{changed} changed"] if changed else []
        parts += [f"{self.only_base} only in the base, {self.only_cand} only in the candidate"]
        return f"the question sets differ: {', '.join(parts)}"


class _RowContent(Struct, frozen=True, gc=False):
    key: str = ""
    schema_version: int = 0
    question_id: str = ""
    config: str = ""
    fingerprint: str = ""
    scored_against: str = ""


def have_other_questions(base: ComparedRun, cand: ComparedRun) -> bool:
    """Whether the runs are known to have asked the questions of different sets."""
    before, after = base.hashes.get(QUESTIONS), cand.hashes.get(QUESTIONS)
    return before is not None and after is not None and before != after


def shared_questions(base: ComparedRun, cand: ComparedRun) -> SharedQuestions:
    """How the questions of two runs differ."""
    base_keys, cand_keys = keys_by_name(base, cand)
    shared = base_keys.keys() & cand_keys.keys()
    changed = tuple(sorted(_changed(base, cand, {name: base_keys[name] for name in shared})))
    return SharedQuestions(
        both=len(shared) - len(changed),
        changed=changed,
        only_base=len(base_keys) - len(shared),
        only_cand=len(cand_keys) - len(shared),
    )


def on_shared_questions(
    base: ComparedRun, cand: ComparedRun
) -> tuple[ComparedRun, ComparedRun, SharedQuestions]:
    """Both runs with the questions that they share and that have not changed; else ``UseError``."""
    found = shared_questions(base, cand)
    if not found.both:
        raise UseError(f"{base.path} and {cand.path} share no unchanged question")
    base_keys, cand_keys = keys_by_name(base, cand)
    names = (base_keys.keys() & cand_keys.keys()) - set(found.changed)
    kept = [{keys[name] for name in names} for keys in (base_keys, cand_keys)]
    return _only(base, kept[0]), _only(cand, kept[1]), found


def _only(run: ComparedRun, keys: set[Key]) -> ComparedRun:
    return replace(run, items={key: case for key, case in run.items.items() if key in keys})


def _changed(base: ComparedRun, cand: ComparedRun, shared: Mapping[str, Key]) -> Iterator[str]:
    """The names of shared items whose content differs, as far as the rows say it."""
    before, after = _contents(base), _contents(cand)
    for name, (question, _) in shared.items():
        old, new = before.get(question), after.get(question)
        if old is not None and new is not None and _differ(old, new):
            yield name


def _contents(run: ComparedRun) -> dict[str, tuple[str, str]]:
    """What was asked and what it was held against, as digests, by the id of the question."""
    if run.journal is None:
        return {}
    return {
        row.question_id: (row.fingerprint.rpartition("-")[2], row.scored_against)
        for _, (rows,) in scan_journal(run.journal, _RowContent)
        for row in rows
        if row.config == run.variant
    }


def _differ(old: tuple[str, str], new: tuple[str, str]) -> bool:
    """Whether one of the two digests differs; an empty one is not known."""
    return any(one and other and one != other for one, other in zip(old, new, strict=True))
