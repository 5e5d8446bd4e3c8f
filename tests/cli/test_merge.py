"""``--shard`` and ``assay merge``: the parts together are the run that one command makes."""

import json
import shutil
import signal
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from assay.checks import registered as ruler
from assay.judge.label import text_hash
from tests.support.command_server import run_forked
from tests.support.harbour import write_harbour
from tests.support.program import Program, program

TIMES = ("ts", "elapsed_s", "first_in_flight")
RUN = ("ablate", "-e", "berths", "--no-report", "--concurrency", "2")
SMALL = ("--sample", "--depth-mode", "uniform", "--context-lengths", "1000,2000", "--per-cell", "1")


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str]) -> Program:
    return program(capsys)


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_harbour(tmp_path, questions=14)
    return tmp_path


def rows(journal: Path) -> list[dict[str, Any]]:
    """The rows without times, by key; the line of metadata too."""
    read = [json.loads(line) for line in journal.read_text().splitlines()]
    bare = [{name: row[name] for name in row if name not in TIMES} for row in read]
    for row in bare:
        row.get("metadata", {}).pop("tested_at", None)
        row.pop("attempts", None)  # the first question about berth 7 is refused once in a process
    return sorted(bare, key=lambda row: row.get("key", ""))


def summary(journal: Path) -> dict[str, Any]:
    """The summary without times."""
    read = json.loads(journal.with_suffix(".json").read_text())
    for name in ("started_at", "completed_at", "elapsed_s", "stretches"):
        del read[name]
    read["results"] = without_latency(read["results"])
    return read


def without_latency(value: Any) -> Any:
    """Results without what depends on the clock."""
    if isinstance(value, dict):
        return {name: without_latency(each) for name, each in value.items() if "_s" not in name}
    if isinstance(value, list):
        return [without_latency(each) for each in value if "latency" not in json.dumps(each)]
    return value


def ask_parts(assay: Program, *words: object, of: int = 3) -> None:
    """Ask all parts."""
    for number in range(1, of + 1):
        ran = assay(*words, "--shard", f"{number}/{of}")
        assert ran.code == 0, ran.err


def test_merged_parts_are_the_run_that_one_command_makes(assay: Program, root: Path):
    """Rows, summary and plan are the same; the whole command then has nothing to ask."""
    whole = root / "whole/berths.jsonl"
    assert assay(*RUN, "--out", whole.parent).code == 0
    ask_parts(assay, *RUN)
    ran = assay("merge", *sorted((root / "experiments").glob("berths.shard-*.jsonl")))
    merged = root / "experiments/berths.jsonl"
    assert ran.code == 0, ran.err
    assert "3 parts merged: 26 scored, 0 failed, 2 skipped of 28" in ran.out
    assert rows(merged) == rows(whole)
    assert summary(merged) == summary(whole)
    plan = "berths.plan.jsonl"
    assert (merged.parent / plan).read_bytes() == (whole.parent / plan).read_bytes()
    assert "nothing was asked" in assay(*RUN).err
    assert assay("report", merged, "--charts", "none").code == 0
    compared = assay("compare", "--base", whole, "--cand", merged, "--variant", "lookup_on")
    assert compared.code == 0, compared.err + compared.out


def test_a_plan_of_cases_is_merged_too(assay: Program, root: Path):
    """The parts of a depth test, whose plan is no product, make the whole test."""
    assert assay("depth", *SMALL, "--out", "whole.jsonl").code == 0
    ask_parts(assay, "depth", *SMALL, "--out", "parts.jsonl", of=2)
    ran = assay("merge", "parts.shard-1-of-2.jsonl", "parts.shard-2-of-2.jsonl")
    assert ran.code == 0, ran.err
    assert rows(Path("parts.jsonl")) == rows(Path("whole.jsonl"))
    ran = assay("depth", *SMALL, "--out", "parts.jsonl")
    assert "nothing was asked" in ran.err


def test_parts_that_do_not_belong_together_are_refused(assay: Program, root: Path):
    """A missing part, one named twice, one of another run and a whole run are each named."""
    ask_parts(assay, *RUN)
    parts = [root / f"experiments/berths.shard-{number}-of-3.jsonl" for number in (1, 2, 3)]
    assert "2 parts of 3 missing: 1, 3" in assay("merge", parts[1]).err
    twice = assay("merge", *parts, parts[1])
    assert twice.code == 2
    assert "part 2 of 3 is named twice" in twice.err
    assert assay(*RUN, "--limit", "5", "--out", "five", "--shard", "3/3").code == 0
    ran = assay("merge", *parts[:2], "five/berths.shard-3-of-3.jsonl")
    assert ran.code == 2
    assert "belongs to another run" in ran.err
    assert "limit" in ran.err
    assert assay(*RUN, "--out", "whole").code == 0
    assert "is not a part of a run" in assay("merge", "whole/berths.jsonl").err
    header = parts[0].with_suffix(".json")
    header.write_text(header.read_text().replace('"berths.jsonl"', '"../../away.jsonl"'))
    away = assay("merge", parts[0])
    assert (away.code, away.err.count("\n")) == (2, 1)
    assert "'../../away.jsonl' is not the name of a journal" in away.err
    assert not (root / "experiments/berths.jsonl").exists()


def test_an_earlier_run_is_not_overwritten(assay: Program, root: Path):
    """A merged run takes the place of another only with ``--resume fresh``, which keeps the other."""
    ask_parts(assay, *RUN, of=1)
    part = root / "experiments/berths.shard-1-of-1.jsonl"
    assert assay("merge", part).code == 0
    merged = root / "experiments/berths.jsonl"
    before = (merged.read_bytes(), merged.stat().st_mtime_ns)
    again = assay("merge", part)
    assert again.code == 0
    assert "the parts had been merged before; nothing was changed" in again.err
    assert (merged.read_bytes(), merged.stat().st_mtime_ns) == before
    merged.write_bytes(before[0].splitlines(keepends=True)[0])
    ran = assay("merge", part)
    assert ran.code == 2
    assert "exists already" in ran.err
    assert assay("merge", part, "--resume=fresh").code == 0
    assert len(list(part.parent.glob("berths.jsonl.*.old"))) == 1


def test_parts_of_two_rulers_are_scored_again_by_the_whole_command(assay: Program, root: Path):
    """The merged summary calls the rules mixed, and the whole command says that it scores again."""
    ask_parts(assay, *RUN, of=2)
    earlier = root / "experiments/berths.shard-1-of-2.json"
    earlier.write_text(earlier.read_text().replace(ruler.RULER, "checks 0"))
    parts = sorted(earlier.parent.glob("berths.shard-*.jsonl"))
    assert assay("merge", *parts).code == 0
    merged = root / "experiments/berths.json"
    assert json.loads(merged.read_text())["extra"]["ruler"] == "mixed"
    told = assay(*RUN).err
    assert f"scored by other rules (mixed); they were scored again by {ruler.RULER}" in told
    assert json.loads(merged.read_text())["extra"]["ruler"] == ruler.RULER


def test_an_unfinished_part_makes_an_unfinished_run(assay: Program, root: Path):
    """What a part has not asked is asked by the whole command, and nothing else."""
    ask_parts(assay, *RUN, of=2)
    second = root / "experiments/berths.shard-2-of-2.jsonl"
    lines = second.read_text().splitlines(keepends=True)
    second.write_text("".join(lines[:-3]))
    ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2")
    assert ran.code == 1
    assert "3 cases without a score" in ran.err
    again = assay(*RUN)
    assert again.code == 0
    assert "[ablation] 28/28" in again.out
    assert len(rows(root / "experiments/berths.jsonl")) == 28


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its content."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("damaged", ["berths.shard-2-of-2.jsonl", "berths.shard-2-of-2.plan.jsonl"])
def test_a_damaged_part_changes_nothing(assay: Program, root: Path, damaged: str):
    """With ``--resume fresh`` too, the earlier run stays where it is, and nothing new is left behind."""
    ask_parts(assay, *RUN, of=2)
    folder = root / "experiments"
    parts = ("berths.shard-1-of-2", "berths.shard-2-of-2")
    assert assay("merge", *parts).code == 0
    lines = (folder / damaged).read_text().splitlines(keepends=True)
    (folder / damaged).write_text("".join([*lines[:-1], "{]\n", *lines[-1:]]))
    before = files(folder)
    for words in ((), ("--resume=fresh",), ("--out", folder / "other.jsonl")):
        ran = assay("merge", *parts, *words)
        assert ran.code == 2
        assert files(folder) == before
        assert [path.name for path in folder.iterdir() if path.is_dir()] == []


@pytest.mark.parametrize("name", ["fresh.json", "fresh", "fresh.plan.jsonl"])
def test_rows_are_written_to_a_file_of_rows_only(assay: Program, root: Path, name: str):
    """The summary of ``fresh.json`` would overwrite its own rows."""
    ask_parts(assay, *RUN, of=1)
    ran = assay("merge", "berths.shard-1-of-1", "--out", root / name)
    assert ran.code == 2
    assert "fresh" in ran.err
    assert "name" in ran.err
    assert not (root / name).exists()
    assert assay("depth", *SMALL, "--out", root / name).code == 2
    assert not list(root.glob("fresh*"))


def label_parts(root: Path) -> None:
    """Label, draw and judge one answer of each of two parts."""
    (root / "labels").mkdir()
    for number in (1, 2):
        part = root / f"experiments/berths.shard-{number}-of-2.jsonl"
        row = next(row for row in rows(part) if row.get("answer"))
        about = {
            "run": f"experiments/{part.stem}", "case_id": row["question_id"],
            "variant": row["config"], "answer_hash": text_hash(row["answer"]),
        }  # fmt: skip
        said = {"labeller": "ann", "time": "2026-01-02T03:04:05.000000Z", "verdict": "right"}
        label = json.dumps({**about, **said, "probability": 0.5})
        (root / "labels" / part.name).write_text(label + "\n")
        drawn = {**about, "probability": 0.5, "seed": 0, "count": 1}
        part.with_suffix(".draw.jsonl").write_text(json.dumps(drawn) + "\n")
        verdict = {"key": row["key"], "judge": "j", "verdict": 1}
        part.with_suffix(".verdicts.jsonl").write_text(json.dumps(verdict) + "\n")


def test_labels_and_draws_of_the_parts_belong_to_the_merged_run(assay: Program, root: Path):
    """They are about the same answers; merging twice adds nothing twice."""
    ask_parts(assay, *RUN, of=2)
    label_parts(root)
    folder, labels = root / "experiments", root / "labels"
    ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2")
    assert "2 new labels and 2 drawn answers of the parts" in ran.out
    for path in (labels / "berths.jsonl", folder / "berths.draw.jsonl"):
        read = [json.loads(line) for line in path.read_text().splitlines()]
        assert [row["run"] for row in read] == ["experiments/berths"] * 2
    ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2", "--resume=fresh")
    assert "0 new labels" in ran.out
    assert len((labels / "berths.jsonl").read_text().splitlines()) == 2
    assert len((folder / "berths.draw.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "a/b", "-1/2"])
def test_a_part_that_does_not_exist_is_refused(assay: Program, root: Path, text: str):
    """The number of a part is from 1 to the number of parts."""
    ran = assay(*RUN, f"--shard={text}")
    assert ran.code == 2
    assert "write it as PART/PARTS" in ran.err


def test_early_stopping_and_the_closed_book_need_the_whole_run(assay: Program, root: Path):
    """What depends on the answers of all parts is refused before the first question."""
    ran = assay(*RUN, "--shard", "1/2", "--stop-early")
    assert ran.code == 2
    assert "--stop-early" in ran.err
    ran = assay("depth", *SMALL, "--closed-book", "--shard", "1/2")
    assert ran.code == 2
    assert "--closed-book" in ran.err


def with_changed_row(part: Path, number: int, **fields: str) -> None:
    """Write one line of a journal again with other fields."""
    lines = part.read_text().splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **fields})
    part.write_text("\n".join(lines) + "\n")


def test_a_row_of_another_experiment_is_refused(assay: Program, root: Path):
    """Its key is one of the plan, but another system was asked, or with other settings."""
    ask_parts(assay, *RUN, of=2)
    folder = root / "experiments"
    part = folder / "berths.shard-2-of-2.jsonl"
    before = part.read_bytes()
    system, settings, question = rows(part)[0]["fingerprint"].split("-")
    for foreign in (
        f"00000000-{settings}-{question}",
        f"{system}-00000000-{question}",
        f"{system}-{settings}-00000000",
        "",
    ):
        part.write_bytes(before)
        with_changed_row(part, 3, fingerprint=foreign)
        ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2")
        assert ran.code == 2
        assert f"{part}:3: " in ran.err
        assert "is not an answer of this run" in ran.err
        assert "--resume keep" in ran.err
        assert not (folder / "berths.jsonl").exists()


def test_a_row_of_no_case_of_the_run_is_refused(assay: Program, root: Path):
    """A row that was copied into the file; one of the same run with another limit is left out."""
    ask_parts(assay, *RUN, of=2)
    part = root / "experiments/berths.shard-2-of-2.jsonl"
    before = part.read_text()
    row = json.loads(before.splitlines()[0])
    settings, question = row["fingerprint"].split("-")[1:]
    elsewhere = row["key"].replace(row["question_id"], "berth-900")
    foreign = {**row, "question_id": "berth-900", "key": elsewhere}
    part.write_text(
        before + json.dumps({**foreign, "fingerprint": f"0-{settings}-{question}"}) + "\n"
    )
    ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2")
    assert ran.code == 2
    assert f"{part}:{len(before.splitlines()) + 1}: the case 'berth-900::" in ran.err
    part.write_text(before + json.dumps(foreign) + "\n")
    ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2")
    assert ran.code == 0, ran.err
    assert "1 row of other plans left out" in ran.err


def test_kept_answers_of_an_earlier_version_are_counted(assay: Program, root: Path):
    """``--resume keep`` was typed, so they are meant; the merged run says how many there are."""
    ask_parts(assay, *RUN, of=2)
    path = root / "questions/questions.jsonl"
    path.write_text(path.read_text().replace("berth 2 of", "berth 2 in"))
    ask_parts(assay, *RUN, "--resume=keep", of=2)
    ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["stale_rows"] == 2
    ran = assay("merge", "berths.shard-1-of-2", "berths.shard-2-of-2", "--resume=fresh")
    assert "2 answers of an earlier version of the experiment were kept (--resume keep)" in ran.err


def test_a_failed_case_of_an_earlier_version_is_no_answer(assay: Program, root: Path):
    """It is asked again by the next run, so it is neither counted nor refused."""
    ask_parts(assay, *RUN, of=1)
    part = root / "experiments/berths.shard-1-of-1.jsonl"
    failed = {"status": "failed", "error": "down", "fingerprint": "0-0-0"}
    with_changed_row(part, 1, **failed)
    ran = assay("merge", "berths.shard-1-of-1")
    assert ran.code == 1, ran.err
    assert "1 case without a score" in ran.err


def test_a_merge_leaves_nothing_behind(assay: Program, root: Path):
    """What a killed merge left is removed; a folder in the place of a file is refused before a move."""
    ask_parts(assay, *RUN, of=2)
    folder = root / "experiments"
    parts = sorted(folder.glob("berths.shard-?-of-2.jsonl"))
    (folder / ".berths.merge-ab12_cd3").mkdir()
    (folder / ".berths.merge-ab12_cd3/berths.jsonl").write_text("half")
    (folder / "berths.json").mkdir()
    before = {path.name for path in folder.iterdir()}
    ran = assay("merge", *parts)
    assert ran.code == 2
    assert "berths.json: is a folder; rename it and merge again" in ran.err
    assert {path.name for path in folder.iterdir()} == before - {".berths.merge-ab12_cd3"}
    (folder / "berths.json").rmdir()
    assert assay("merge", *parts).code == 0
    assert not list(folder.glob(".*merge*"))


@pytest.mark.slow
@pytest.mark.parametrize("is_first", [True, False])
def test_a_merge_that_was_killed_is_run_again(assay: Program, root: Path, *, is_first: bool):
    """Wherever it was killed: then nothing is missing or left behind, and an earlier run is whole."""
    ask_parts(assay, *RUN, of=2)
    label_parts(root)
    parts = ("berths.shard-1-of-2", "berths.shard-2-of-2")
    words = ("merge", *parts, *(() if is_first else ("--resume=fresh",)))
    kept = ("berths.jsonl", "berths.json", "berths.plan.jsonl", "berths.verdicts.jsonl")
    earlier = {}
    if not is_first:
        assert assay(*words).code == 0
        earlier = {name: (root / "experiments" / name).read_bytes() for name in kept}
    for at in count(1):
        work = root / f"killed-{at}"
        for name in ("experiments", "labels"):
            shutil.copytree(root / name, work / name)
        ended = run_forked(*words, cwd=work, kill_at=at)
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL
        folder = work / "experiments"
        ended = run_forked(*words, cwd=work)
        assert ended.returncode == 0, (at, ended.stderr)
        assert len(rows(folder / "berths.jsonl")) == 28
        assert json.loads((folder / "berths.json").read_text())["state"] == "complete"
        for path in (folder / kept[3], folder / "berths.draw.jsonl", work / "labels/berths.jsonl"):
            assert len(path.read_text().splitlines()) == 2, (at, path)
        left = [
            path.name
            for path in folder.iterdir()
            if ".merge-" in path.name or path.suffix == ".lock"
        ]
        assert left == [], at
        for name, data in earlier.items():
            assert data in [path.read_bytes() for path in folder.glob(f"{name}.*.old")], (at, name)
    assert at > 10
