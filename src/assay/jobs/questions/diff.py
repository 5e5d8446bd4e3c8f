"""What changed between two versions of a question set."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from assay.data.question import CorpusQuestion, read_questions, set_version
from assay.text import shortened

_WHAT = {
    "text": "question",
    "source": "source",
    "gold": "gold",
    "spans": "gold",
    "answers": "answer",
    "answerable": "answerable",
}


class ChangedQuestion(Struct, frozen=True, kw_only=True):
    """A question of both sets, and what differs in it; the text and answers of the later set."""

    id: str
    fields: tuple[str, ...]
    question: str = ""
    old_question: str = ""
    answers: tuple[str, ...] = ()
    old_answers: tuple[str, ...] = ()


class SetDiff(Struct, frozen=True, kw_only=True):
    """The ids that were added and removed, and the questions that changed.

    ``questions`` has the texts of those that were added and removed, by id: the id of a question
    that has none of its own says nothing to a reader.
    """

    old_version: str
    new_version: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedQuestion, ...]
    same: int
    questions: dict[str, str] = {}

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
        ChangedQuestion(
            id=name,
            fields=fields,
            question=after[name].text,
            old_question=before[name].text,
            answers=after[name].answers,
            old_answers=before[name].answers,
        )
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
        questions={
            name: question.text
            for name, question in (before | after).items()
            if not (name in before and name in after)
        },
    )


def diff_lines(found: SetDiff) -> Iterator[str]:
    """A line for each question that was added or removed; of a changed one, what it was and is."""
    for sign, names in (("+", found.added), ("-", found.removed)):
        for name in names:
            yield f"{sign} {name}: {shortened(found.questions[name])}"
    for item in found.changed:
        yield f"~ {item.id}: {shortened(item.question)} ({', '.join(item.fields)})"
        old, new = " | ".join(item.old_answers), " | ".join(item.answers)
        for before, after in ((item.old_question, item.question), (old, new)):
            if before != after:
                yield f"    {shortened(before) or '–'} → {shortened(after) or '–'}"


def _changed_fields(before: CorpusQuestion, after: CorpusQuestion) -> tuple[str, ...]:
    old, new = asdict(before), asdict(after)
    return tuple(dict.fromkeys(what for name, what in _WHAT.items() if old[name] != new[name]))
