"""The primary metric of an experiment: the one that decides, chosen before the first answer."""

from assay.config import nearest
from assay.errors import ConfigError, UseError
from assay.jobs.experiment.choice import ExperimentChoice
from assay.jobs.spec import job_spec
from assay.records import Metric


def primary_metric(
    job: str, choice: ExperimentChoice, option: str | None, *, main: str | None = None
) -> Metric:
    """The metric of ``--primary``, of the experiment, or else ``main``.

    By default, ``main`` is the main metric of the job.

    Raises:
        UseError: The job has no such metric, or it is a percentile, which has no test.
    """
    spec = job_spec(job)
    name = option or choice.experiment.primary or main or spec.headline
    metric = spec.find_metric(name)
    if metric is None:
        names = [metric.name for metric in spec.metrics]
        problem = f"there is no metric {name!r}{nearest(name, names)}"
    elif metric.is_percentile:
        problem = f"{name} is a percentile, which has no test; choose a mean or a rate"
    else:
        return metric
    if option:
        raise UseError(f"--primary {option}: {problem}")
    where = choice.document.where("experiments", choice.number, "primary")
    raise ConfigError(f"{where}: {problem}")
