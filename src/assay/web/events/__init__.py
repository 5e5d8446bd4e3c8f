"""Server-sent events from the journals: the progress of all runs, and the rows of one."""
