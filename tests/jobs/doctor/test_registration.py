"""The finding of ``assay doctor`` for everything that another package registers."""

from pathlib import Path

import pytest

from assay.jobs.doctor.checkup import check_registrations
from tests.support.installed import install_package

ENTRY_POINTS = """\
[assay.systems]
good = doctor_package:load
python = doctor_package:load

[assay.scorers]
bad = doctor_package:load
"""


def test_without_other_packages_there_is_nothing_to_check():
    """An installation of assay alone has no line about registrations."""
    assert list(check_registrations()) == []


def test_everything_registered_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What can be used is in order; what cannot is a fault that names the package."""
    source = "def load(rest, context):\n    return None\n"
    install_package(
        monkeypatch,
        tmp_path,
        entry_points=ENTRY_POINTS,
        modules={"doctor_package": source},
    )
    findings = {finding.what: finding.ok for finding in check_registrations()}
    assert findings == {
        "the entry point 'good' (assay.systems) of the package 'acme' can be used": True,
        "the entry point 'python' (assay.systems) of the package 'acme' is not used: assay has "
        "its own system 'python'": False,
        "the entry point 'bad' (assay.scorers) of the package 'acme' cannot be used: it is a "
        "function, not an assay.checks.scorer.Scorer": False,
    }


def test_a_scorer_whose_name_a_job_has_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It would be registered and never shown, so the doctor names the job."""
    source = (
        "from assay.checks.scorer import Scorer\n"
        "SCORER = Scorer(name='avg_gold_coverage', title='T', title_zh='题', title_ru='т',\n"
        "    formula='f', undefined='never', function=lambda subject: 1)\n"
    )
    install_package(
        monkeypatch,
        tmp_path,
        entry_points="[assay.scorers]\navg_gold_coverage = doctor_taken:SCORER\n",
        modules={"doctor_taken": source},
    )
    assert {finding.what: finding.ok for finding in check_registrations()} == {
        "the scorer 'avg_gold_coverage' of the package 'acme' is not used: the job 'ablation' "
        "has a score of its own with this name": False
    }
