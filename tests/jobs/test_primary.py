"""The primary metric of an experiment: where it comes from, and which ones are refused."""

from pathlib import Path

import pytest

from assay.errors import ConfigError, UseError
from tests.support.harbour import EXPERIMENTS, prepare_experiment, write_harbour


def prepared_primary(root: Path, primary: str | None = None, *, option: str | None = None) -> str:
    """The primary metric that the header records; ``primary`` is in the YAML file."""
    line = f"    primary: {primary}\n" if primary else ""
    write_harbour(root, experiments=EXPERIMENTS.replace("    values:", f"{line}    values:"))
    return str(prepare_experiment(root, primary=option).header.extra["primary"])


def test_the_primary_metric_is_the_headline_unless_another_is_chosen(tmp_path: Path):
    """The command line wins over the experiment, and the experiment over the job."""
    assert prepared_primary(tmp_path) == "avg_gold_coverage"
    assert prepared_primary(tmp_path, "gold_hit_any_rate") == "gold_hit_any_rate"
    chosen = prepared_primary(tmp_path, "gold_hit_any_rate", option="cite_ok_rate")
    assert chosen == "cite_ok_rate"


def test_an_unknown_primary_metric_is_refused_before_the_first_call(tmp_path: Path):
    """The message has the line of the file and the nearest name."""
    with pytest.raises(
        ConfigError, match=r"experiments\.yaml:\d+: there is no metric 'gold_mr'.*gold_mrr"
    ):
        prepared_primary(tmp_path, "gold_mr")
    with pytest.raises(UseError, match="--primary nothing: there is no metric 'nothing'"):
        prepared_primary(tmp_path, option="nothing")


def test_a_percentile_cannot_be_primary(tmp_path: Path):
    """A percentile has no test, so nothing could be decided with it."""
    with pytest.raises(ConfigError, match="p95_latency_s is a percentile, which has no test"):
        prepared_primary(tmp_path, "p95_latency_s")
