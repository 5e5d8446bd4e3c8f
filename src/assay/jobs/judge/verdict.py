"""The verdicts of judges on the answers of a run, as they stand in ``NAME.verdicts.jsonl``."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from assay.jobs.judge.subject import RecordedCase
from assay.journal import Verdict, answer_hash, read_rows, verdicts_path
from assay.judges.rubric import Finding

ONE_ANSWER: Final = "judge "
TWO_ANSWERS: Final = "pair "
"""How the identity of a judge begins that judges one answer, or compares two."""


class JudgeVerdicts(Struct, frozen=True, kw_only=True):
    """What one judge said about the present answers of a run, by the key of the case.

    ``earlier`` counts other judges of the same name: with another prompt, model or parameters.
    """

    name: str
    rubric: str
    identity: str
    findings: Mapping[str, Finding]
    paid: float | None = None
    earlier: int = 0

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
    stored: dict[str, dict[tuple[str, str], Verdict]] = {}
    newest: dict[str, float] = {}
    for verdicts in read_rows(path, Verdict):
        for verdict in verdicts:
            if verdict.judge.startswith(kind):
                stored.setdefault(verdict.judge, {})[verdict.key, verdict.answer_sha256] = verdict
                newest[verdict.judge] = verdict.ts
    found: dict[str, JudgeVerdicts] = {}
    names: dict[str, int] = {}
    for identity in sorted(stored, key=newest.__getitem__):
        judge = _judge(identity, stored[identity], cases)
        if judge is not None:
            names[judge.name] = names.get(judge.name, 0) + 1
            found[judge.name] = judge
    return {
        name: msgspec.structs.replace(judge, earlier=names[name] - 1)
        for name, judge in found.items()
    }


def _judge(
    identity: str, verdicts: Mapping[tuple[str, str], Verdict], cases: Sequence[RecordedCase]
) -> JudgeVerdicts | None:
    first = _finding(next(iter(verdicts.values())).verdict)
    if first is None:
        return None
    findings: dict[str, Finding] = {}
    for case in cases:
        verdict = verdicts.get((case.case.key, answer_hash(case.read_by(first.rubric))))
        finding = _finding(verdict.verdict) if verdict is not None else None
        if finding is not None:
            findings[case.case.key] = finding
    bills = [each.usage.paid for each in verdicts.values() if each.usage is not None]
    known = [paid for paid in bills if paid is not None]
    return JudgeVerdicts(
        name=first.judge,
        rubric=first.rubric,
        identity=identity,
        findings=findings,
        paid=sum(known) if known else None,
    )


def _finding(value: Any) -> Finding | None:
    with suppress(msgspec.ValidationError):
        return msgspec.convert(value, Finding)
    return None
