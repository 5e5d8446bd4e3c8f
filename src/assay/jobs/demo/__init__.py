"""The demonstration: all five jobs on the samples, offline, each with its finding and picture."""
