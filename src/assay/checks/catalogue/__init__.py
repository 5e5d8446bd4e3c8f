"""One file per scorer: each file of this folder declares one as ``SCORER`` and has its name.

The files are found by themselves (``assay.checks.registered``), so a new scorer needs no line
anywhere else. A scorer in this folder is computed for every answer of its jobs in every
installation. The scores that make up a job's own rows are not here: a job computes them together,
and declares their metrics in its own folder, for example ``assay.jobs.quality.spec``.
"""
