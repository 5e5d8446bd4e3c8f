"""A study: variants compared on the same questions, whatever the job that asked them."""
