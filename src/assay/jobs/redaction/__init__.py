"""Values that must not leak in files: listing them, masking a file, turning its tags back."""
