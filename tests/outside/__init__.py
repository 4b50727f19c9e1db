"""Games as other packages bring them."""
