"""Runs of two versions of a question set: which questions they share, and both runs on these."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from assay.errors import UseError
from assay.gate.compared_run import ComparedRun, Key, keys_by_name
from assay.mask import same_hash
from assay.runs.read import scan_journal
from assay.text.width import counted
from assay.words.message import Message, joined, message

QUESTIONS: Final = "questions_sha256"
_UNKNOWN: Final = ("", "", "")


class SharedQuestions(Struct, frozen=True, kw_only=True):
    """How two question sets differ, in numbers of items.

    ``both`` are in both sets with the same content; ``changed`` are the ids of those that both
    sets have with another question, gold or expected answer. ``reworded`` are those of them whose
    question itself differs: they are never compared.
    """

    both: int
    changed: tuple[str, ...]
    reworded: frozenset[str] = frozenset()
    only_base: int
    only_cand: int

    @property
    def sentence(self) -> Message | str:
        """What a reader of the comparison must know."""
        reworded = len(self.reworded)
        regraded = len(self.changed) - reworded
        parts: list[Message | str] = [message("the question sets differ: {n} in both", n=self.both)]
        parts += (
            [message("{regraded} in both with another gold or expected answer", regraded=regraded)]
            if regraded
            else []
        )
        parts += (
            [
                message(
                    "{reworded} with the same id but another question, left out", reworded=reworded
                )
            ]
            if reworded
            else []
        )
        parts += [
            message(
                "{only_base} only in the base, {only_cand} only in the candidate",
                only_base=self.only_base,
                only_cand=self.only_cand,
            )
        ]
        return joined(parts)


class _RowContent(Struct, frozen=True, gc=False):
    key: str = ""
    schema_version: int = 0
    question_id: str = ""
    config: str = ""
    fingerprint: str = ""
    scored_against: str = ""
    question: str | None = None
    redacted: bool = False


def have_other_questions(base: ComparedRun, cand: ComparedRun) -> bool:
    """Whether the runs are known to have asked other questions, or held them against something else.

    The hash is that of a file, which may have more than questions: two exports of another tool have the
    answers of two systems. So the rows are asked before the files are called different.
    """
    return _have_other_files(base, cand) and not _have_same_content(base, cand)


def _have_other_files(base: ComparedRun, cand: ComparedRun) -> bool:
    before, after = base.hashes.get(QUESTIONS), cand.hashes.get(QUESTIONS)
    return before is not None and after is not None and same_hash(before, after) is False


def _have_same_content(base: ComparedRun, cand: ComparedRun) -> bool:
    """Whether the rows show the same questions, compared with the same: all of them, by digests.

    A case without an answer is compared with nothing yet.
    """
    base_keys, cand_keys = keys_by_name(base, cand)
    if base_keys.keys() != cand_keys.keys():
        return False
    before, after = _contents(base), _contents(cand)
    for name, key in base_keys.items():
        old, new = before.get(key[0], _UNKNOWN), after.get(cand_keys[name][0], _UNKNOWN)
        cases = base.items[key], cand.items[cand_keys[name]]
        are_scored = all(case.status == "scored" for case in cases)
        is_same_question = bool(old[0]) and same_hash(old[0], new[0])
        is_held_alike = bool(old[1]) and same_hash(old[1], new[1])
        if not is_same_question or (are_scored and not is_held_alike):
            return False
    return True


def may_have_other_questions(base: ComparedRun, cand: ComparedRun) -> bool:
    """Whether the texts of the questions must be compared: no hash says that they are the same.

    The texts of results files are known already, so that they are always compared.
    """
    before, after = base.hashes.get(QUESTIONS), cand.hashes.get(QUESTIONS)
    is_same = before is not None and after is not None and same_hash(before, after)
    return not is_same or base.journal is None or cand.journal is None


def refuse_reworded(found: SharedQuestions) -> None:
    """Raise ``UseError`` if an id means another question in each run."""
    if found.reworded:
        raise UseError(
            f"{counted(len(found.reworded), 'id')} that both runs have, first "
            f"{min(found.reworded)!r}, with another question in each; "
            "use --allow-mismatch to leave them out"
        )


def shared_questions(base: ComparedRun, cand: ComparedRun) -> SharedQuestions:
    """How the questions of two runs differ."""
    base_keys, cand_keys = keys_by_name(base, cand)
    shared = base_keys.keys() & cand_keys.keys()
    reworded, regraded = _changed(base, cand, shared)
    return SharedQuestions(
        both=len(shared) - len(reworded) - len(regraded),
        changed=tuple(sorted(reworded | regraded)),
        reworded=frozenset(reworded),
        only_base=len(base_keys) - len(shared),
        only_cand=len(cand_keys) - len(shared),
    )


def without_reworded(
    base: ComparedRun, cand: ComparedRun
) -> tuple[ComparedRun, ComparedRun, SharedQuestions]:
    """Both runs without the ids that mean another question in each; all other items stay.

    Raises ``UseError`` if no id means the same question in both.
    """
    found = shared_questions(base, cand)
    if not found.reworded:
        return base, cand, found
    base_keys, cand_keys = keys_by_name(base, cand)
    if not (base_keys.keys() & cand_keys.keys()) - found.reworded:
        raise UseError(
            f"{base.path} and {cand.path} share no question: all {len(found.reworded)} ids that both "
            "have mean another question in each"
        )
    kept = [
        {key for name, key in keys.items() if name not in found.reworded}
        for keys in (base_keys, cand_keys)
    ]
    return _only(base, kept[0]), _only(cand, kept[1]), found


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


def _changed(
    base: ComparedRun, cand: ComparedRun, shared: Iterable[str]
) -> tuple[set[str], set[str]]:
    """The names of shared items with another question, and of those compared with something else.

    Rows say it by digests and by the question itself, results files by the latter; what is not
    said is not known. Digests count only if the sets are known to differ: another version of assay
    may compute others.
    """
    has_digests = _have_other_files(base, cand)
    base_keys, cand_keys = keys_by_name(base, cand)
    before, after = _contents(base), _contents(cand)
    reworded, regraded = set(), set()
    for name in shared:
        old_key, new_key = base_keys[name], cand_keys[name]
        old, new = before.get(old_key[0], _UNKNOWN), after.get(new_key[0], _UNKNOWN)
        old_text = base.items[old_key].question or old[2]
        new_text = cand.items[new_key].question or new[2]
        is_other = has_digests and _are_other(old[0], new[0])
        if is_other or _differ(_plain(old_text), _plain(new_text)):
            reworded.add(name)
        elif has_digests and _are_other(old[1], new[1]):
            regraded.add(name)
    return reworded, regraded


def _plain(text: str) -> str:
    return " ".join(normalize("NFKC", text).split())


def _contents(run: ComparedRun) -> dict[str, tuple[str, str, str]]:
    """What was asked and what it was compared with, as digests, and the question, by its id.

    The text of a redacted row is not that of the question.
    """
    if run.journal is None:
        return {}
    stat = run.journal.stat()
    return _read_contents(run.journal, run.variant, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4)
def _read_contents(
    journal: Path, variant: str, _changed: int, _size: int
) -> dict[str, tuple[str, str, str]]:
    return {
        row.question_id: (
            row.fingerprint.rpartition("-")[2],
            row.scored_against,
            "" if row.redacted else row.question or "",
        )
        for _, (rows,) in scan_journal(journal, _RowContent)
        for row in rows
        if row.config == variant
    }


def _differ(old: str, new: str) -> bool:
    """Whether two texts differ; an empty one is not known."""
    return bool(old and new and old != new)


def _are_other(old: str, new: str) -> bool:
    """Whether two digests are of different content; an empty one is not known."""
    return bool(old and new) and same_hash(old, new) is False
