"""The verdicts of judges on the answers of a run, as they are in ``NAME.verdicts.jsonl``.

A line whose verdict no judge can have given is left out, and named; the others count.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from assay.judge.rubric import DamagedVerdict, StoredVerdict, read_finding
from assay.judge.subject import RecordedCase
from assay.mask import sealed, sealed_name
from assay.runs.judging import FAILED, Verdict, answer_hash
from assay.runs.read import read_numbered_fields, read_rows
from assay.runs.write import verdicts_path
from assay.words.message import Message, joined, message, message_n

ONE_ANSWER: Final = "judge "
TWO_ANSWERS: Final = "pair "
"""How the identity of a judge begins that judges one answer, or compares two."""
MOST_NAMED: Final = 3
"""So many damaged lines are named, the others only counted."""
_Place = tuple[str, str]
"""The key of a case and the hash of its answer."""


class JudgeVerdicts(Struct, frozen=True, kw_only=True):
    """What one judge said about the present answers of a run, by the key of the case.

    ``earlier`` counts other judges of the same name: with another prompt, model or parameters;
    the one of them that judged most judged ``earlier_judged`` of the present answers. ``damaged``
    names the lines that were left out.
    """

    name: str
    rubric: str
    identity: str
    findings: Mapping[str, StoredVerdict]
    paid: float | None = None
    earlier: int = 0
    earlier_judged: int = 0
    damaged: tuple[str, ...] = ()

    @property
    def unparsed(self) -> int:
        """The number of replies that could not be read."""
        return sum(bool(finding.unparsed) for finding in self.findings.values())

    @property
    def undefined(self) -> int:
        """The number of answers without a score although the reply was read."""
        findings = self.findings.values()
        return sum(finding.score is None and not finding.unparsed for finding in findings)

    def score(self, key: str) -> float | None:
        """The score of a case; ``None`` if it has none."""
        finding = self.findings.get(key)
        return finding.score if finding is not None else None


def read_verdicts(
    journal: Path, cases: Sequence[RecordedCase], kind: str = ONE_ANSWER
) -> dict[str, JudgeVerdicts]:
    """The verdicts of each judge by its name; of two judges with one name, the later one."""
    path = verdicts_path(journal)
    if not path.exists():
        return {}
    stored: dict[str, dict[_Place, Verdict]] = {}
    newest: dict[str, float] = {}
    paid: dict[str, float] = {}
    for verdicts in read_rows(path, Verdict):
        for verdict in verdicts:
            identity = sealed_name(verdict.judge.removeprefix(FAILED))
            if identity.startswith(kind):
                if verdict.usage is not None and verdict.usage.paid is not None:
                    paid[identity] = paid.get(identity, 0.0) + verdict.usage.paid
                if not verdict.judge.startswith(FAILED):
                    place = (verdict.key, sealed(verdict.answer_sha256))
                    stored.setdefault(identity, {})[place] = verdict
                    newest[identity] = verdict.ts
    found: dict[str, list[JudgeVerdicts]] = {}
    for identity in sorted(stored, key=newest.__getitem__):
        judge = _judge(path, identity, stored[identity], cases)
        if judge is not None:
            judge = msgspec.structs.replace(judge, paid=paid.get(identity))
            found.setdefault(judge.name, []).append(judge)
    return {name: _latest(judges) for name, judges in found.items()}


def _latest(judges: Sequence[JudgeVerdicts]) -> JudgeVerdicts:
    *earlier, latest = judges
    return msgspec.structs.replace(
        latest,
        earlier=len(earlier),
        earlier_judged=max((len(judge.findings) for judge in earlier), default=0),
    )


def _judge(
    path: Path, identity: str, verdicts: Mapping[_Place, Verdict], cases: Sequence[RecordedCase]
) -> JudgeVerdicts | None:
    """The verdicts of one judge; ``None`` if not one of them is sound."""
    sound: dict[_Place, StoredVerdict] = {}
    for place, verdict in verdicts.items():
        try:
            sound[place] = read_finding(verdict.verdict)
        except DamagedVerdict:
            continue
    if not sound:
        return None
    first = next(iter(sound.values()))
    findings: dict[str, StoredVerdict] = {}
    for case in cases:
        finding = sound.get((case.case.key, answer_hash(case.read_by(first.rubric))))
        if finding is not None:
            findings[case.case.key] = finding
    is_whole = len(sound) == len(verdicts)
    return JudgeVerdicts(
        name=first.judge,
        rubric=first.rubric,
        identity=identity,
        findings=findings,
        damaged=() if is_whole else tuple(damaged_lines(path, identity)),
    )


def damaged_lines(path: Path, identity: str = "") -> Iterator[str]:
    """The lines that no judge can have written and no later line replaces, each with the reason.

    ``path`` is the file of the verdicts; ``identity`` chooses one judge.
    """
    reasons: dict[tuple[str, ...], str] = {}
    for number, row in read_numbered_fields(path):
        judge = sealed_name(str(row.get("judge", "")))
        if not judge.startswith((ONE_ANSWER, TWO_ANSWERS)) or (identity and judge != identity):
            continue
        place = (str(row.get("key")), str(row.get("answer_sha256")), judge)
        reasons.pop(place, None)
        try:
            read_finding(row.get("verdict"))
        except DamagedVerdict as damage:
            reasons[place] = f"{path}:{number}: {damage}"
    yield from reasons.values()


def verdict_notes(verdicts: JudgeVerdicts, answers: int) -> list[Message]:
    """What a reader of figures by this judge must know: lines left out, and earlier judges.

    ``answers`` is the number of answers that could have a verdict.
    """
    notes = []
    if verdicts.damaged:
        named = "; ".join(verdicts.damaged[:MOST_NAMED])
        more = len(verdicts.damaged) - MOST_NAMED
        notes.append(
            message_n(
                "{n} damaged verdict left out: {names}",
                "{n} damaged verdicts left out: {names}",
                len(verdicts.damaged),
                names=joined([named, message("and {n} more", n=more) if more > 0 else ""]),
            )
        )
    if verdicts.earlier:
        judged = len(verdicts.findings)
        notes.append(
            message_n(
                "the latest judge {name} counts, which has judged {judged} of {answers} answers; an earlier one of this name, with another prompt, model or parameters, judged {others}, and these verdicts do not count",
                "the latest judge {name} counts, which has judged {judged} of {answers} answers; {n} earlier ones of this name, with another prompt, model or parameters, judged {others}, and these verdicts do not count",
                verdicts.earlier,
                name=verdicts.name,
                judged=judged,
                answers=answers,
                others=verdicts.earlier_judged,
            )
        )
    return notes
