"""Players of The Resistance."""
