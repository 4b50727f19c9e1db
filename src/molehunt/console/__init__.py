"""What the commands print: the floor between the command line and the rooms that do the work."""
