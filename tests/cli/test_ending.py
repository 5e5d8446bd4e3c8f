"""The end of a run command: counts, reason, and the command to resume."""

import sys

import pytest
from msgspec.structs import replace

from assay.cli.run_command import end_run, resume_command
from assay.errors import AccessRefused, CeilingReached, Interrupted, RunStopped
from assay.records import RunHeader, Tally
from assay.runs.summary import RunResult, start_summary
from assay.words.language import speaking


def result(
    tally: Tally, *, asked: int = 4, total: int = 4, stopped: RunStopped | None = None
) -> RunResult:
    """The result of a run."""
    header = RunHeader(job="j", name="n", system="s", variants=(), total=total)
    return RunResult(
        tally=tally,
        asked=asked,
        total=total,
        paid=None,
        elapsed_s=75.0,
        summary=start_summary(header),
        stopped=stopped,
    )


@pytest.fixture(autouse=True)
def _command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "argv", ["/usr/bin/assay", "ablate", "--resume=fresh", "--root", "my folder"]
    )


def test_a_complete_run_ends_with_0(capsys: pytest.CaptureFixture[str]):
    """If all cases are scored or skipped the exit code is 0; counts go to stderr."""
    assert end_run(result(Tally(scored=3, skipped=1))) == 0
    assert capsys.readouterr() == ("", "3 scored, 0 failed, 1 skipped of 4 in 1 min 15 s\n")


def test_a_run_with_nothing_to_ask_says_so(capsys: pytest.CaptureFixture[str]):
    """Repeating a complete run gives exit code 0 and says that nothing was asked."""
    assert end_run(result(Tally(scored=4), asked=0)) == 0
    assert "all 4 cases were recorded earlier; nothing was asked" in capsys.readouterr().err


def test_rows_of_another_top_k_are_said_to_be_kept(capsys: pytest.CaptureFixture[str]):
    """A changed ``top_k`` asks again: the line says what becomes of the earlier rows."""
    ended = replace(result(Tally(scored=24)), outside=24, outside_top_k=(10,))
    assert end_run(ended) == 0
    line = "24 recorded rows have another top_k (10): they are kept in the file and not counted"
    assert line in capsys.readouterr().err.splitlines()


def test_answers_that_are_not_judged_end_with_1_and_how_to_judge_them(
    capsys: pytest.CaptureFixture[str],
):
    """The next run judges them without asking the system again."""
    assert end_run(result(Tally(scored=3, answered=1))) == 1
    counts, again = capsys.readouterr().err.splitlines()
    assert counts == "3 scored, 1 answered but not judged, 0 failed, 0 skipped of 4 in 1 min 15 s"
    assert again.startswith(
        "1 answered but not judged; judge it, without asking again, with: assay"
    )


def test_failed_cases_end_with_1_and_how_to_ask_again(capsys: pytest.CaptureFixture[str]):
    """The exit code is 1, and the command to ask again has no ``--resume fresh``."""
    assert end_run(result(Tally(scored=3, failed=1))) == 1
    printed = capsys.readouterr().err
    assert "3 scored, 1 failed, 0 skipped of 4" in printed
    assert "1 failed; ask it again with: assay ablate --root 'my folder'\n" in printed


@pytest.mark.parametrize(
    ("stopped", "code"),
    [
        (AccessRefused("no key"), 2),
        (Interrupted("interrupted"), 130),
        (Interrupted("terminated (SIGTERM)", exit_code=143), 143),
    ],
)
def test_a_stopped_run_ends_as_its_reason_says(
    stopped: RunStopped, code: int, capsys: pytest.CaptureFixture[str]
):
    """The output has the reason, the cases not asked and the command to resume."""
    assert end_run(result(Tally(scored=1), asked=1, stopped=stopped)) == code
    printed = capsys.readouterr().err
    assert "1 scored, 0 failed, 0 skipped, 3 not asked of 4" in printed
    assert f"stopped: {stopped}\n" in printed
    assert "resume with: assay ablate --root 'my folder'\n" in printed


def test_a_limit_names_the_option_to_raise_and_how_to_resume(capsys: pytest.CaptureFixture[str]):
    """At a limit the output names the option to raise and the command to resume."""
    stopped = CeilingReached("spent 1; raise --max-cost to continue")
    assert end_run(result(Tally(scored=1), stopped=stopped)) == 1
    printed = capsys.readouterr().err
    assert "raise --max-cost" in printed
    assert "resume with: assay" in printed


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["assay", "demo"], "assay demo"),
        (["/x/assay", "demo", "a b", "--resume=fresh"], "assay demo 'a b'"),
        (["assay", "ablate", "-e", "x", "--limit=2"], "assay ablate -e x --limit=2"),
    ],
)
def test_the_command_to_resume_can_be_pasted(words: list[str], line: str):
    """The command is quoted for a shell and has no ``--resume fresh``."""
    assert resume_command(words) == line


def test_what_the_command_chose_itself_is_added():
    """A folder that the command chose itself is added to the command to resume."""
    assert resume_command(["assay", "demo"], "/tmp/a b") == "assay demo '/tmp/a b'"


def test_a_stop_by_the_user_is_told_in_the_language(capsys: pytest.CaptureFixture[str]):
    """It is no error, so it is not English."""
    with speaking("ru"):
        end_run(result(Tally(scored=1), stopped=Interrupted("interrupted")))
        end_run(result(Tally(scored=1), stopped=Interrupted("terminated (SIGTERM)", exit_code=143)))
    shown = capsys.readouterr().err
    assert "остановлено: прервано пользователем" in shown
    assert "остановлено: завершено системой (SIGTERM)" in shown
