"""The demonstration: offline, three variables, and nothing asked twice."""

from pathlib import Path

import pytest

from assay.config import RunSettings
from assay.errors import UseError
from assay.jobs.ablation.run import Ablation
from assay.jobs.demo.ablation import EXPERIMENTS, Step, demo_workspace, demonstrate
from assay.runner.progress import SilentReporter


def shown(folder: Path, *, questions: int) -> tuple[list[Step], list[str]]:
    """The steps of a demonstration in ``folder``, and the experiments it announced."""
    begun: list[str] = []

    def begin(ablation: Ablation) -> None:
        begun.append(ablation.experiment.name)

    steps = demonstrate(
        demo_workspace(folder),
        questions=questions,
        settings=RunSettings(),
        begin=begin,
        reporter=lambda _: SilentReporter(),
    )
    return list(steps), begun


def test_three_variables_are_tried_and_a_second_time_nothing_is_asked(tmp_path: Path):
    """Each experiment is complete, has its rows beside the configuration, and is found again."""
    folder = tmp_path / "new"
    steps, begun = shown(folder, questions=2)
    assert begun == list(EXPERIMENTS)
    for step in steps:
        assert step.result.is_complete
        assert step.result.asked == 2 * len(step.ablation.layout.variants)
        assert step.ablation.journal.parent == folder.resolve() / "experiments"
        assert step.result.summary.results["questions"] == 2
    files = sorted((folder / "experiments").glob("*.json*"))
    before = [path.read_bytes() for path in files]
    again, _ = shown(folder, questions=2)
    assert [step.result.asked for step in again] == [0, 0, 0]
    assert [path.read_bytes() for path in files] == before


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path):
    """Samples are laid out in a new folder or an empty one, and nowhere else."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UseError, match="name a new folder"):
        demo_workspace(tmp_path)
    with pytest.raises(UseError, match="is a file"):
        demo_workspace(tmp_path / "mine.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
