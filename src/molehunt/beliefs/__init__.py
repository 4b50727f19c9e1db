"""What can be inferred exactly from what was seen: counts, probabilities and fair samples, with no game inside."""
