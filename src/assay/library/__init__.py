"""What users import: everything that the commands do, as functions and objects of Python.

::

    run(system, questions, …)         -> Run         ask and score; the journal of `assay run`
    ablate(experiment, …)             -> Run         the variants of an experiment
    evaluate(rows, …)                 -> Run         answers that exist already
    open(name)                        -> Run         a run that is recorded
    compare(base, candidate, …)       -> Comparison  the gate

The commands are users of this room: they add options, what a terminal shows, and exit codes.

==============  ==============================================================================
source          what a program passes (functions, objects, lists, tables) as systems and questions
perform         the runs of a job, one after the other: prepared, asked, kept out of git
run             ``run``, ``ablate``, ``evaluate``, ``open``
judging         judges asked about the answers of a run
result          ``Run``: tables, rows, figures
case_list       a few cases that somebody should look at
comparison      ``compare`` and ``Comparison``
report          what a report shows: findings, tables, groups
frame           pandas or polars, whichever there is; Parquet
notebook        how a notebook and a prompt show runs, comparisons and cases
progress        a bar in a terminal or a notebook
privacy         the ``.gitignore`` beside what is written
==============  ==============================================================================

How a run ends, in Python: a failed case raises nothing and is in ``Run.failures``. A limit that the
caller has set (``max_cost``, ``max_minutes``) gives a ``Run`` with ``stopped``. What makes the rest of
the run impossible, such as a refused key, raises ``RunStopped``, and Ctrl+C ``KeyboardInterrupt``, after
the answers so far were written; the same call goes on. Wrong use raises ``UseError`` before the first call.
"""
