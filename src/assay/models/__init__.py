"""Calls to models: the client, its call cache, limits and retries, prices and API keys."""
