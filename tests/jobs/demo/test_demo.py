"""The demonstration: offline, three variables, four more jobs, and recorded answers reused."""

from pathlib import Path

import pytest

from assay.config import RunSettings
from assay.errors import UseError
from assay.jobs.ablation.run import Ablation
from assay.jobs.demo import tour as tour_module
from assay.jobs.demo.ablation import EXPERIMENTS, Step, demo_workspace, demonstrate
from assay.jobs.demo.tour import STOPS, Tour, TourStop
from assay.runner.progress import SilentReporter


def demonstration(folder: Path, *, questions: int) -> tuple[list[Step], list[str]]:
    """Run a demonstration in ``folder``; returns its steps and the announced experiments."""
    started: list[str] = []

    def begin(ablation: Ablation) -> None:
        started.append(ablation.experiment.name)

    steps = demonstrate(
        demo_workspace(folder),
        questions=questions,
        settings=RunSettings(),
        begin=begin,
        reporter=lambda _: SilentReporter(),
    )
    return list(steps), started


def test_three_variables_are_tried_and_a_second_time_nothing_is_asked(tmp_path: Path):
    """Each experiment is complete, and a second demonstration asks nothing again."""
    folder = tmp_path / "new"
    steps, started = demonstration(folder, questions=2)
    assert started == list(EXPERIMENTS)
    for step in steps:
        assert step.result.is_complete
        assert step.result.asked == 2 * len(step.ablation.layout.variants)
        assert step.ablation.journal.parent == folder.resolve() / "experiments"
        assert step.result.summary.results["questions"] == 2
    files = sorted((folder / "experiments").glob("*.json*"))
    before = [path.read_bytes() for path in files]
    again, _ = demonstration(folder, questions=2)
    assert [step.result.asked for step in again] == [0, 0, 0]
    assert [path.read_bytes() for path in files] == before


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path):
    """A folder that contains other files is refused and not changed."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UseError, match="name a new folder"):
        demo_workspace(tmp_path)
    with pytest.raises(UseError, match="is a file"):
        demo_workspace(tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def tour_in(folder: Path) -> Tour:
    """A tour of a demonstration's workspace, without progress output."""
    return Tour(
        workspace=demo_workspace(folder),
        settings=RunSettings(),
        reporter=lambda _: SilentReporter(),
    )


@pytest.fixture(name="short_contexts")
def _short_contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use short contexts, and a reader whose window has room for the shorter ones only."""
    monkeypatch.setattr(tour_module, "LENGTHS", (1_000, 4_000))
    monkeypatch.setattr(tour_module, "SYSTEM", "reader:1500")


def test_the_tour_stops_at_the_four_jobs_that_are_no_ablation():
    """The tour has the four other jobs, each with the command that runs it."""
    assert [stop.job for stop in STOPS] == ["depth", "quality", "review", "bench"]
    assert all(stop.command.startswith(f"assay {stop.job} ") for stop in STOPS)


@pytest.mark.usefixtures("short_contexts")
@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.job)
def test_each_stop_scores_and_has_its_sentence_and_picture(stop: TourStop, tmp_path: Path):
    """Every case is scored, the sentence has a number, and the picture is in the workspace."""
    outcome = stop.show(tour_in(tmp_path / "new"))
    assert outcome.result.is_complete
    assert outcome.result.asked == outcome.result.tally.scored > 0
    assert any(letter.isdigit() for letter in outcome.sentence)
    assert outcome.picture is not None
    assert outcome.picture.stat().st_size > 1000
    assert tmp_path in outcome.picture.parents


@pytest.mark.usefixtures("short_contexts")
def test_a_stop_run_again_asks_nothing_and_shows_the_same(tmp_path: Path):
    """A stop that is run again asks nothing and shows the same result."""
    tour = tour_in(tmp_path / "new")
    first, again = (STOPS[0].show(tour) for _ in range(2))
    assert first.sentence == (
        "everything is found up to 1,000 tokens; at 4,000 what lies at 25%, 50%, 75% is lost"
    )
    assert again.result.asked == 0
    assert (again.sentence, again.picture) == (first.sentence, first.picture)
