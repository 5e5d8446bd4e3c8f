"""What a request can make of a command line, and what it cannot."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import UseError
from assay.web.live_api import StartRequest
from assay.web.process.form import COMMANDS, FORMS, start_form
from assay.web.process.resume import typed_request
from assay.web.process.start import command_words
from assay.words.message import text_of
from tests.support.live_workspace import live_workspace


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    root = live_workspace(tmp_path / "w", "http://127.0.0.1:9/v1")
    (root / "a b.pdf").touch()
    (tmp_path / "outside.pdf").touch()
    (root / "link.pdf").symlink_to(tmp_path / "outside.pdf")
    (root / "experiments" / "way-out").symlink_to(tmp_path)
    return root


def words(root: Path, job: str, **options: Any) -> list[str]:
    """The command of a request."""
    return command_words(StartRequest(job=job, options=options), root)


def test_a_request_becomes_the_command_that_a_person_would_type(root: Path):
    """Values stay one word with their option; empty fields and switches that are off are left out."""
    assert words(
        root, "ablation", experiment="tone", limit="5", max_cost=1.5, stop_early=False
    ) == [
        "ablate",
        "--experiment=tone",
        "--limit=5",
        "--max-cost=1.5",
    ]
    assert words(root, "quality", pdf="a b.pdf", questions="questions.jsonl", system="clerk") == [
        "quality",
        "--pdf=a b.pdf",
        "--questions=questions.jsonl",
        "--system=clerk",
    ]
    assert words(root, "depth", sample=True, lang="zh", context_lengths="1000,2000") == [
        "depth",
        "--sample",
        "--lang=zh",
        "--context-lengths=1000,2000",
    ]
    assert words(root, "bench", path="questions.jsonl", resume="fresh") == [
        "bench",
        "run",
        "--resume=fresh",
        "questions.jsonl",
    ]


@pytest.mark.parametrize(
    ("job", "options", "problem"),
    [
        ("shell", {}, "not one of"),
        ("ablation", {}, "experiment: choose one"),
        ("ablation", {"experiment": "ton"}, "did you mean 'tone'"),
        ("ablation", {"experiment": "tone", "system": "python:os:system"}, "no field 'system'"),
        ("ablation", {"experiment": "tone", "out": "/tmp"}, "results go into"),
        ("ablation", {"experiment": "tone", "out": "experiments/../../up"}, "results go into"),
        ("ablation", {"experiment": "tone", "out": "experiments/.hidden"}, "results go into"),
        ("ablation", {"experiment": "tone", "out": "experiments/way-out"}, "results go into"),
        (
            "ablation",
            {"experiment": "tone", "out": "experiments/experiments.yaml"},
            "is a file; name a folder",
        ),
        (
            "quality",
            {
                "pdf": "a b.pdf",
                "questions": "questions.jsonl",
                "out": "experiments/experiments.yaml",
            },
            "is not a results file",
        ),
        ("ablation", {"experiment": "tone", "primary": "beauty"}, "not a choice"),
        ("ablation", {"experiment": "tone", "timeout": "-1"}, "not a number"),
        ("bench", {"sample": True, "set": "a=1\n--root=/"}, "as NAME=VALUE"),
        ("bench", {"sample": True, "set": "a"}, "as NAME=VALUE"),
        ("bench", {"sample": True, "set": "a=\x001"}, "as NAME=VALUE"),
        ("ablation", {"experiment": "tone", "config": "x.yaml"}, "no field 'config'"),
        ("ablation", {"experiment": "--all"}, "not a choice"),
        ("ablation", {"experiment": "tone", "limit": "5 --all"}, "not a whole number"),
        ("ablation", {"experiment": "tone", "limit": -1}, "not a whole number"),
        ("ablation", {"experiment": "tone", "limit": True}, "not a whole number"),
        ("ablation", {"experiment": "tone", "max_cost": "nan"}, "not a number"),
        ("ablation", {"experiment": "tone", "max_cost": "inf"}, "not a number"),
        ("ablation", {"experiment": "tone", "stop_early": "yes"}, "not yes or no"),
        ("bench", {"sample": True, "system": "python:os:system"}, "not a choice"),
        ("bench", {"sample": True, "system": "command:rm -rf ."}, "not a choice"),
        ("bench", {"sample": True, "system": "http://evil.example"}, "not a choice"),
        ("bench", {"sample": True, "system": "openai:gpt"}, "not a choice"),
        ("bench", {"sample": True, "system": "replay:x.jsonl"}, "not a choice"),
        ("bench", {"sample": True, "name": "../up"}, "letters, digits"),
        ("bench", {"sample": True, "name": "-x"}, "letters, digits"),
        ("quality", {"pdf": "../outside.pdf"}, "outside the workspace"),
        ("quality", {"pdf": "/etc/passwd"}, "outside the workspace"),
        ("quality", {"pdf": "link.pdf"}, "outside the workspace"),
        ("quality", {"pdf": "no.pdf"}, "no such file"),
        ("quality", {"pdf": "a\0.pdf"}, "not a path"),
        ("depth", {"context_lengths": "1000;rm"}, "letters, digits"),
    ],
)
def test_everything_else_is_refused(root: Path, job: str, options: dict[str, Any], problem: str):
    """Before anything is started; no value becomes an option, a program or a path outside."""
    with pytest.raises(UseError, match=problem):
        words(root, job, **options)


def test_settings_places_and_the_deciding_metric_are_words_of_their_own(root: Path):
    """Each line of the settings is one option; results stay where the page finds them."""
    assert words(root, "bench", sample=True, set="a=1\n\nb_c=two words --x\n", retries=0) == [
        "bench",
        "run",
        "--sample",
        "--set=a=1",
        "--set=b_c=two words --x",
        "--retries=0",
    ]
    given = {
        "experiment": "tone",
        "primary": "gold_mrr",
        "out": "experiments/may",
        "timeout": 2.5,
    }
    assert words(root, "ablation", **given, stop_early=True) == [
        "ablate",
        "--experiment=tone",
        "--primary=gold_mrr",
        "--stop-early",
        "--out=experiments/may",
        "--timeout=2.5",
    ]


def test_a_request_of_an_earlier_version_says_the_same(root: Path):
    """The page of assay 0.1 had other names for some fields, and a switch to start again."""
    given = {"max_questions": 5, "output": "experiments/x.jsonl", "fresh": True}
    assert words(root, "depth", sample=True, **given) == [
        "depth",
        "--sample",
        "--limit=5",
        "--out=experiments/x.jsonl",
        "--resume=fresh",
    ]


@pytest.mark.parametrize(
    ("job", "typed", "again"),
    [
        ("ablation", "ablate -e other -e tone --limit 5 --resume fresh --no-report --lang ru",
         "ablate --experiment=tone --limit=5"),
        ("ablation", "ablate --all --root . --stop-early", "ablate --experiment=tone --stop-early"),
        ("depth", "depth --sample --lang zh --limit 5 --charts none",
         "depth --sample --lang=zh --limit=5"),
        ("depth", "depth --sample --max_questions 5 --output=experiments/x.jsonl --fresh",
         "depth --sample --limit=5 --out=experiments/x.jsonl"),
        ("quality", "quality --pdf=questions.jsonl --keep-stale --set a=1 --set b=2 --system clerk",
         "quality --pdf=questions.jsonl --system=clerk --set=a=1 --set=b=2 --resume=keep"),
        ("bench", "bench --sample --json", "bench run --sample"),
        ("bench", "bench run questions.jsonl --top-k=3", "bench run --top-k=3 questions.jsonl"),
    ],
)  # fmt: skip
def test_what_was_typed_is_repeated_from_the_page(root: Path, job: str, typed: str, again: str):
    """Without what starts afresh or only prints; an ablation goes on with the run's experiment."""
    request = typed_request(job, "tone", ["assay", *typed.split()], root)
    assert command_words(request, root) == again.split()


@pytest.mark.parametrize(
    ("job", "typed"),
    [
        ("ablation", "ablate -e tone --system python:mine:ask"),
        ("ablation", "run --questions questions.jsonl"),
        ("quality", "quality --pdf ../outside.pdf"),
        ("bench", "bench run questions.jsonl --system command:./ask"),
        ("review", "review --sample --verifier-embedder x"),
        ("depth", "depth --sample --out /tmp/x.jsonl"),
    ],
)
def test_what_the_form_cannot_say_goes_on_in_a_terminal_only(root: Path, job: str, typed: str):
    """No program, address or file outside becomes a start of the page by way of a recorded run."""
    with pytest.raises(UseError):
        typed_request(job, "tone", ["assay", *typed.split()], root)


def test_a_file_whose_name_looks_like_an_option_stays_a_file(root: Path):
    """It is the word after the options of the benchmark's command."""
    (root / "--root=x.json").touch()
    assert words(root, "bench", path="--root=x.json")[-1] == "./--root=x.json"


def test_the_form_offers_what_is_configured_or_installed(root: Path):
    """Never a word that needs a rest: a Python object, a program, an address."""
    form = start_form(root)
    fields = {(job.job, field.name): field for job in form.jobs for field in job.fields}
    assert [job.job for job in form.jobs] == list(FORMS) == list(COMMANDS)
    assert fields["ablation", "experiment"].choices == ("tone",)
    assert fields["ablation", "experiment"].titles == ()
    metric = fields["ablation", "primary"]
    titles = dict(zip(metric.choices, metric.titles, strict=True))
    assert text_of(titles["cite_ok_rate"], "ru") != str(titles["cite_ok_rate"])
    systems = fields["bench", "system"].choices
    assert {"clerk", "reference", "reviewer"} <= set(systems)
    assert not {"python", "command", "http", "https", "openai", "replay"} & set(systems)
    assert fields["quality", "pdf"].choices == ("a b.pdf",)
    assert "questions.jsonl" in fields["bench", "path"].choices


def test_a_form_of_a_wrong_file_says_so(root: Path):
    """The other jobs can still be started."""
    (root / "experiments" / "experiments.yaml").write_text("experiments: [{name: 1}]\n")
    form = start_form(root)
    assert "experiments.yaml" in (form.problem or "")


def test_every_option_of_a_form_is_one_of_its_command():
    """A field that the command does not have would fail only when it is used."""
    import typer.main  # noqa: PLC0415

    from assay.cli.ablate import ablate  # noqa: PLC0415
    from assay.cli.bench import run_benchmark  # noqa: PLC0415
    from assay.cli.depth import depth  # noqa: PLC0415
    from assay.cli.quality import quality  # noqa: PLC0415
    from assay.cli.review import review  # noqa: PLC0415

    commands = {
        "ablation": ablate,
        "depth": depth,
        "quality": quality,
        "review": review,
        "bench": run_benchmark,
    }
    for job, function in commands.items():
        app = typer.Typer()
        app.command()(function)
        known = {flag for each in typer.main.get_command(app).params for flag in each.opts}
        assert {option.flag for option in FORMS[job]} - {""} <= known, job
