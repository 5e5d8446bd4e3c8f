"""Calls to models: pacing and retries now; the client, its cache and prices beside them."""
