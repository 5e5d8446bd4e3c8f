"""Cut documents into chunks, and read and write the corpus files that contain them."""
