"""``assay judge``: asking, resuming, checking and planning, as a user does."""

import csv
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assay.runs.write import verdicts_path
from assay.text.width import counted
from tests.support.journal import spared
from tests.support.judged import (
    answer,
    is_right,
    label_rows,
    serve,
    some,
    verdict_of,
    write_labels,
    write_workspace,
)
from tests.support.model_server import Fault
from tests.support.program import Program, program


@pytest.fixture(name="assay")
def _assay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(sys, "argv", ["assay", "judge"])
    return program(capsys)


def test_a_judge_is_added_to_a_finished_run(assay: Program, tmp_path: Path):
    """Only the judge is asked, once for each answer; the second time nothing is asked."""
    with serve() as server:
        journal = write_workspace(tmp_path, server.base_url)
        before = journal.read_bytes()
        ran = assay("judge", "trial", "--judge", "correct", "--root", tmp_path)
        assert ran.code == 0, ran.err
        asked = server.completed.calls
        shared = f"{80 - asked} by equal answers or the call cache"
        assert f"80 of 80 judged: {asked} asked, {shared}, 0 known before" in ran.out
        again = assay("judge", "trial", "--judge", "correct", "--root", tmp_path)
        assert "0 asked, 80 known before" in again.out
        assert server.completed.calls == asked <= 80
    assert journal.read_bytes() == before
    assert len(verdicts_path(journal).read_text().splitlines()) == 80


def test_the_judge_sees_no_name_of_a_variant(assay: Program, tmp_path: Path):
    """No request contains the name of a variant, of the run or of a chunk."""
    bodies: list[str] = []

    def respond(body: dict[str, Any]) -> str:
        bodies.append(json.dumps(body["messages"]))
        return verdict_of(body)

    with serve(respond) as server:
        journal = write_workspace(tmp_path, server.base_url, questions=4)
        text = (
            journal.read_text()
            .replace('"off"', '"secret_name"')
            .replace("::off::", "::secret_name::")
        )
        journal.write_text(text)
        journal.with_suffix(".json").unlink()
        assert assay("judge", "trial", "--judge", "correct", "--root", tmp_path).code == 0
    assert bodies
    assert not any("secret_name" in body or "c1" in body for body in bodies)


def test_an_estimate_asks_nothing(assay: Program, tmp_path: Path):
    """``--dry-run`` says how many calls, tokens and what cost; the server is not called."""
    with serve() as server:
        write_workspace(tmp_path, server.base_url, questions=5)
        words = ("judge", "trial", "--judge", "correct", "--root", tmp_path, "--dry-run")
        ran = assay(*words)
        facts = json.loads(assay(*words, "--json").out)
        assert server.completed.calls == 0
    assert ran.code == 0
    assert "calls, about" in ran.out
    # questions that both variants answer alike are asked about once
    distinct = len({(n, answer(n, v)) for n in range(5) for v in ("on", "off")})
    assert facts[0]["calls"] == distinct
    assert facts[0]["cost"] > 0


def test_a_cost_limit_stops_and_can_be_raised(assay: Program, tmp_path: Path):
    """Judging stops at the limit with exit code 1, and goes on where it stopped."""
    with serve() as server:
        write_workspace(tmp_path, server.base_url)
        words = ("judge", "trial", "--judge", "correct", "--root", tmp_path, "--concurrency", 8)
        ran = assay(*words, "--max-cost", 0.005, "--json")
        assert ran.code == 1
        paid = json.loads(ran.out)[0]["paid"]
        assert 0.004 < paid <= 0.0051  # calls in flight are counted
        assert f"the judge has cost {paid:.4f} of the limit of 0.005" in ran.err
        assert "resume with: assay judge" in ran.err
        assert 0 < server.completed.calls < 40
        assert assay(*words).code == 0
        assert server.completed.calls <= 80


def test_faulty_replies_are_counted_and_never_a_score(assay: Program, tmp_path: Path):
    """Prose, fences, half objects, wrong scales and refusals: read, repaired or unparsed."""
    seen: Counter[int] = Counter()

    def respond(body: dict[str, Any]) -> str:
        text = body["messages"][1]["content"]
        number = int(text.split("has case ")[1].split("?")[0])
        seen[number] += 1
        good = verdict_of(body, 0)
        return {
            0: "It is right.",
            1: f"```json\n{good}\n```",
            2: good[:12],
            3: json.dumps({"verdict": "8/10"}),
            4: "I'm sorry, I cannot help with that.",
            5: good if len(body["messages"]) > 2 else "Certainly! right",
        }.get(number % 8, good)

    with serve(respond) as server:
        journal = write_workspace(tmp_path, server.base_url, questions=16)
        ran = assay("judge", "trial", "--judge", "correct", "--root", tmp_path, "--json")
    facts = json.loads(ran.out)[0]
    assert ran.code == 1  # as the help says: some answers could not be judged
    assert (facts["judged"], facts["failed"]) == (16, 0)
    assert (facts["unparsed"], facts["repaired"]) == (16, 4)
    assert (facts["asked"], facts["calls"]) == (32 - facts["replayed"], server.completed.calls)
    rows = [json.loads(line) for line in verdicts_path(journal).read_text().splitlines()]
    assert all(("unparsed" in row["verdict"]) != ("score" in row["verdict"]) for row in rows)


def test_rate_limits_are_waited_out(assay: Program, tmp_path: Path):
    """A 429 is tried again, and what fails for good is counted and asked again next time."""
    faults: list[Fault | None] = [Fault(kind="rate_limit", retry_after_s=0.0)] * 3
    with serve(faults=faults) as server:
        write_workspace(tmp_path, server.base_url, questions=6)
        ran = assay("judge", "trial", "--judge", "correct", "--root", tmp_path, "--concurrency", 1)
    assert ran.code == 0, ran.err
    assert "12 of 12 judged" in ran.out


def test_answers_without_an_expected_answer_are_skipped(assay: Program, tmp_path: Path):
    """They are undefined, not wrong, and counted; relevance would judge them."""
    with serve() as server:
        journal = write_workspace(tmp_path, server.base_url, questions=3)
        rows = [json.loads(line) for line in journal.read_text().splitlines()]
        del rows[0]["expected_answer"]
        journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
        ran = assay("judge", "trial", "--judge", "correct", "--root", tmp_path)
    assert "not judged: 1 answer: the question has no expected answer" in ran.out
    assert "5 of 5 judged" in ran.out


def test_a_changed_rubric_is_a_new_judge(assay: Program, tmp_path: Path):
    """After an edit of the user's own rubric every answer is judged anew; old verdicts stay."""

    def respond(body: dict[str, Any]) -> str:
        return json.dumps({"verdict": 2})

    with serve(respond) as server:
        journal = write_workspace(tmp_path, server.base_url, questions=3)
        rubric = tmp_path / "rubrics" / "tone.md"
        rubric.parent.mkdir()
        rubric.write_text("Be polite.\n\n- 2: polite\n- 1: rude\n")
        words = ("judge", "trial", "--judge", "tone", "--root", tmp_path)
        known = "3 asked, 3 by equal answers or the call cache, 0 known before"
        assert known in assay(*words).out
        rubric.write_text("Be very polite.\n\n- 2: polite\n- 1: rude\n")
        assert known in assay(*words).out
    assert len(verdicts_path(journal).read_text().splitlines()) == 12


def test_a_corrected_expected_answer_is_judged_anew(assay: Program, tmp_path: Path):
    """What an answer is compared with belongs to the verdict."""
    with serve() as server:
        journal = write_workspace(tmp_path, server.base_url, questions=3)
        words = ("judge", "trial", "--judge", "correct", "--root", tmp_path)
        assay(*words)
        journal.write_text(journal.read_text().replace('["2 days"]', '["two days"]'))
        assert "1 asked, 1 by equal answers or the call cache, 4 known" in assay(*words).out


def test_the_same_model_is_warned_about(assay: Program, tmp_path: Path):
    """A judge that is the system's own model is used, with a warning."""
    with serve() as server:
        journal = write_workspace(tmp_path, server.base_url, questions=2)
        path = journal.with_suffix(".json")
        summary = json.loads(path.read_text())
        path.write_text(json.dumps({**summary, "system": "openai:test-model@http://x{}"}))
        ran = assay("judge", "trial", "--judge", "correct", "--root", tmp_path)
    assert ran.code == 0
    assert "warning: the judge correct asks test-model, the model that gave the answers" in ran.err


def test_wrong_use_is_one_line(assay: Program, tmp_path: Path):
    """An unknown judge, a run without verdicts and a run without labels say what to do."""
    with serve() as server:
        write_workspace(tmp_path, server.base_url, questions=2)
        here = ("--root", tmp_path)
        assert "did you mean 'correct'" in assay("judge", "trial", "--judge", "corect", *here).err
        unnamed = assay("judge", "trial", "--unsure", *here)
        assert unnamed.code == 2
        assert "name a judge with --judge: " in unnamed.err
        assert "experiments.yaml has correct" in unnamed.err
        assert "no judge has judged this run" in assay("judge", "check", "trial", *here).err
        assay("judge", "trial", "--judge", "correct", *here)
        assert "there are no labels of trial" in assay("judge", "check", "trial", *here).err
        missing = assay("judge", "check", "trial", "--labels", tmp_path / "none.jsonl", *here)
        assert (missing.code, "no such file of labels" in missing.err) == (2, True)


def test_a_run_with_a_score_of_its_own_is_not_planned_by_a_check_of_some_answers(
    assay: Program, tmp_path: Path
):
    """Labels correct no choice of letters: the message says what can be planned, and for how many."""
    rows = tmp_path / "small.jsonl"
    sizes = ("--context-lengths", "1000", "--limit", "12")
    assert assay("depth", "--sample", *sizes, "--out", rows, "--root", tmp_path).code == 0
    plan = ("labels", "plan", rows, "--root", tmp_path)
    refused = assay(*plan)
    assert refused.code == 2
    assert "accuracy, the metric of this run, is not one that labels correct" in refused.err
    assert "--metric answer_contained" in refused.err
    assert assay(*plan, "--metric", "answer_contained").code == 0


@pytest.fixture(name="judged")
def _judged(assay: Program, tmp_path: Path) -> Path:
    """A run of 100 questions that a judge has judged."""
    with serve() as server:
        write_workspace(tmp_path, server.base_url, questions=100)
        assert assay("judge", "trial", "--judge", "correct", "--root", tmp_path).code == 0
    return tmp_path


def test_a_judge_is_checked_against_labels(assay: Program, judged: Path):
    """The errors are those that the judge made, and the corrected rate is near the truth."""
    write_labels(judged, label_rows(some(50, 100)))
    text = assay("judge", "check", "trial", "--root", judged).out
    assert "judge.correct against 100 labelled answers" in text
    assert "errors between variants" in text
    found = json.loads(assay("judge", "check", "trial", "--root", judged, "--json").out)
    rates = {rate["variant"]: rate["corrected"] for rate in found["rates"]}
    assert rates["on"]["interval"]["low"] < 0.8 < rates["on"]["interval"]["high"]
    assert rates["off"]["interval"]["low"] < 0.6 < rates["off"]["interval"]["high"]
    assert (rates["on"]["labelled"], rates["on"]["n"]) == (50, 100)
    errors = found["overall"]["errors"]
    assert errors["hits"] + errors["misses"] + errors["false_alarms"] + errors["rejections"] == 100
    difference = found["differences"][0]["corrected"]
    assert difference["interval"]["low"] < 0.2 < difference["interval"]["high"]


def test_the_rate_of_unlabelled_answers_is_not_the_rate_of_the_variant(
    assay: Program, judged: Path
):
    """What Rogan and Gladen's rate is about is beside it, and what is missing if there is none."""
    write_labels(judged, label_rows(some(50, 100)))
    words = ("judge", "check", "trial", "--root", judged)
    text = assay(*words).out
    assert "answers without a label, by sensitivity and specificity (Rogan and Gladen):" in text
    assert "not the rate of the variant" in text
    found = json.loads(assay(*words, "--json").out)
    rates = {each["variant"]: each["rogan_gladen_of_unlabelled_answers"] for each in found["rates"]}
    assert rates["off"]["rate"] is not None
    wrong = sum(not is_right(number, "on") for number in some(50, 100))
    assert (rates["on"]["rate"], rates["on"]["missing_wrong"]) == (None, 15 - wrong)
    missing = counted(15 - wrong, "label")
    assert f"on: – n=50: missing {missing} of wrong answers (of 15)" in text
    write_labels(judged, label_rows(some(60, 100)))
    assert "off: – n=40: missing 10 answers (of 50)" in assay(*words).out


def test_labels_chosen_by_hand_correct_nothing(assay: Program, judged: Path):
    """Labels without a probability are left out and counted, unless all answers have one."""
    write_labels(judged, label_rows(range(40), probability=None))
    text = assay("judge", "check", "trial", "--root", judged).out
    assert "left out: 80 labels chosen by hand" in text
    assert "30 labels missing" in text
    at_random = assay("judge", "check", "trial", "--root", judged, "--drawn-at-random").out
    assert "against 80 labelled answers" in at_random
    write_labels(judged, label_rows(range(100), probability=None))
    assert "against 200 labelled answers" in assay("judge", "check", "trial", "--root", judged).out


def test_labels_that_do_not_count_are_named(assay: Program, judged: Path):
    """Labels of another version, of another run, and unclear ones are counted separately."""
    rows = label_rows(range(4))
    rows[0]["answer_hash"] = "0" * 16
    rows[1]["verdict"] = "unclear"
    rows[2]["run"] = "experiments/other"
    rows[3]["case_id"] = "q-nowhere"
    rows[4]["variant"] = "never"
    write_labels(judged, rows)
    text = assay("judge", "check", "trial", "--root", judged).out
    assert "1 label about an earlier version of the answer" in text
    assert "1 label unclear" in text
    assert "1 label about other runs" in text
    named = "2 labels about answers that the run does not have: q-nowhere on, q2 never"
    assert f"{named}\n" in text


def test_a_plan_draws_answers_with_known_probabilities(assay: Program, judged: Path):
    """The draw has as many answers as asked for, a sheet to fill in, and can be enlarged."""
    sheet = judged / "sheet.jsonl"
    words = ("judge", "plan", "trial", "--root", judged)
    text = assay(*words, "--width", 0.2, "--draw", 30, "--out", sheet).out
    assert "still missing" in text
    assert "drawn    60 answers, 60 of them without a label" in text
    assert "  --draw 30 is for each variant, or all that it has: " in text
    rows = [json.loads(line) for line in sheet.read_text().splitlines()]
    assert {row["verdict"] for row in rows} == {"unclear"}
    assert all(row["probability"] == pytest.approx(0.3) for row in rows)
    refused = assay(*words, "--draw", 30, "--out", sheet)
    assert (refused.code, "exists already" in refused.err) == (2, True)
    for row in rows:
        number = int(row["case_id"].removeprefix("q"))
        row["verdict"] = "right" if f"is {number} days" in row["answer"] else "wrong"
    write_labels(judged, rows)
    more = json.loads(assay(*words, "--draw", 50, "--json").out)["drawn"]
    first = {(row["case_id"], row["variant"]) for row in rows}
    assert first < {(row["case_id"], row["variant"]) for row in more}
    found = json.loads(assay("judge", "check", "trial", "--root", judged, "--json").out)
    assert found["counts"]["used"] == 60
    assert found["rates"][0]["corrected"]["estimate"] == pytest.approx(0.6, abs=0.15)


def test_two_judges_are_compared(assay: Program, judged: Path):
    """How often both say yes, and kappa; no label is needed."""
    ran = assay(
        "judge", "check", "trial", "--root", judged, "--judge", "correct", "--against", "correct"
    )
    assert "on 200 answers" in ran.out
    assert "kappa 1.00" in ran.out


def test_a_value_of_the_rows_is_checked_like_a_judge(assay: Program, judged: Path):
    """An offline score has measured errors and a corrected rate too; a flag that is no score not."""
    labels = write_labels(judged, label_rows(some(40, 100)))
    words = ("judge", "check", "trial", "--root", judged, "--labels", labels)
    text = assay(*words, "--metric", "scores.gold_coverage").out
    assert "scores.gold_coverage against 80 labelled answers" in text
    plain = assay(*words, "--metric", "gold_coverage").out
    assert plain == text.replace("scores.gold_coverage", "gold_coverage")
    unknown = assay(*words, "--metric", "gold_coverge").err
    assert "no row has a value of 'gold_coverge'; did you mean 'gold_coverage'" in unknown
    needed = assay("judge", "check", "trial", "--root", judged, "--metric", "scores.gold_coverage")
    assert "give --labels FILE" in needed.err


def test_the_report_has_three_columns(assay: Program, judged: Path):
    """The judge alone, corrected with its interval, and how many are labelled."""
    write_labels(judged, label_rows(some(50, 100)))
    assert assay("report", "trial", "--root", judged, "--charts", "none").code == 0
    page = (judged / "experiments" / "trial.md").read_text()
    assert "| answers |" in page
    assert "judge alone" in page
    line = next(line for line in page.splitlines() if line.startswith("| judge.correct: on"))
    assert line.count("[") == 2


def test_pairs_are_asked_in_both_orders(assay: Program, tmp_path: Path):
    """Answers that differ are compared twice; a judge that likes the first place gives ties."""
    with serve(lambda _body: json.dumps({"verdict": "first"})) as server:
        write_workspace(tmp_path, server.base_url, questions=10)
        words = ("judge", "pair", "trial", "--judge", "correct", "--root", tmp_path)
        ran = assay(*words, "--variants", "on", "off")
        assert ran.code == 0, ran.err
        assert server.completed.calls == 4
        assert "2 of 2 judged: 2 asked (4 calls), 0 known before" in ran.out
        assert "on better 0, off better 0, equal 0, tie because the order decided 2" in ran.out
        assert "0 asked, 2 known before" in assay(*words, "--variants", "on", "off").out
        assert "no variant 'of'" in assay(*words, "--variants", "on", "of").err


def test_the_verdict_on_each_pair_is_in_the_json(assay: Program, tmp_path: Path):
    """Which variant a judge preferred, by question; in words of variants, not of places."""

    def respond(body: dict[str, Any]) -> str:
        text = body["messages"][1]["content"]
        number = int(text.split("has case ")[1].split("?")[0])
        first = text.find(f"It is {number} days.") < text.find(f"It is {number + 1000} days.")
        return json.dumps({"verdict": "first" if first else "second"})

    with serve(respond) as server:
        write_workspace(tmp_path, server.base_url, questions=10)
        words = ("judge", "pair", "trial", "--judge", "correct", "--root", tmp_path, "--json")
        facts = json.loads(assay(*words, "--variants", "off", "on").out)
    assert [
        (each["question_id"], each["first"], each["second"], each["preferred"], each["orders"])
        for each in facts["verdicts"]
    ] == [(f"q{number}", "off", "on", "on", ["on", "on"]) for number in (6, 7)]


def test_pairs_that_cannot_be_read_are_not_judged(assay: Program, tmp_path: Path):
    """They are counted separately, and the exit code says so, also when nothing is asked any more."""
    with serve(lambda _body: "Both are fine.") as server:
        write_workspace(tmp_path, server.base_url, questions=10)
        words = ("judge", "pair", "trial", "--judge", "correct", "--root", tmp_path)
        ran = assay(*words, "--variants", "on", "off")
        assert (ran.code, "0 of 2 judged, 2 unparsed: 2 asked" in ran.out) == (1, True)
        again = assay(*words, "--variants", "on", "off")
        assert (again.code, "0 of 2 judged, 2 unparsed: 0 asked" in again.out) == (1, True)
        facts = json.loads(assay(*words, "--variants", "on", "off", "--json").out)
    assert [each["preferred"] for each in facts["verdicts"]] == [None, None]
    assert all(each["unparsed"] for each in facts["verdicts"])


def test_spared_cases_are_called_spared(assay: Program, tmp_path: Path):
    """A case that an early decision left out has no answer, but nothing went wrong."""
    with serve() as server:
        journal = write_workspace(tmp_path, server.base_url, questions=3)
        rows = [json.loads(line) for line in journal.read_text().splitlines()]
        kept = ("key", "question_id", "config", "fingerprint", "schema_version", "ts")
        spared = {name: value for name, value in rows[0].items() if name in kept}
        rows[0] = {**spared, "status": "spared", "spared_by": "rule"}
        journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
        ran = assay("judge", "trial", "--judge", "correct", "--root", tmp_path)
    assert "not judged: 1 answer: spared by an early decision" in ran.out
    assert "no answer is recorded" not in ran.out


def compare(assay: Program, root: Path, *words: object) -> Any:
    """Compare the variants of the run by the judge."""
    run = root / "experiments" / "trial.jsonl"
    return assay(
        "compare", "--base", run, "--cand", run, "--base-variant", "off", "--variant", "on",
        "--metric", "judge.correct", "--max-regressions", 50, *words,
    )  # fmt: skip


def test_the_gate_says_which_difference_it_used(assay: Program, judged: Path):
    """Without labels the judge alone decides; with labels the corrected difference does."""
    alone = compare(assay, judged)
    assert alone.code == 0, alone.out + alone.err
    assert "corrected    none: the judge alone decides (60 labels of randomly drawn" in alone.out
    write_labels(judged, label_rows(some(60, 100)))
    facts = json.loads(compare(assay, judged, "--format", "json").out)
    assert facts["correction"]["used"] == "corrected"
    assert facts["delta"] == pytest.approx(facts["correction"]["difference"]["estimate"])
    assert facts["delta"] == pytest.approx(0.2, abs=0.1)
    assert "decides (120 labels" in compare(assay, judged, "--format", "markdown").out
    assert compare(assay, judged, "--min-delta", 0.5).code == 1
    run = judged / "experiments" / "trial.jsonl"
    other = assay("compare", "--base", run, "--cand", run, "--variant", "on", "--labels", run)
    assert "--labels corrects a judge" in other.err


def test_no_corrected_difference_decides_on_a_run_that_stopped_early(assay: Program, judged: Path):
    """Its answers chose the questions; the header and the rows record the decision."""
    write_labels(judged, label_rows(some(60, 100)))
    summary = judged / "experiments" / "trial.json"
    header = json.loads(summary.read_text(encoding="utf-8"))
    header["extra"]["early_stop"] = {"level": 0.95}
    summary.write_text(json.dumps(header), encoding="utf-8")
    rows = [spared("q100", name, decided_after=100) for name in ("off", "on")]
    with summary.with_suffix(".jsonl").open("a", encoding="utf-8") as journal:
        journal.writelines(json.dumps(row) + "\n" for row in rows)
    text = compare(assay, judged).out
    assert "not tested" in text
    assert "corrected    none: the judge alone decides (a run stopped early" in text
    facts = json.loads(compare(assay, judged, "--format", "json").out)
    assert facts["correction"]["difference"] is None
    checked = assay("judge", "check", "trial", "--root", judged).out
    line = next(line for line in checked.splitlines() if line.startswith("  on - off: "))
    assert "corrected +0." in line
    assert "[" not in line
    assert "no intervals: the run stopped early" in checked


def test_a_sheet_for_a_spreadsheet_is_filled_in_and_read_back(assay: Program, judged: Path):
    """CSV with the texts; it is imported, or given as a file of labels. A full draw has no sheet."""
    sheet = judged / "sheet.csv"
    words = ("judge", "plan", "trial", "--root", judged, "--draw", 40)
    assert f"{sheet}: replace `unclear` by right" in assay(*words, "--out", sheet).out
    text = sheet.read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 80
    assert all(row["question"] and row["answer"] and row["verdict"] == "unclear" for row in rows)
    sheet.write_text(text.replace(",unclear,", ",верно,").replace(",", ";"), encoding="utf-8")
    given = assay("judge", "check", "trial", "--root", judged, "--labels", sheet, "--json")
    assert json.loads(given.out)["counts"]["used"] == 80
    assert assay("labels", "import", "trial", sheet, "--root", judged).code == 0
    again = assay(*words, "--out", judged / "more.csv")
    assert "all drawn answers have labels; nothing is written to" in again.out
    assert "replace" not in again.out
    assert not (judged / "more.csv").exists()
    refused = assay(*words, "--out", judged / "more.xlsx")
    assert (refused.code, ".csv for a spreadsheet" in refused.err) == (2, True)


def test_a_sheet_of_another_run_and_an_untouched_one_add_nothing(assay: Program, judged: Path):
    """The other run is named with the command; rows that are not filled in are counted."""
    sheet, own = judged / "sheet.csv", judged / "labels" / "trial.jsonl"
    assert (
        assay("labels", "plan", "trial", "--root", judged, "--draw", 40, "--out", sheet).code == 0
    )
    words = ("labels", "import", "trial", sheet, "--root", judged)
    untouched = assay(*words)
    assert "0 labels read, 0 new" in untouched.out
    assert "80 rows have no verdict yet and were left out" in untouched.err
    assert not own.exists()
    text = sheet.read_text(encoding="utf-8-sig").replace(",unclear,", ",right,")
    sheet.write_text(text.replace("experiments/trial", "experiments/other"), encoding="utf-8")
    refused = assay(*words)
    assert refused.code == 2
    assert "this sheet is about the run other, not trial: assay labels import other" in refused.err
    assert not own.exists()


def test_a_changed_probability_is_named_with_the_line_and_the_remedy(assay: Program, judged: Path):
    """One such label would end the labelled part of a draw, so the sheet is not taken."""
    sheet = judged / "sheet.csv"
    assert (
        assay("labels", "plan", "trial", "--root", judged, "--draw", 40, "--out", sheet).code == 0
    )
    lines = sheet.read_text(encoding="utf-8-sig").replace(",unclear,", ",right,").splitlines()
    (drawn,) = {row["probability"] for row in csv.DictReader([lines[0], lines[5]])}
    changed = [*lines[:5], lines[5].replace(drawn, "0.123"), *lines[6:]]
    sheet.write_text("\n".join(changed) + "\n", encoding="utf-8")
    words = ("labels", "import", "trial", sheet, "--root", judged)
    refused = assay(*words)
    assert refused.code == 2
    assert (
        f"{sheet}:6: states the probability 0.123, and the draw gave this answer {drawn}"
        in refused.err
    )
    sheet.write_text("\n".join(lines).replace(drawn, "") + "\n", encoding="utf-8")
    assert assay(*words).code == 0
    checked = assay("judge", "check", "trial", "--root", judged, "--json")
    assert json.loads(checked.out)["counts"]["used"] == 80


def test_a_score_that_says_whether_answers_are_right_needs_no_file_of_labels(
    assay: Program, judged: Path
):
    """The labels of the workspace are about just that; another score needs its own."""
    journal = judged / "experiments" / "trial.jsonl"
    rows = [json.loads(line) for line in journal.read_text().splitlines()]
    for row in rows:
        row["scores"] = {**row.get("scores", {}), "answer_contained": 1.0, "other": 1.0}
    journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("judge", "check", "trial", "--root", judged, "--metric")
    none = assay(*words, "answer_contained")
    assert (none.code, "there are no labels of trial" in none.err) == (2, True)
    write_labels(judged, label_rows(some(40, 100)))
    found = json.loads(assay(*words, "answer_contained", "--json").out)
    assert found["counts"]["used"] > 0
    assert "give --labels FILE" in assay(*words, "other").err
