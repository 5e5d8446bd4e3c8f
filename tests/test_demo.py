"""The demonstration: offline, three variables, four further jobs, and nothing asked twice."""

import functools
from pathlib import Path

import pytest

from assay import demo as tour_module
from assay.cli.heatmap import write_depth_map
from assay.demo import EXPERIMENTS, STOPS, Tour, TourStop, demo_workspace, demonstrate
from assay.errors import UseError
from assay.jobs.prepared import PreparedRun
from assay.runs.progress import SilentReporter
from assay.runs.summary import RunResult


def shown(folder: Path, *, questions: int) -> tuple[list[tuple[PreparedRun, RunResult]], list[str]]:
    """The steps of a demonstration in ``folder``, and the experiments it announced."""
    begun: list[str] = []

    def begin(run: PreparedRun) -> None:
        begun.append(run.header.name)

    steps = demonstrate(
        demo_workspace(folder),
        questions=questions,
        begin=begin,
        reporter=lambda _: SilentReporter(),
    )
    return list(steps), begun


def test_three_variables_are_tried_and_a_second_time_nothing_is_asked(tmp_path: Path):
    """Each experiment is complete, has its rows beside the configuration, and is found again."""
    folder = tmp_path / "new"
    steps, begun = shown(folder, questions=2)
    assert begun == list(EXPERIMENTS)
    for run, result in steps:
        assert result.is_complete
        assert result.asked == 2 * len(run.plan.variants)
        assert run.journal.parent == folder.resolve() / "experiments"
        assert result.summary.results["questions"] == 2
    files = sorted((folder / "experiments").glob("*.json*"))
    before = [path.read_bytes() for path in files]
    again, _ = shown(folder, questions=2)
    assert [result.asked for _, result in again] == [0, 0, 0]
    assert [path.read_bytes() for path in files] == before


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path):
    """Samples are laid out in a new folder or an empty one, and nowhere else."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UseError, match="name a new folder"):
        demo_workspace(tmp_path)
    with pytest.raises(UseError, match="is a file"):
        demo_workspace(tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def tour_in(folder: Path) -> Tour:
    """A tour through a demonstration's workspace, without a word of progress."""
    return Tour(
        workspace=demo_workspace(folder),
        reporter=lambda _: SilentReporter(),
        draw_map=write_depth_map,
    )


@pytest.fixture(name="short_contexts")
def _short_contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contexts of a few pages, and a reader whose window holds the shorter ones."""
    monkeypatch.setattr(tour_module, "LENGTHS", (1_000, 4_000))
    monkeypatch.setattr("assay.jobs.depth.preparation.SYSTEM", "reader:1500")


def test_the_tour_stops_at_the_four_jobs_that_are_no_ablation():
    """Each with the command that does the same."""
    assert [stop.job for stop in STOPS] == ["depth", "quality", "review", "bench"]
    assert all(stop.command.startswith(f"assay {stop.job} ") for stop in STOPS)


@pytest.fixture(name="few_questions")
def _few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few questions of the jobs whose samples have many; what the jobs do is the same."""
    for name, options in {
        "QualityOptions": {"limit": 12},
        "ReviewOptions": {"limit": 12},
        "BenchOptions": {"question_type": "fact_exact"},
    }.items():
        whole = getattr(tour_module, name)
        monkeypatch.setattr(tour_module, name, functools.partial(whole, **options))


@pytest.mark.usefixtures("short_contexts", "few_questions")
@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.job)
def test_each_stop_scores_and_has_its_sentence_and_picture(stop: TourStop, tmp_path: Path):
    """Every case is scored, the finding holds a number, and the picture is in the workspace."""
    shown = stop.show(tour_in(tmp_path / "new"))
    assert shown.result.is_complete
    assert shown.result.asked == shown.result.tally.scored > 0
    assert any(letter.isdigit() for letter in shown.sentence)
    assert ("unsure answers) of 100 points" in shown.sentence) == (stop.job == "bench")
    assert shown.picture is not None
    assert shown.picture.stat().st_size > 1000
    assert tmp_path in shown.picture.parents


@pytest.mark.usefixtures("short_contexts")
def test_a_stop_made_again_asks_nobody_and_says_the_same(tmp_path: Path):
    """What is recorded is distinguished from the record."""
    tour = tour_in(tmp_path / "new")
    first, again = (STOPS[0].show(tour) for _ in range(2))
    assert first.sentence == (
        "everything is found up to 1,000 tokens; at 4,000 what lies at 25%, 50%, 75% is lost"
    )
    assert again.result.asked == 0
    assert (again.sentence, again.picture) == (first.sentence, first.picture)
