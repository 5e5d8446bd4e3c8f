"""Two runs on the page: what ``assay compare`` says about them."""

import json
from pathlib import Path

from assay.gate.gate import Limits
from assay.web.compare_view import compare_view
from assay.web.run_index import open_run
from assay.web.run_view import run_card
from assay.words.language import LANGUAGES
from assay.words.message import text_of
from tests.support.journal import failed, judged, row
from tests.support.page import write_study


def opened(journal: Path) -> tuple:  # type: ignore[type-arg]
    """The card and the index of a run that has ended."""
    summary = journal.with_suffix(".json")
    summary.write_text(summary.read_text().replace('"running"', '"complete"'))
    return run_card(journal.stem, journal), open_run(journal)


def run(folder: Path, name: str, losses: int = 0) -> tuple:  # type: ignore[type-arg]
    """A run of twelve questions, of which some lost."""
    rows = [judged(f"q{n:02d}", "on", 0.0 if n < losses else 1.0) for n in range(12)]
    return opened(write_study(folder / f"{name}.jsonl", rows))


def test_a_worse_candidate_fails_with_its_reasons(tmp_path: Path):
    """The questions that changed come with both answers, and can be opened in both runs."""
    base, cand = run(tmp_path, "base"), run(tmp_path, "cand", losses=2)
    view = compare_view(base, cand)
    assert view.exit_code == 1
    assert "cand [on]" in str(view.headline)
    assert any("regressed" in str(reason) for reason in view.reasons)
    assert [item.id for item in view.changed] == ["q00", "q01"]
    changed = view.changed[0]
    assert (changed.before, changed.after, changed.base_answer) == (1.0, 0.0, "on on q00 [1].")
    assert (changed.base_item, changed.cand_item) == ("q00", "q00")


def test_a_candidate_that_is_better_on_average_is_not_called_worse(tmp_path: Path):
    """It fails because one question lost, and the headline says so."""
    lost = [judged(f"q{n:02d}", "on", 0.0 if n < 4 else 1.0) for n in range(12)]
    gained = [judged(f"q{n:02d}", "on", 0.0 if n == 11 else 1.0) for n in range(12)]
    base = opened(write_study(tmp_path / "base.jsonl", lost))
    view = compare_view(base, opened(write_study(tmp_path / "cand.jsonl", gained)))
    assert view.exit_code == 1
    assert str(view.headline).endswith("although its mean is not worse.")


def changed(folder: Path, lost: int, gained: int, n: int = 60) -> list:  # type: ignore[type-arg]
    """Two runs of ``n`` questions, of which some were lost and some gained."""
    base = [judged(f"q{n:02d}", "on", float(n >= gained)) for n in range(n)]
    cand = [judged(f"q{n:02d}", "on", float(n < gained or n >= gained + lost)) for n in range(n)]
    pair = (("base", base), ("cand", cand))
    return [opened(write_study(folder / f"{name}.jsonl", rows)) for name, rows in pair]


def test_a_lower_mean_that_noise_may_explain_is_not_called_worse(tmp_path: Path):
    """Ten lost and nine gained are p = 0.8: the first line says so, and a margin is suggested."""
    view = compare_view(*changed(tmp_path / "noise", 10, 9))
    assert view.differences[0].p is not None
    assert view.differences[0].p > 0.7
    assert str(view.headline).endswith(": it is not shown that cand [on] is worse than base [on].")
    assert any("With --margin" in str(reason) for reason in view.reasons)
    one = compare_view(*changed(tmp_path / "one", 1, 0))
    assert str(one.headline).startswith("The gate fails on a change that noise may explain: ")
    shown = compare_view(*changed(tmp_path / "shown", 20, 1))
    assert (
        str(shown.headline)
        == "The gate fails: cand [on] is worse than base [on] by more than noise."
    )
    better = compare_view(*changed(tmp_path / "better", 0, 20))
    assert str(better.headline).endswith("is better than base [on] by more than noise.")


def test_a_margin_has_three_outcomes(tmp_path: Path):
    """The first line says which one, the code agrees with the command, and the command asks the same."""
    runs = changed(tmp_path, 4, 4)
    views = {
        name: compare_view(*runs, limits=limits)
        for name, limits in (
            ("passed", Limits(margin=0.2)),
            ("unclear", Limits(margin=0.03)),
            ("invalid", Limits(margin=3.0)),
        )
    }
    assert {name: view.outcome for name, view in views.items()} == {name: name for name in views}
    assert [view.exit_code for view in views.values()] == [0, 1, 2]
    assert str(views["passed"].headline).endswith("is not worse by more than 20 points.")
    assert "cannot tell whether" in str(views["unclear"].headline)
    assert "more questions would tell" in str(views["unclear"].headline)
    assert views["unclear"].command.endswith("--margin 0.03")
    lost = changed(tmp_path / "lost", 40, 0)
    assert compare_view(*lost, limits=Limits(equivalent=0.03)).outcome == "failed"


def test_reasons_are_told_in_every_language(tmp_path: Path):
    """Whatever the gate says."""
    base, cand = run(tmp_path, "base"), run(tmp_path, "cand", losses=2)
    for view in (
        compare_view(base, cand),
        compare_view(base, base),
        compare_view(base, opened(write_study(tmp_path / "other.jsonl", [judged("x", "on", 1.0)]))),
    ):
        for reason in view.reasons:
            assert len({text_of(reason, lang) for lang in LANGUAGES}) == 3, str(reason)


def test_the_command_names_the_files_from_the_workspace(tmp_path: Path):
    """It runs in the folder of the workspace; a file that is elsewhere has its whole path."""
    base, cand = run(tmp_path / "experiments", "base"), run(tmp_path / "eval" / "runs", "cand")
    command = compare_view(base, cand, root=tmp_path).command
    assert "--base experiments/base.jsonl --cand eval/runs/cand.jsonl" in command
    inside = compare_view(base, cand, root=tmp_path / "eval").command
    assert f"--base {tmp_path}/experiments/base.jsonl --cand runs/cand.jsonl" in inside


def test_an_equal_candidate_passes(tmp_path: Path):
    """Nothing changed, and the difference is zero."""
    view = compare_view(run(tmp_path, "base"), run(tmp_path, "cand"))
    assert (view.exit_code, view.changed_total) == (0, 0)
    assert view.differences[0].verdict == "same"


def test_how_much_was_compared_is_counted(tmp_path: Path):
    """As the command counts it: pairs, and questions that only one run has or that cannot be compared."""
    rows = [judged(f"q{n:02d}", "on", 1.0) for n in (*range(10), 40)] + [judged("q11", "on", None)]
    cand = opened(write_study(tmp_path / "cand.jsonl", rows))
    view = compare_view(run(tmp_path, "base"), cand)
    assert {str(name): n for name, n in view.counts} == {
        "pairs compared": 10,
        "without a value in the candidate": 2,
        "the same": 10,
        "only in the candidate": 1,
    }
    assert view.differences[0].verdict == "same"


def test_a_few_equal_questions_are_too_few_to_tell(tmp_path: Path):
    """If all of them had differed, no test would have shown it."""
    runs = [
        opened(write_study(tmp_path / name, [judged(f"q{n}", "on", 1.0) for n in range(4)]))
        for name in ("base.jsonl", "cand.jsonl")
    ]
    assert compare_view(*runs).differences[0].verdict == "same, too few"


def test_failed_cases_can_be_allowed(tmp_path: Path):
    """The refusal names the file from the workspace, and the command has what it lacks."""
    rows = [*(judged(f"q{n:02d}", "on", 1.0) for n in range(11)), failed("q11", "on")]
    base, cand = run(tmp_path, "base"), opened(write_study(tmp_path / "cand.jsonl", rows))
    view = compare_view(base, cand, root=tmp_path)
    assert (view.exit_code, view.unscored, view.max_failed) == (2, 1, 0)
    assert str(view.reasons[0]).startswith("cand.jsonl: 1 case failed")
    assert view.command.endswith("--max-failed 1")
    allowed = compare_view(base, cand, root=tmp_path, limits=Limits(max_failed=1))
    assert (allowed.exit_code, allowed.max_failed) == (0, 1)
    assert {str(name): n for name, n in allowed.counts}["not compared"] == 1


def test_what_cannot_be_compared_says_why(tmp_path: Path):
    """Runs of other questions, or a metric that does not exist."""
    base = run(tmp_path, "base")
    other = opened(write_study(tmp_path / "other.jsonl", [judged("x", "on", 1.0)]))
    for view in (compare_view(base, other), compare_view(base, base, metric="nope")):
        assert view.exit_code == 2
        assert view.reasons[0]
        assert text_of(view.headline, "ru")


def test_variants_are_chosen_by_name(tmp_path: Path):
    """The candidate's is that of the base unless another one is named."""
    rows = [judged(f"q{n}", name, 1.0) for n in range(6) for name in ("on", "off")]
    rows.append(row("q9", "on", scores={}))
    both = opened(write_study(tmp_path / "a.jsonl", rows))
    settings = compare_view(both, both, variant="off").settings
    shown = {str(text): value for text, value in settings}
    assert (shown["base"], shown["candidate"]) == ("off", "off")
    chosen = compare_view(both, both, variant="on", cand_variant="off")
    assert "--variant off --base-variant on" in chosen.command


def version(folder: Path, name: str, numbers: range, moved: str = "") -> tuple:  # type: ignore[type-arg]
    """A run of a version of a question set; the gold of the question ``moved`` is another one."""
    rows = [
        judged(f"q{n:02d}", "on", 0.5, scored_against="new" if f"q{n:02d}" == moved else "old")
        | {"fingerprint": f"s-v-{n}"}
        for n in numbers
    ]
    journal = write_study(folder / f"{name}.jsonl", rows)
    summary = journal.with_suffix(".json")
    fields = json.loads(summary.read_text())
    extra = {**fields.get("extra", {}), "questions_version": name}
    fields |= {"questions_sha256": name, "extra": extra}
    summary.write_text(json.dumps(fields))
    return opened(journal)


def test_two_versions_of_a_question_set_are_compared_on_the_questions_they_share(tmp_path: Path):
    """The gate still refuses them; questions that changed are left out and named."""
    base = version(tmp_path, "one", range(12))
    cand = version(tmp_path, "two", range(2, 14), moved="q05")
    view = compare_view(base, cand)
    assert view.exit_code == 2
    assert "--allow-mismatch" in str(view.reasons[0])
    assert "compared on the 9 questions" in str(view.headline)
    assert view.shared is not None
    assert (view.shared.both, view.shared.changed) == (9, ("q05",))
    assert (view.shared.only_base, view.shared.only_cand) == (2, 2)
    assert (view.shared.base_version, view.shared.cand_version) == ("one", "two")
    assert view.differences[0].n == 9


def test_versions_that_share_nothing_are_not_compared(tmp_path: Path):
    """There is nothing to compare, and the reason says so."""
    view = compare_view(version(tmp_path, "one", range(3)), version(tmp_path, "two", range(5, 8)))
    assert (view.shared, view.differences) == (None, ())
    assert any("no question in common" in str(reason) for reason in view.reasons)


def test_metrics_without_a_pair_of_values_are_named(tmp_path: Path):
    """The page can say so before one of them is chosen."""
    base = run(tmp_path, "base")
    bare = [judged(f"q{n:02d}", "on", None) for n in range(12)]
    cand = opened(write_study(tmp_path / "cand.jsonl", bare))
    view = compare_view(base, cand, metric="cite_ok_rate")
    assert set(view.unpaired) == {"gold_hit_any_rate", "avg_gold_coverage"}
    assert compare_view(base, base).unpaired == ()
    other = [judged(f"x{n:02d}", "on", 1.0) for n in range(12)]
    apart = opened(write_study(tmp_path / "apart.jsonl", other))
    names = {metric.name for metric in base[1].findings.metrics}
    assert set(compare_view(base, apart).unpaired) == names


def test_pairs_are_those_of_the_chosen_variants(tmp_path: Path):
    """A failed case has no value, whatever its row says."""
    rows = [judged(f"q{n}", "on", 1.0) for n in range(6)] + [
        failed(f"q{n}", "off") for n in range(6)
    ]
    both = opened(write_study(tmp_path / "both.jsonl", rows))
    assert compare_view(both, both, variant="on").unpaired == ()
    names = {metric.name for metric in both[1].findings.metrics}
    assert set(compare_view(both, both, variant="on", cand_variant="off").unpaired) == names
