"""Values that must not leak: finding them, replacing them by stable tags, turning tags back."""
