"""The files of a run and where they are."""

from pathlib import Path

import pytest

from assay.runs.write import find_journals, plan_path, summary_path, verdicts_path


@pytest.mark.parametrize("name", ["a", "a.b", "2024.05.01 run"])
def test_the_files_of_a_run_share_its_name(name: str):
    """Dots in the name of a run are kept."""
    journal = Path("experiments") / f"{name}.jsonl"
    assert summary_path(journal).name == f"{name}.json"
    assert plan_path(journal).name == f"{name}.plan.jsonl"
    assert verdicts_path(journal).name == f"{name}.verdicts.jsonl"
    assert plan_path(journal).parent == journal.parent


def test_journals_are_found_without_what_is_beside_them(tmp_path: Path):
    """Plans, verdicts, summaries and files that were set aside are no journals."""
    names = [
        "b.jsonl",
        "b.json",
        "b.plan.jsonl",
        "b.verdicts.jsonl",
        "b.jsonl.torn",
        "b.jsonl.lock",
        "b.jsonl.20240102T030405Z.old",
        "a.rescored.jsonl",
        "plan.jsonl",
        "verdicts.jsonl",
        ".b.plan.jsonl.123",
    ]
    for name in names:
        (tmp_path / name).write_text("")
    found = [path.name for path in find_journals(tmp_path)]
    assert found == ["a.rescored.jsonl", "b.jsonl", "plan.jsonl", "verdicts.jsonl"]


def test_a_folder_without_journals_has_none(tmp_path: Path):
    """An empty or a missing folder gives an empty list."""
    assert find_journals(tmp_path) == []
    assert find_journals(tmp_path / "absent") == []
