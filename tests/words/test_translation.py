"""The words of reports and of the page, as the program reads them from its data files."""

from assay.checks.registered import SCORERS
from assay.results.job import JOBS
from assay.study.labelled import LABEL_METRIC
from assay.words.translation import translation


def test_why_a_metric_is_undefined_is_told_in_every_language():
    """Exactly the reasons that assay's own jobs, scorers and the labels of people declare."""
    metrics = [metric for name in JOBS.own for metric in JOBS.get_own(name).metrics]
    metrics += [LABEL_METRIC, *(SCORERS.get_own(name) for name in SCORERS.own)]
    declared = {metric.undefined for metric in metrics if metric.undefined}
    assert declared == translation("en").value["undefined"].keys()


def test_a_file_is_read_once():
    """The second use of a language costs no reading."""
    assert translation("ru") is translation("ru")
