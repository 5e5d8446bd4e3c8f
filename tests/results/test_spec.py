"""The jobs: assay's own and those of other packages, and the metrics that each declares."""

import re
from pathlib import Path

import pytest

from assay.errors import UseError
from assay.registry import RegistrationWarning, load_object
from assay.report.label import metric_title
from assay.results.job import JOBS, job_spec, job_spec_of
from assay.runs.summary import Summary
from tests.support.installed import install_package

OWN = tuple(JOBS.own)
JOB = """\
from assay.results.job import JobSpec
from assay.checks.latency import LATENCY

SPEC = JobSpec(
    name={name!r}, metrics=LATENCY, headline={headline!r}, rescore=lambda row: {{}}, {more}
)
"""
SCORER = """\
from assay.checks.scorer import Scorer

SCORER = Scorer(
    name={name!r}, title="T", title_zh="题", title_ru="т", formula="f", undefined="never",
    function=lambda subject: 1, jobs={jobs!r},
)
"""


def summary_of(job: str) -> Summary:
    """The summary of a run of a job."""
    return Summary(job=job, name="a", system="s", variants=(), total=0)


def spec_source(name: str, headline: str = "avg_latency_s", more: str = "") -> str:
    """A module with a job."""
    return JOB.format(name=name, headline=headline, more=more)


@pytest.mark.parametrize("job", OWN)
def test_every_metric_is_declared_in_full(job: str):
    """Titles in three languages and a formula; a value that is computed names its function.

    Names that papers use in every language are not translated.
    """
    spec = JOBS.get_own(job)
    for metric in (*spec.metrics, *spec.variant_metrics):
        assert metric.title, metric.name
        if metric.title not in {"Recall@{k}", "Hit@{k}", "All-hit@{k}", "MRR", "nDCG@{k}"}:
            assert re.search("[一-鿿]", metric_title(metric, "zh")), metric.name
            assert re.search("[а-яё]", metric_title(metric, "ru")), metric.name
        assert metric.formula, metric.name
        function = metric.function
        if isinstance(function, str):
            function = load_object(function)
        assert function is None or function.__doc__, metric.name


@pytest.mark.parametrize("name", OWN)
def test_every_job_has_the_name_and_the_headline_it_is_known_by(name: str):
    """The name in the table is that of the spec, and the headline is one of its metrics."""
    spec = job_spec(name)
    assert spec.name == name
    assert spec.metric().name == spec.headline
    if isinstance(spec.report, str):
        assert callable(load_object(spec.report))


def test_rows_without_a_summary_are_those_of_an_ablation():
    """Files of other programs have no summary."""
    assert job_spec_of(None).name == "ablation"


def test_an_unknown_job_is_one_line():
    """The results may be of a package that is not installed here."""
    with pytest.raises(UseError, match="results of a job 'poetry' are not known here; install"):
        job_spec_of(summary_of("poetry"))


def test_another_package_adds_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its results are read like those of our own jobs."""
    install_package(
        monkeypatch,
        tmp_path,
        entry_points="[assay.jobs]\npoetry = spec_poetry:SPEC\n",
        modules={"spec_poetry": spec_source("poetry")},
    )
    assert job_spec_of(summary_of("poetry")).headline == "avg_latency_s"


@pytest.mark.parametrize(
    ("module", "source", "reason"),
    [
        ("spec_dict", "SPEC = {}", "it is a dict, not an assay.results.job.JobSpec"),
        (
            "spec_prose",
            spec_source("prose"),
            "the job's own name is 'prose'; both names must be equal",
        ),
        (
            "spec_rhyme",
            spec_source("poetry", "rhyme"),
            "its headline 'rhyme' is not one of its metrics",
        ),
        ("spec_bare", spec_source("poetry", more="command=print"), "it has a command and no help"),
    ],
)
def test_a_job_that_cannot_be_used_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    source: str,
    reason: str,
):
    """The line names the package, the entry point and what is wrong with the spec."""
    install_package(
        monkeypatch,
        tmp_path,
        entry_points=f"[assay.jobs]\npoetry = {module}:SPEC\n",
        modules={module: source},
    )
    with pytest.raises(UseError) as refused:
        job_spec_of(summary_of("poetry"))
    line = "the entry point 'poetry' (assay.jobs) of the package 'acme' cannot be used: "
    assert str(refused.value).startswith(line + reason)


def test_a_registered_scorer_is_a_metric_of_its_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It comes after the job's own metrics, and only in the jobs that it names."""
    install_package(
        monkeypatch,
        tmp_path,
        entry_points="[assay.scorers]\nspec_added = spec_scorer:SCORER\n",
        modules={"spec_scorer": SCORER.format(name="spec_added", jobs=("depth",))},
    )
    assert [metric.name for metric in job_spec("depth").metrics][-1] == "spec_added"
    assert job_spec("depth").metric("spec_added").field == "scores.spec_added"
    assert "spec_added" not in [metric.name for metric in job_spec("bench").metrics]


@pytest.mark.parametrize("name", ["cite_ok", "avg_gold_coverage"])
def test_a_scorer_with_a_name_of_the_job_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
):
    """Neither the name of a metric nor that of a score in the row can be taken over."""
    before = job_spec("ablation").metrics
    install_package(
        monkeypatch,
        tmp_path,
        entry_points=f"[assay.scorers]\n{name} = spec_taken_{name}:SCORER\n",
        modules={f"spec_taken_{name}": SCORER.format(name=name, jobs=("ablation",))},
    )
    with pytest.warns(RegistrationWarning, match=f"the scorer '{name}' of the package 'acme'"):
        assert job_spec("ablation").metrics == before


def test_a_report_that_cannot_be_imported_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The path is imported when a report is made, and what is wrong with it is named."""
    install_package(
        monkeypatch,
        tmp_path,
        entry_points="[assay.jobs]\nverse = spec_verse:SPEC\n",
        modules={"spec_verse": spec_source("verse", more="report='spec_nowhere:Report'")},
    )
    spec = job_spec("verse")
    with pytest.raises(UseError) as refused:
        spec.job_report(None)  # type: ignore[arg-type]  # it is not looked at
    assert str(refused.value) == (
        "the report of the job 'verse' (spec_nowhere:Report) cannot be used: "
        "ModuleNotFoundError: No module named 'spec_nowhere'"
    )


def test_the_page_on_statistics_names_the_primary_metric_of_every_job():
    """The primary metric is the headline by default, and it has a test, so it is no percentile."""
    page = (Path(__file__).parents[2] / "docs/statistics.md").read_text(encoding="utf-8")
    for name in OWN:
        spec = JOBS.get_own(name)
        assert not spec.metric().is_percentile
        assert f"| {name} | `{spec.headline}` |" in page


@pytest.mark.parametrize(
    "name", ["answer_right", "Answer right", "ответ верен", "answer_contained"]
)
def test_a_metric_is_known_by_its_title_too(name: str):
    """What a table calls it is accepted in any language, with its words joined or not."""
    assert job_spec("ablation").metric(name).name == "answer_contained"
