"""Runs as processes of their own: the forms of the jobs, starting, stopping, going on."""

from assay.web.process.form import start_form
from assay.web.process.resume import resume_run, resumption
from assay.web.process.start import Starts
from assay.web.process.stop import stop_run

__all__ = ["Starts", "resume_run", "resumption", "start_form", "stop_run"]
