"""Generate an invented chronicle of any length with questions, in three languages."""
