"""Runs as processes of their own: the forms of the jobs, starting, stopping, going on."""
