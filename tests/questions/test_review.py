"""Drafts become the next version of a set; decisions survive anything."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.data.question import read_further_fields, read_questions
from assay.errors import UseError
from assay.judge.label import DraftDecision
from assay.judge.label_store import decisions_path, read_decisions
from assay.questions.review import decide, draft_files, publish, read_drafts
from tests.support.drafts import write_drafts


def say(path: Path, root: Path, name: str, verdict: str, **more: Any) -> None:
    """Decide about a draft."""
    draft = next(each for each in read_drafts(path, root) if each.id == name)
    fields = {"verdict": verdict, "reviewer": "Анна", "time": "", **more}
    decide(
        path,
        root,
        DraftDecision(drafts=path.stem, question_id=name, row_hash=draft.row_hash, **fields),
    )


def ids(path: Path) -> list[str]:
    """The ids of the questions of a set."""
    return [question.id for question in read_questions(path)]


def test_accepted_drafts_become_the_next_version(tmp_path: Path):
    """With their edits and who accepted them; the drafts stay as they are."""
    path = write_drafts(tmp_path)
    before = path.read_bytes()
    say(path, tmp_path, "d1", "accepted")
    say(path, tmp_path, "d2", "rejected")
    say(path, tmp_path, "d3", "accepted", answer="4 мая 2021 года", question="Когда он подписан?")
    written = publish(path, tmp_path)
    assert (written.path.name, written.questions, written.added) == ("law.v1.jsonl", 2, 2)
    rows = [json.loads(line) for line in written.path.read_text(encoding="utf-8").splitlines()]
    assert rows[0]["draft"]["reviewed_by"] == "Анна"
    assert rows[0]["draft"]["edited"] is False
    assert (rows[1]["question"], rows[1]["answer"]) == ("Когда он подписан?", "4 мая 2021 года")
    assert rows[1]["draft"]["edited"] is True
    assert path.read_bytes() == before
    assert read_further_fields(written.path)["d1"] == {}, "no system sees where the answer is"


def test_the_version_before_is_kept_and_added_to(tmp_path: Path):
    """Own questions stay byte for byte; a draft that is rejected or edited later follows."""
    path = write_drafts(tmp_path)
    own = '{"metadata": {"version": "2"}}\n{"id":  "own", "question": "Who?"}\n'
    (tmp_path / "questions" / "law.v2.jsonl").write_text(own, encoding="utf-8")
    say(path, tmp_path, "d1", "accepted")
    say(path, tmp_path, "d4", "accepted")
    third = publish(path, tmp_path).path
    assert third.name == "law.v3.jsonl"
    assert ids(third) == ["own", "d1", "d4"]
    assert own.splitlines()[1] in third.read_text(encoding="utf-8")
    assert '"version":"law.v3"' in third.read_text(encoding="utf-8")
    with pytest.raises(UseError, match="nothing to write"):
        publish(path, tmp_path)
    say(path, tmp_path, "d1", "rejected")
    say(path, tmp_path, "d4", "accepted", answer="四万二千元\n42000元")
    written = publish(path, tmp_path)
    assert (written.path.name, written.changed, written.removed) == ("law.v4.jsonl", 1, 1)
    assert read_questions(written.path)[-1].answers == ("四万二千元", "42000元")


def test_an_id_of_the_set_is_not_taken_by_a_draft(tmp_path: Path):
    """A question of the user's own with the id of an accepted draft stops the version."""
    path = write_drafts(tmp_path)
    (tmp_path / "questions" / "law.jsonl").write_text(
        '{"id": "d1", "question": "Whose?"}\n', encoding="utf-8"
    )
    say(path, tmp_path, "d1", "accepted")
    with pytest.raises(UseError, match="of its own"):
        publish(path, tmp_path)
    assert [file.name for file in (tmp_path / "questions").iterdir()].count("law.v2.jsonl") == 0


def test_a_decision_survives_a_torn_end_and_counts_for_its_version_only(tmp_path: Path):
    """The newest decision counts; half a line is set aside; a changed draft is open again."""
    path = write_drafts(tmp_path)
    say(path, tmp_path, "d1", "accepted")
    file = decisions_path(tmp_path, path.stem)
    with file.open("ab") as end:
        end.write(b'{"drafts": "law.dr')
    say(path, tmp_path, "d2", "rejected")
    say(path, tmp_path, "d2", "open")
    assert [row.verdict for row in read_decisions(file)] == ["accepted", "rejected", "open"]
    assert file.with_name(file.name + ".torn").exists()
    assert [draft.verdict for draft in read_drafts(path, tmp_path)] == ["accepted"] + ["open"] * 3
    changed = path.read_text(encoding="utf-8").replace("every month", "each month")
    path.write_text(changed, encoding="utf-8")
    assert {draft.verdict for draft in read_drafts(path, tmp_path)} == {"open"}


def test_only_files_of_drafts_are_listed(tmp_path: Path):
    """Other sets, lists of removed questions and links that lead outside are not."""
    path = write_drafts(tmp_path / "work")
    folder = path.parent
    for name in ("law.jsonl", "law.v2.jsonl", "law.v2.removed.jsonl", "draft.jsonl"):
        (folder / name).write_text("", encoding="utf-8")
    second = folder / "law.draft.v2.jsonl"
    second.write_text("{}\nno json\n", encoding="utf-8")
    outside = tmp_path / "secret.draft.jsonl"
    outside.write_text("{}", encoding="utf-8")
    (folder / "other.draft.jsonl").symlink_to(outside)
    assert draft_files(tmp_path / "work") == [path, second]
    assert read_drafts(second, tmp_path / "work") == []
    assert draft_files(tmp_path / "nowhere") == []
