"""What changed between two versions of a question set."""

from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from assay.data.question import CorpusQuestion, read_questions, set_version

_WHAT = {
    "text": "question",
    "source": "source",
    "gold": "gold",
    "spans": "gold",
    "answers": "answer",
    "answerable": "answerable",
}


class ChangedQuestion(Struct, frozen=True, kw_only=True):
    """A question of both sets, and what differs in it."""

    id: str
    fields: tuple[str, ...]


class SetDiff(Struct, frozen=True, kw_only=True):
    """The ids that were added and removed, and the questions that changed."""

    old_version: str
    new_version: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedQuestion, ...]
    same: int

    @property
    def is_same(self) -> bool:
        """Whether the sets have the same questions."""
        return not (self.added or self.removed or self.changed)


def diff_questions(old: Path, new: Path) -> SetDiff:
    """Compare two question sets by the ids of their questions."""
    before = {question.id: question for question in read_questions(old)}
    after = {question.id: question for question in read_questions(new)}
    shared = [name for name in before if name in after]
    changed = [
        ChangedQuestion(id=name, fields=fields)
        for name in shared
        if (fields := _changed_fields(before[name], after[name]))
    ]
    return SetDiff(
        old_version=set_version(old),
        new_version=set_version(new),
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=tuple(changed),
        same=len(shared) - len(changed),
    )


def _changed_fields(before: CorpusQuestion, after: CorpusQuestion) -> tuple[str, ...]:
    old, new = asdict(before), asdict(after)
    return tuple(dict.fromkeys(what for name, what in _WHAT.items() if old[name] != new[name]))
