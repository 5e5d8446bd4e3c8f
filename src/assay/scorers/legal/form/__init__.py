"""The same value in another form: 18:00 for 6 pm, 1,500 kg for 1.5 tonnes, twice a year for every six months."""

from assay.scorers.legal.form.clock import clock_times
from assay.scorers.legal.form.form import Forms, other_forms
from assay.scorers.legal.form.frequency import is_interval
from assay.scorers.legal.form.measure import Measure, measures
from assay.scorers.legal.form.ordinal import ordinals
from assay.scorers.legal.form.spelling import respelled

__all__ = [
    "Forms",
    "Measure",
    "clock_times",
    "is_interval",
    "measures",
    "ordinals",
    "other_forms",
    "respelled",
]
